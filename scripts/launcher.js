// The beginning of the built file, which contains the program as a text. V8 compiles it, and keeps what it has compiled
// for the next start in a folder of our own. Without this cache, the start is only slower.
const fs = require('node:fs');
const { homedir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

/* global BUILD, KEEP_AFTER, program */

const { XDG_CACHE_HOME: cacheHome = '', NODE_DISABLE_COMPILE_CACHE: isOff } = process.env;
const folder = join(isAbsolute(cacheHome) ? cacheHome : join(homedir(), '.cache'), 'crowsnest');
// Each command uses another part of the program, and each of two installed builds has its own cache.
const [command] = /^[a-z]+$/.exec(process.argv[2] ?? '') ?? ['monitor'];
const build = `${process.version}-${process.arch}-${crc32(__filename).toString(16)}`;
const file = join(folder, `${command}-${build}.v8`);

const isOurs = ({ uid, mode }) => uid === process.getuid?.() && (mode & 0o022) === 0;
// V8 ends the process when its data is damaged, and does not notice that another program of this length made it.
const headerOf = data => Buffer.from(BUILD + crc32(data).toString(16).padStart(8, '0'));

function readCode() {
	const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
	const descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	try {
		const stats = fs.fstatSync(descriptor);
		if (!isOurs(fs.statSync(folder)) || !isOurs(stats) || !stats.isFile()) return undefined;
		const all = stats.size < 30_000_000 ? fs.readFileSync(descriptor) : Buffer.alloc(0);
		const [header, data] = [all.subarray(0, BUILD.length + 8), all.subarray(BUILD.length + 8)];
		return header.equals(headerOf(data)) ? data : undefined;
	} finally {
		fs.closeSync(descriptor);
	}
}

function keepCode() {
	// With `recursive`, Node never returns from places such as /proc.
	for (const path of [dirname(folder), folder]) if (!fs.existsSync(path)) fs.mkdirSync(path, 0o700);
	if (!isOurs(fs.statSync(folder))) return;
	const data = script.createCachedData();
	const draft = `${file}.draft`;
	try {
		// A process that writes the same draft at this moment leaves a file with a wrong checksum at worst.
		fs.rmSync(draft, { force: true });
		fs.writeFileSync(draft, Buffer.concat([headerOf(data), data]), { flag: 'wx', mode: 0o600 });
		fs.renameSync(draft, file);
	} finally {
		fs.rmSync(draft, { force: true });
	}
	const old = Date.now() - 30 * 24 * 3_600_000;
	for (const path of fs.readdirSync(folder).map(name => join(folder, name)))
		if (fs.statSync(path).mtimeMs < old) fs.rmSync(path, { recursive: true, force: true });
}

function attempt(work) {
	try {
		return isOff ? undefined : work();
	} catch {
		return undefined;
	}
}

const cachedData = attempt(readCode);
const text = String(program).slice('function program(){/*'.length, -'*/}'.length);
const script = new Script(text.replaceAll('*\0/', '*/'), { filename: __filename, cachedData });
if (!cachedData || script.cachedDataRejected) {
	// After wrong usage, the command may not exist.
	const keepAtExit = () => process.exitCode === 2 || attempt(keepCode);
	process.once('exit', keepAtExit);
	setTimeout(() => process.off('exit', keepAtExit) && attempt(keepCode), KEEP_AFTER).unref();
}
script.runInThisContext()(require, pathToFileURL(__filename).href);

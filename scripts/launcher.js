// The beginning of the built file. It is CommonJS, which starts faster and is the only format that Node can
// embed in an executable. The programs are a comment on the last line, compressed, because Node reads all of the
// file at each start. The first start keeps the decompressed program and the code that V8 has compiled, because compiling
// it would take longer than the rest of the start. There are two programs: the quick one has the commands that
// shell prompts and scripts wait for. If it cannot run a command line, the whole program is started in the same process.
const {
	closeSync,
	constants: { O_NOFOLLOW, O_NONBLOCK, O_RDONLY },
	existsSync,
	fdatasyncSync,
	fstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} = require('node:fs');
const { homedir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { getAsset, isSea } = require('node:sea');
const { pathToFileURL } = require('node:url');
const { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } = require('node:v8');
const { runInNewContext, Script } = require('node:vm');
const { brotliDecompressSync, crc32 } = require('node:zlib');
const { pathsFrom } = require('../source/accounts/paths.ts');
const { quickNames } = require('../source/cli/quick-names.ts');
const { showKeptPicture } = require('../source/terminal/picture/kept-picture.ts');

/* global BUILD, KEEP_AFTER, QUICK_SIZE, SETTLED_AFTER, THRIFTY_AFTER */

// The XDG standard says to ignore a folder that is not absolute.
const cacheHome = process.env.XDG_CACHE_HOME ?? '';
const folder = join(isAbsolute(cacheHome) ? cacheHome : join(homedir(), '.cache'), 'crowsnest');
// Each command has a cache of its own, because each uses another part of the program.
const [command] = /^[a-z]+$/.exec(process.argv[2] ?? '') ?? ['monitor'];
// The quick program would find out by itself that it cannot run the other lines.
const isQuick =
	quickNames.includes(command) && !process.argv.some(word => ['--demo', '--help'].includes(word));

// The cached code is run unchecked, so only files that no other user can write are used.
function isOurs(path) {
	const { uid, mode } = statSync(path);
	return uid === process.getuid?.() && (mode & 0o022) === 0;
}

// V8 copies cached code that does not begin at a multiple of eight bytes.
const headerSize = 8;

function headerOf(data) {
	const header = Buffer.alloc(headerSize);
	header.writeUInt32LE(crc32(data));
	return header;
}

// V8 ends the process when its cached code is damaged, so a checksum precedes the code. A file that does not
// match its checksum counts as missing, and this run replaces it. Loading `node:crypto` for a stronger digest
// would take longer than all that the launcher does.
function contentOf(file) {
	try {
		if (!isOurs(folder) || !isOurs(file)) return undefined;
		const memory = readWhole(file);
		const data = Buffer.from(memory, headerSize);
		if (headerOf(data).equals(Buffer.from(memory, 0, headerSize))) return data;
		memory.resize(0);
		return undefined;
	} catch {
		return undefined;
	}
}

// The system provides the memory of an array buffer that can be resized, and takes it back at once when the size is
// set to zero. Other buffers belong to the C library, which keeps freed memory for later: as much, in each thread, as
// twice the largest buffer that was freed before.
function readWhole(file) {
	// Opening a pipe would wait for a writer.
	const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	try {
		const stats = fstatSync(descriptor);
		const { size } = stats;
		// The largest of these files has three megabytes.
		if (!stats.isFile() || size > 30_000_000) throw new Error('not ours');
		const memory = new ArrayBuffer(size, { maxByteLength: size });
		readSync(descriptor, Buffer.from(memory), 0, size, 0);
		return memory;
	} finally {
		closeSync(descriptor);
	}
}

/** Whether a file is of another build, or was left unfinished by a process that was killed. */
function isLeftover(name) {
	const [, pid] = /\.(?:program|v8)(?:\.(\d+))?$/.exec(name) ?? [undefined, 'not ours'];
	if (pid === 'not ours') return false;
	if (pid === undefined) return !name.startsWith(BUILD);
	const { mtimeMs = 0 } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
	return Date.now() - mtimeMs > 60_000;
}

function keep(file, dataOf) {
	// Nothing is cached after wrong usage, because almost nothing was compiled and the command may not exist.
	if (process.exitCode === 2) return;
	try {
		// The folders are created one at a time, because with `recursive` Node never returns from places such as
		// /proc.
		for (const path of [dirname(folder), folder]) {
			if (!existsSync(path)) mkdirSync(path, 0o700);
		}
		if (!isOurs(folder)) return;
		for (const other of readdirSync(folder)) if (isLeftover(other)) rmSync(join(folder, other));
		const unfinished = `${file}.${process.pid}`;
		const data = dataOf();
		try {
			const descriptor = openSync(unfinished, 'w', 0o600);
			try {
				writeFileSync(descriptor, Buffer.concat([headerOf(data), data]));
				// The file is on the disk before it gets its name, so that a crash of the host cannot leave a damaged
				// file with the right name.
				fdatasyncSync(descriptor);
			} finally {
				closeSync(descriptor);
			}
			renameSync(unfinished, file);
		} catch {
			rmSync(unfinished, { force: true });
		}
	} catch {
		// Without a cache the next start is only slower.
	}
}

// V8's flags for these programs. They are set before a program is loaded, because V8 rejects cached code that was
// compiled with other flags. For the same reason they are reset while a module of Node is loaded: without the cached code
// that Node contains, loading the HTTP client takes three times as long.
//
// - The young generation has one megabyte, and waking four threads to collect so little takes more processor
//   time than collecting it.
// - V8 would optimise code after few runs. A monitor runs most code a few times a second, so much of that work
//   would never pay, and a command that only reads ends before it pays. Only Node 20 has this option, with 67584
//   as its default.
// - The client that uses a proxy parses responses in WebAssembly. V8 would compile it a second time to make it
//   faster, which takes 17 MB and saves almost no time.
// - The young generation begins with one megabyte, and V8 would let it grow to eight during the start, and to twice as
//   much while it collects. With one megabyte, a start takes as much processor time and 12 MB less.
// - A command that only reads ends before V8 would need the memory that a full garbage collection frees. With both,
//   `crowsnest list` takes a tenth less processor time.
function flagsFor({ budget, isBrief }) {
	return [
		['--no-parallel-scavenge', '--parallel-scavenge'],
		...(process.versions.node.startsWith('20.')
			? [[`--interrupt-budget=${budget}`, '--interrupt-budget=67584']]
			: []),
		['--no-wasm-tier-up', '--wasm-tier-up'],
		['--no-wasm-dynamic-tiering', '--wasm-dynamic-tiering'],
		isBrief
			? ['--no-incremental-marking', '--incremental-marking']
			: ['--semi-space-growth-factor=1', '--semi-space-growth-factor=2'],
	];
}

const quickFlags = flagsFor({ budget: 2_000_000, isBrief: true });
const wholeFlags = flagsFor({ budget: 300_000, isBrief: false });
// After some minutes, V8 has optimised what a person uses often. Over a day, it would optimise all other code that runs
// now and then as well, and keep it with what it needs to undo that.
const settledFlags = flagsFor({ budget: 2_000_000, isBrief: false });
// The first of these flags sets the last one as well.
const thriftyFlag = ['--optimize-for-size', '--no-optimize-for-size --max-semi-space-size=0'];
// Even then, V8 lets eight megabytes become old before it collects them. With these flags, it begins when 40 percent of
// them and of the young generation are in use.
const earlyFlag = [
	'--incremental-marking-soft-trigger=40 --incremental-marking-hard-trigger=40',
	'--incremental-marking-soft-trigger=0 --incremental-marking-hard-trigger=0',
];

let flags = [];
// Whether the start is over, so that collecting more often does not delay it.
let isStarted = false;

function setFlags(areSet) {
	for (const [set, undo] of flags) setFlagsFromString(areSet ? set : undo);
}

/** Sets the flags of a program in place of those of the program before. */
function replaceFlags(next) {
	setFlags(false);
	flags = next;
	setFlags(true);
}

const loaded = new Set();

/** Loads a module of Node for a program. */
function requireForProgram(name) {
	if (loaded.has(name)) return require(name);
	setFlags(false);
	try {
		return require(name);
	} finally {
		setFlags(true);
		loaded.add(name);
	}
}

// React and Ink only ask for the time. Node loads nine modules when its own object is used for the first time.
const programPerformance = {
	now: () => process.uptime() * 1000,
	get markResourceTiming() {
		return performance.markResourceTiming;
	},
};

const isKeeping = !process.env.NODE_DISABLE_COMPILE_CACHE;

/** Returns the text of a program that an earlier start has kept; undefined when there is none. */
function keptText(file) {
	const data = isKeeping ? contentOf(file) : undefined;
	const text = data?.toString('latin1');
	data?.buffer.resize(0);
	return text;
}

function decompressed(name) {
	const file = isSea() ? getAsset('program', 'latin1') : readFileSync(__filename, 'latin1');
	const lastLine = file.slice(file.lastIndexOf('\n', file.length - 2) + '\n//'.length, -1);
	const programs = brotliDecompressSync(Buffer.from(lastLine, 'base64'));
	return name === 'quick'
		? programs.toString('latin1', 0, QUICK_SIZE)
		: programs.toString('latin1', QUICK_SIZE);
}

/** Runs a program with its cached code, and keeps what V8 has compiled. */
function start(program, part, programFlags, ...more) {
	replaceFlags(programFlags);
	const name = `${BUILD}-${process.version}-${process.arch}-${part}`;
	// A long run compiles more functions than a brief one, so each has a cache of its own.
	const [longRun, briefRun] = ['.v8', '-brief.v8'].map(end => join(folder, name + end));
	const longData = isKeeping ? contentOf(longRun) : undefined;
	const cachedData = longData ?? (isKeeping ? contentOf(briefRun) : undefined);
	const textFile = join(folder, `${BUILD}-${program}.program`);
	const kept = keptText(textFile);
	const text = kept ?? decompressed(program);
	const script = new Script(text, { filename: __filename, cachedData });
	cachedData?.buffer.resize(0);
	const isUsed = kept && cachedData && !script.cachedDataRejected;
	const isWorthKeeping = isKeeping && !(longData && isUsed);
	const keepAll = file => {
		// V8 rejects cached code that was compiled with other flags.
		replaceFlags(programFlags);
		if (!kept) keep(textFile, () => Buffer.from(text, 'latin1'));
		keep(file, () => script.createCachedData());
	};
	const keepBrief = () => keepAll(briefRun);
	if (isWorthKeeping && !isUsed) process.once('exit', keepBrief);

	if (command === 'monitor') setTimeout(weighMemory, THRIFTY_AFTER).unref();
	// After this time, everything worth caching has been compiled.
	setTimeout(() => {
		process.off('exit', keepBrief);
		if (isWorthKeeping) keepAll(longRun);
		limitYoungGeneration();
		if (command !== 'monitor') return;
		isStarted = true;
		weighMemory();
		setInterval(weighMemory, 60_000).unref();
	}, KEEP_AFTER).unref();

	script.runInThisContext()(
		requireForProgram,
		pathToFileURL(__filename).href,
		programPerformance,
		keptPicture,
		makeRoomForKey,
		...more,
	);
}

// V8 trades memory for speed. The monitor is left open all day and has little to compute, so V8 is set to collect garbage
// as soon as the heap is a third larger than what is in use. That begins when the first rows are drawn, because the start
// would take longer. With a fleet so large that this would take too much time, V8 is left to its own rule. With 10,000
// computers, the heap has 30 to 45 MB.
function weighMemory() {
	const most = 80_000_000;
	const isLarge = getHeapStatistics().used_heap_size > most;
	const usual = process.uptime() * 1000 < SETTLED_AFTER ? wholeFlags : settledFlags;
	if (isLarge) replaceFlags(usual);
	else replaceFlags([...usual, thriftyFlag, ...(isStarted ? [earlyFlag] : [])]);
}

// A page of the table creates almost a megabyte of objects. When V8 collects garbage, many of them are still in use, and
// V8 copies those. So the young generation may grow to two megabytes after the start. V8 has no option for this limit
// that can be set now, only one for how much it grows at once. So it may grow until it has grown once, and is watched
// closely meanwhile, because two collections that follow each other could make it grow twice. A full garbage collection
// may make it small again.
function limitYoungGeneration() {
	const mayGrow = youngGeneration().capacity < 1_500_000;
	setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
	setTimeout(limitYoungGeneration, mayGrow ? 100 : 2000).unref();
}

function youngGeneration() {
	const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
	const [used, free] = young ? [young.space_used_size, young.space_available_size] : [0, 0];
	return { free, capacity: used + free };
}

let collectGarbage;

// A key creates up to half a megabyte of objects. By itself, V8 would collect them in the middle of every fourth key, which
// would take a millisecond longer. The program calls this function after the frame of a key, while nothing waits. It
// collects the young generation if the next keys could fill it. V8 gives its `gc` only to a new context, and only while
// an option is set.
function makeRoomForKey() {
	const { free, capacity } = youngGeneration();
	if (!isStarted || free > capacity * 0.3) return;
	if (!collectGarbage) {
		setFlagsFromString('--expose-gc');
		collectGarbage = runInNewContext('gc');
		setFlagsFromString('--no-expose-gc');
	}
	collectGarbage({ type: 'minor' });
}

/** Shows how the table looked when the monitor drew it last, before the program is loaded. */
function lookForPicture() {
	const { configPath, statePath } = pathsFrom(process.env, homedir());
	const pictures = join(statePath, 'journal');
	return showKeptPicture({
		program: process,
		folder: pictures,
		choosingFiles: [configPath, join(statePath, 'profiles.json')],
		read(path) {
			try {
				if (!isOurs(pictures) || !isOurs(path)) return undefined;
				return Buffer.from(readWhole(path)).toString('utf8');
			} catch {
				return undefined;
			}
		},
		now: Date.now,
		nextTurn: setImmediate,
	});
}

// Opening the output loads modules of Node, which every command needs.
void process.stdout;

// When nothing is left to do, the process ends without taking V8's heap apart, which would take three milliseconds.
process.once('beforeExit', () => process.exit());

const keptPicture = !isQuick && command === 'monitor' ? lookForPicture() : undefined;

const startWholeProgram = () => start('whole', command, wholeFlags);

if (isQuick) start('quick', `${command}-quick`, quickFlags, startWholeProgram);
else startWholeProgram();

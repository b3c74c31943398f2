// The head of the built file. The program itself stands below it as a text, so that V8 can be handed
// what it made of that text the last time: compiling takes longer than all the rest of the start.
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';

/* global PROGRAM, BUILD */

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'crowsnest');
const file = join(folder, `${BUILD}-${process.version}-${process.arch}.v8`);

// What lies there is run without a look at it, so nobody else may have been able to write it.
function isOurs(path) {
	const { uid, mode } = statSync(path);
	return uid === process.getuid?.() && (mode & 0o022) === 0;
}

function kept() {
	try {
		return isOurs(folder) && isOurs(file) ? readFileSync(file) : undefined;
	} catch {
		return undefined;
	}
}

function keep(script) {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		if (!isOurs(folder)) return;
		for (const name of readdirSync(folder)) {
			if (name.endsWith('.v8') && !name.startsWith(BUILD)) rmSync(join(folder, name));
		}
		const unfinished = `${file}.${process.pid}`;
		writeFileSync(unfinished, script.createCachedData(), { mode: 0o600 });
		renameSync(unfinished, file);
	} catch {
		// It only makes the next start slower.
	}
}

const cachedData = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : kept();
const script = new Script(PROGRAM, {
	filename: import.meta.filename,
	cachedData,
	importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});

if ((!cachedData || script.cachedDataRejected) && !process.env.NODE_DISABLE_COMPILE_CACHE) {
	// By then what the first picture takes has been compiled, and is kept too.
	let isKept = false;
	const keepOnce = () => {
		if (!isKept) keep(script);
		isKept = true;
	};
	setTimeout(keepOnce, 3000).unref();
	process.once('exit', keepOnce);
}

script.runInThisContext()(createRequire(import.meta.url), import.meta.url);

// Builds the program into one minified file. React is put in production mode here, because its development reconciler
// is many times slower and never frees its earlier renders.
import { createHash } from 'node:crypto';
import {
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { buildReplacements } from '../replacements/plugins.js';
import { writeNotices } from './licences.js';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const bundle = `${root}dist/crowsnest.cjs`;

// V8 caches compiled code for scripts only, not for modules. A script cannot import, so Node's own modules
// are required, one name at a time: otherwise every file would get a copy of all their names.
const builtinsRequired = {
	name: 'builtins-required',
	setup(build) {
		build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
			kind.includes('import') && isBuiltin(path)
				? { path, namespace: 'builtin', sideEffects: false }
				: undefined,
		);
		build.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
			const { default: all, ...named } = await import(path);
			const load = `require('${path}')`;
			const lines = Object.entries(named)
				.filter(([name]) => !isDeprecated.test(`${path}.${name}`))
				.map(([name, value]) =>
					isFirstAtUse(path, value, name)
						? `export function ${name}(...given) { return ${load}.${name}(...given); }`
						: `export const ${name} = /* @__PURE__ */ (() => ${load}.${name})();`,
				);
			return {
				contents: [`export default /* @__PURE__ */ (() => ${load})();`, ...lines].join('\n'),
			};
		});
	},
};

// Importing a whole module reads all its names. Node 24 prints a warning when one of these is read.
const isDeprecated = /^(node:)?fs\.[FRWX]_OK$/;

// These modules are left out of the quick program, which has few commands, opens no demo and uses no proxy.
const neverInQuick = ['*/session/demo-host.ts', '*/cli/catalog.ts', 'undici'];

// These modules, or what they load when their functions are read, take longer to load than all others together, and the
// first frame does not need them.
const isFirstAtUse = (path, value, name) =>
	/crypto|child_process|https?|net$|tty$|util$|zlib|readline|promises$/.test(path) &&
	typeof value === 'function' &&
	/^[a-z]/.test(name);

export async function buildProgram({
	entry = `${root}source/main.ts`,
	outfile = bundle,
	/** The milliseconds after which the launcher saves the code that V8 has compiled. */
	keepAfter = 4000,
	/** The milliseconds after which V8 is set to use less memory. */
	thriftyAfter = 300,
	/** The milliseconds after which V8 optimises less of the code that is not optimised yet. */
	settledAfter = 600_000,
} = {}) {
	mkdirSync(dirname(outfile), { recursive: true });
	const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
	const texts = [];
	let metafile;
	// Shell prompts and scripts wait for a few commands. So the file contains these commands a second time, in a
	// small program without the others.
	for (const isQuick of [true, false]) {
		const made = await built(entry, {
			define: {
				'process.env.NODE_ENV': '"production"',
				'import.meta.url': 'programUrl',
				__VERSION__: JSON.stringify(version),
				__NOTICES__: '"__NOTICES__"',
				__IS_QUICK__: String(isQuick),
			},
			plugins: [buildReplacements(), builtinsRequired],
			external: isQuick ? neverInQuick : [],
		});
		texts.push(made.text);
		metafile = made.metafile;
	}
	// What is bundled is known only now. The programs are written in ASCII.
	const notices = JSON.stringify(writeNotices(metafile, root, outfile)).replace(
		/[^\x20-\x7e]/g,
		character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	const scripts = texts.map(text => scriptFrom(text.replace('"__NOTICES__"', () => notices)));
	const hash = createHash('sha256');
	for (const script of scripts) hash.update(script);
	const { text: launcher } = await built(`${root}scripts/launcher.js`, {
		format: 'cjs',
		define: {
			KEEP_AFTER: String(keepAfter),
			SETTLED_AFTER: String(settledAfter),
			THRIFTY_AFTER: String(thriftyAfter),
			BUILD: JSON.stringify(hash.digest('hex').slice(0, 16)),
			QUICK_SIZE: String(scripts[0].length),
		},
	});
	const lastLine = `//${compressed(scripts.join('')).toString('base64')}\n`;
	// A program that starts during the build finds either the old file or the new one.
	const unfinished = `${outfile}.${process.pid}`;
	writeFileSync(unfinished, `#!/usr/bin/env node\n${starterOf(launcher)}\n${lastLine}`);
	chmodSync(unfinished, 0o755);
	renameSync(unfinished, outfile);
}

/**
 * Makes the launcher a script of its own, with a text of its own. V8 keeps the text of a script as long as one of its
 * functions is in use, which would be the whole file, with the programs.
 */
function starterOf(launcher) {
	const script = JSON.stringify(`(function(require,__filename){${launcher}})`);
	return `require('node:vm').runInThisContext(${script},__filename)(require,__filename);`;
}

/**
 * Compresses the programs together, because they have much code in common. The best quality would save another eight
 * percent, and take 3 seconds more.
 */
function compressed(scripts) {
	const params = {
		[constants.BROTLI_PARAM_QUALITY]: 9,
		[constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
	};
	return brotliCompressSync(scripts, { params });
}

/** Makes a program that is one expression, for the launcher. */
function scriptFrom(program) {
	const script = `(async function(require,programUrl,performance,keptPicture,makeRoomForKey,startWholeProgram){${program.trimEnd()}\n})`;
	// V8 would need two bytes for each character if one were not in Latin-1.
	if (Buffer.byteLength(script) !== script.length) {
		throw new Error('The program cannot be written in ASCII');
	}
	return script;
}

/** Builds the program when a file in `source/`, or in the folders that it uses besides, is newer than the last build. */
export async function buildIfChanged({ folders = [], ...options } = {}) {
	const files = ['source', 'replacements', 'scripts', ...folders].flatMap(folder =>
		readdirSync(`${root}${folder}`, { recursive: true }).map(name => `${root}${folder}/${name}`),
	);
	const made = [...files, `${root}package.json`, `${root}package-lock.json`];
	const modified = path => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	const newest = made.reduce((latest, path) => Math.max(latest, modified(path)), 0);
	if (modified(options.outfile ?? bundle) < newest) await buildProgram(options);
}

async function built(entry, options) {
	const { outputFiles, metafile } = await build({
		entryPoints: [entry],
		bundle: true,
		metafile: true,
		absWorkingDir: root,
		write: false,
		minify: true,
		platform: 'node',
		target: 'node20.19',
		format: 'esm',
		legalComments: 'none',
		logLevel: 'warning',
		...options,
	});
	return { text: outputFiles[0].text, metafile };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProgram();

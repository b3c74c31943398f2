// Builds the program into minified files: the launcher, and beside it the quick and the whole program, which it starts.
// React is put in production mode here, because its development reconciler is many times slower and never frees its
// earlier renders.
import { createHash } from 'node:crypto';
import {
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

// These modules take longer to load than all others together, and the first frame does not need them.
const isFirstAtUse = (path, value, name) =>
	/crypto|child_process|https?|net$|zlib|readline|fs\/promises/.test(path) &&
	typeof value === 'function' &&
	/^[a-z]/.test(name);

/** Builds the program, and returns the paths of the quick and the whole program. */
export async function buildProgram({
	entry = `${root}source/main.ts`,
	outfile = bundle,
	/** The milliseconds after which the launcher saves the code that V8 has compiled. */
	keepAfter = 4000,
} = {}) {
	const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
	const scripts = { quick: '', whole: '' };
	let metafile;
	// Shell prompts and scripts wait for a few commands. So these commands are built a second time, as a small program
	// without the others.
	for (const name of Object.keys(scripts)) {
		const isQuick = name === 'quick';
		const made = await built(entry, {
			define: {
				'process.env.NODE_ENV': '"production"',
				'import.meta.url': 'programUrl',
				__VERSION__: JSON.stringify(version),
				__IS_QUICK__: String(isQuick),
			},
			plugins: [buildReplacements(), builtinsRequired],
			external: isQuick ? neverInQuick : [],
		});
		scripts[name] = scriptFrom(made.text);
		metafile = made.metafile;
	}
	const hash = createHash('sha256');
	for (const script of Object.values(scripts)) hash.update(script);
	const id = hash.digest('hex').slice(0, 16);
	const { text: launcher } = await built(`${root}scripts/launcher.js`, {
		format: 'cjs',
		define: { KEEP_AFTER: String(keepAfter), BUILD: JSON.stringify(id) },
	});
	mkdirSync(dirname(outfile), { recursive: true });
	writeNotices(metafile, root, outfile);
	const pathOf = (name, build = id) => outfile.replace(/\.cjs$/, `-${build}.${name}`);
	for (const [name, script] of Object.entries(scripts)) writeWhole(pathOf(name), script);
	// A program that starts during the build finds either the old files or the new ones, because the launcher names the
	// programs of its build.
	writeWhole(outfile, `#!/usr/bin/env node\n${launcher}`, 0o755);
	const programs = Object.keys(scripts).map(name => pathOf(name, '[0-9a-f]{16}'));
	const isProgram = new RegExp(`^(${programs.map(path => basename(path)).join('|')})$`);
	for (const file of readdirSync(dirname(outfile))) {
		if (isProgram.test(file) && !file.includes(id)) rmSync(join(dirname(outfile), file));
	}
	return { quick: pathOf('quick'), whole: pathOf('whole') };
}

/** Writes a file that is complete as soon as it has its name. */
function writeWhole(path, text, mode = 0o644) {
	const unfinished = `${path}.${process.pid}`;
	writeFileSync(unfinished, text);
	chmodSync(unfinished, mode);
	renameSync(unfinished, path);
}

/** Makes a program a function that the launcher calls. */
function scriptFrom(program) {
	const script = `(async function(require,programUrl,startWholeProgram){${program.trimEnd()}\n})`;
	// Text beyond ASCII would take twice the memory.
	if (Buffer.byteLength(script) !== script.length) throw new Error('The program is not ASCII');
	return script;
}

/** Builds the program when a source is newer than the last build. */
export async function buildIfChanged() {
	const folders = ['source', 'replacements', 'scripts'];
	const files = folders.flatMap(folder =>
		readdirSync(`${root}${folder}`, { recursive: true }).map(name => `${root}${folder}/${name}`),
	);
	const made = [...files, `${root}package.json`, `${root}package-lock.json`];
	const modified = path => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	const newest = made.reduce((latest, path) => Math.max(latest, modified(path)), 0);
	if (modified(bundle) < newest) await buildProgram();
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

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
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildReplacements } from '../replacements/plugins.js';
import { writeNotices } from './licences.js';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const bundle = `${root}dist/crowsnest.cjs`;

export async function buildProgram({
	entry = `${root}source/main.ts`,
	outfile = bundle,
	/** The milliseconds after which the launcher keeps the code that V8 has compiled. */
	keepAfter = 4000,
} = {}) {
	mkdirSync(dirname(outfile), { recursive: true });
	const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
	const { text, metafile } = await built(entry, {
		define: {
			'process.env.NODE_ENV': '"production"',
			'import.meta.url': 'programUrl',
			__VERSION__: JSON.stringify(version),
			__NOTICES__: '"__NOTICES__"',
		},
		plugins: [buildReplacements()],
	});
	// What is bundled is known only now.
	const notices = JSON.stringify(writeNotices(metafile, root, outfile));
	const whole = text.replace('"__NOTICES__"', () => notices).trimEnd();
	const program = `(function(require,programUrl){${inAscii(whole)}\n})`;
	const hash = createHash('sha256').update(program).digest('hex');
	const launcher = await built(`${root}scripts/launcher.js`, {
		define: {
			BUILD: JSON.stringify(hash.slice(0, 16)),
			KEEP_AFTER: String(keepAfter),
		},
	});
	// A program that starts during the build finds either the old file or the new one.
	const unfinished = `${outfile}.${process.pid}`;
	const comment = program.replaceAll('*/', '*\0/');
	writeFileSync(
		unfinished,
		`#!/usr/bin/env node\n${launcher.text}\nfunction program(){/*${comment}*/}\n`,
	);
	chmodSync(unfinished, 0o755);
	renameSync(unfinished, outfile);
}

/** Because of one other character, such as in a regular expression, V8 would keep two bytes for each one of the program. */
const inAscii = text =>
	text.replace(
		/[^\0-\x7e]/g,
		character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

/**
 * Builds the program when a file in `source/`, or in the folders that it uses besides, is newer than the last build.
 * @param {{ folders?: string[] } & Parameters<typeof buildProgram>[0]} [options]
 */
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
		format: 'cjs',
		legalComments: 'none',
		logLevel: 'warning',
		...options,
	});
	return { text: outputFiles[0].text, metafile };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProgram();

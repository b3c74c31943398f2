// Builds the program into one minified file. React is put in production mode here, because its
// development reconciler is many times slower and keeps what it has drawn for as long as it runs.
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const bundle = `${root}dist/crowsnest.js`;

const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

// Ink reads this package only when DEV is set, which nobody who uses the program does.
const withoutDevtools = {
	name: 'without-devtools',
	setup(build) {
		build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({
			path,
			namespace: 'empty',
		}));
		build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {}' }));
	},
};

export async function buildProgram() {
	mkdirSync(`${root}dist`, { recursive: true });
	await build({
		entryPoints: [`${root}source/main.ts`],
		outfile: bundle,
		bundle: true,
		minify: true,
		platform: 'node',
		target: 'node20.19',
		format: 'esm',
		legalComments: 'none',
		logLevel: 'warning',
		define: { 'process.env.NODE_ENV': '"production"', __VERSION__: JSON.stringify(version) },
		banner: {
			// Some of what is bundled is CommonJS and asks for Node's own modules with require().
			js: [
				'#!/usr/bin/env node',
				"import {createRequire as requireFrom} from 'node:module';",
				'const require = requireFrom(import.meta.url);',
			].join('\n'),
		},
		plugins: [withoutDevtools],
	});
	chmodSync(bundle, 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProgram();

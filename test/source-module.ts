import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type Plugin as BuildPlugin, build } from 'esbuild';
import type { Vite } from 'vitest/node';
import { buildReplacements } from '../replacements/plugins.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'node_modules/.source-module');
const hourMs = 3_600_000;

/** Matches the path of the module, which Node has to load without Vite. */
export const sourceModulePath = /\/node_modules\/\.source-module\//;

/**
 * Creates a plugin that bundles `source/` and Ink into one module before the tests run. For Vitest, each source file
 * is then only a list of what this module exports for it. That takes less time than to transform and load hundreds of
 * files, and one source file uses another directly. In watch mode, Vitest loads the files themselves, because it runs
 * again what imports a changed file.
 */
export async function createSourceModule(replaced: RegExp): Promise<Vite.Plugin> {
	const exportsByFile = await bundle(replaced);
	let isWatching = false;
	const exportsOf = (path: string) => (isWatching ? undefined : exportsByFile.get(path));
	return {
		name: 'source-module',
		enforce: 'pre',
		configureVitest({ vitest, experimental_defineCacheKeyGenerator: nameAfter }) {
			isWatching = vitest.config.watch;
			nameAfter(({ id }) => exportsOf(id));
		},
		load: exportsOf,
	};
}

/** Writes the module, and returns the code that stands for each of its files. */
async function bundle(replaced: RegExp): Promise<Map<string, string>> {
	const files = [
		...readdirSync(join(root, 'source'), { recursive: true, encoding: 'utf8' })
			// The composition root starts the program as soon as it is loaded.
			.filter(name => /(?<!\.d)\.tsx?$/.test(name) && name !== 'main.ts')
			.map(name => join(root, 'source', name)),
		join(root, 'node_modules/ink/build/index.js'),
	];
	const [{ outputFiles }, { metafile }] = await Promise.all([
		build({
			...options,
			stdin: {
				contents: files
					.map((path, i) => `export * as file${i} from ${JSON.stringify(path)};`)
					.join('\n'),
				resolveDir: root,
			},
			bundle: true,
			outfile: join(folder, 'source.mjs'),
			sourcemap: 'inline',
			sourcesContent: false,
			plugins: [withoutPackages(replaced), buildReplacements()],
			// Packages that are not ES modules require Node's own modules.
			banner: {
				js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
			},
		}),
		build({ ...options, entryPoints: files, outdir: folder, metafile: true }),
	]);
	const path = written(outputFiles[0]?.text ?? '');
	const exported = new Map(
		Object.values(metafile.outputs).map(({ entryPoint = '', exports }) => [
			join(root, entryPoint),
			exports,
		]),
	);
	return new Map(
		files.map((file, i) => [
			file,
			[
				`import { file${i} as all } from ${JSON.stringify(path)};`,
				...(exported.get(file) ?? []).map(name =>
					name === 'default'
						? 'export default all.default;'
						: `export const ${name} = all.${name};`,
				),
			].join('\n'),
		]),
	);
}

const options = {
	absWorkingDir: root,
	write: false,
	platform: 'node',
	format: 'esm',
	target: 'node20.19',
	jsx: 'automatic',
	define: { 'process.env.NODE_ENV': '"production"' },
	logLevel: 'warning',
} as const satisfies BuildOptions;

/** Leaves out the packages that are not replaced, so that the source and the tests share one copy of each. */
const withoutPackages = (replaced: RegExp): BuildPlugin => ({
	name: 'without-packages',
	setup(build) {
		build.onResolve({ filter: /^[@\w]/ }, ({ path }) =>
			replaced.test(`/node_modules/${path}/`) ? undefined : { path, external: true },
		);
	},
});

/**
 * Writes the module under a name of its content, so that two runs at once do not change each other's module. Removes
 * the modules that no run has used for an hour.
 */
function written(code: string): string {
	const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
	const path = join(folder, `${hash}.mjs`);
	mkdirSync(folder, { recursive: true });
	const now = Date.now();
	if (existsSync(path)) {
		utimesSync(path, now / 1000, now / 1000);
	} else {
		writeFileSync(`${path}.${process.pid}`, code);
		renameSync(`${path}.${process.pid}`, path);
	}
	for (const name of readdirSync(folder)) {
		const other = join(folder, name);
		const modified = statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? now;
		if (now - modified > hourMs) rmSync(other, { force: true });
	}
	return path;
}

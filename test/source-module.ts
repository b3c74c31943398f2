import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin as BuildPlugin, build } from 'esbuild';
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
	const standIns = await bundle(replaced);
	let isWatching = false;
	const standInOf = (path: string) => (isWatching ? undefined : standIns.get(path));
	return {
		name: 'source-module',
		enforce: 'pre',
		configureVitest({ vitest, experimental_defineCacheKeyGenerator: nameAfter }) {
			isWatching = vitest.config.watch;
			nameAfter(({ id }) => standInOf(id));
		},
		load: standInOf,
	};
}

/** Returns the code that stands for each file of the module. Writes the module first if a file has changed. */
async function bundle(replaced: RegExp): Promise<Map<string, string>> {
	const files = [
		...filesIn('source')
			// The composition root starts the program as soon as it is loaded.
			.filter(path => /(?<!\.d)\.tsx?$/.test(path) && path !== join(root, 'source/main.ts')),
		join(root, 'node_modules/ink/build/index.js'),
	];
	const name = nameFor(replaced);
	const path = join(folder, `${name}.mjs`);
	const exportsPath = join(folder, `${name}.json`);
	mkdirSync(folder, { recursive: true });
	if (existsSync(path) && existsSync(exportsPath)) {
		const now = Date.now() / 1000;
		for (const used of [path, exportsPath]) utimesSync(used, now, now);
	} else {
		write(path, await codeOf(files, replaced));
		const module = await import(path);
		write(exportsPath, JSON.stringify(files.map((_, i) => Object.keys(module[`file${i}`]))));
	}
	removeUnused();
	const exported: string[][] = JSON.parse(readFileSync(exportsPath, 'utf8'));
	return new Map(
		files.map((file, i) => [
			file,
			[
				`import { file${i} as all } from ${JSON.stringify(path)};`,
				...(exported[i] ?? []).map(name =>
					name === 'default'
						? 'export default all.default;'
						: `export const ${name} = all.${name};`,
				),
			].join('\n'),
		]),
	);
}

/** Names the module by all that it is made of, so that two runs at once do not change each other's module. */
function nameFor(replaced: RegExp): string {
	const hash = createHash('sha256').update(replaced.source);
	const used = ['package-lock.json', 'test/source-module.ts'].map(name => join(root, name));
	for (const path of [...filesIn('source'), ...filesIn('replacements'), ...used]) {
		hash.update(path).update('\0').update(readFileSync(path)).update('\0');
	}
	return hash.digest('hex').slice(0, 16);
}

const filesIn = (name: string) =>
	readdirSync(join(root, name), { recursive: true, withFileTypes: true })
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name))
		.sort();

async function codeOf(files: string[], replaced: RegExp): Promise<string> {
	const { outputFiles } = await build({
		absWorkingDir: root,
		stdin: {
			contents: files
				.map((path, i) => `export * as file${i} from ${JSON.stringify(path)};`)
				.join('\n'),
			resolveDir: root,
		},
		bundle: true,
		write: false,
		platform: 'node',
		format: 'esm',
		target: 'node20.19',
		jsx: 'automatic',
		define: { 'process.env.NODE_ENV': '"production"' },
		logLevel: 'warning',
		outfile: join(folder, 'source.mjs'),
		sourcemap: 'inline',
		sourcesContent: false,
		plugins: [withoutPackages(replaced), buildReplacements()],
		// Packages that are not ES modules require Node's own modules.
		banner: {
			js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
		},
	});
	return outputFiles[0]?.text ?? '';
}

/** Leaves out the packages that are not replaced, so that the source and the tests share one copy of each. */
const withoutPackages = (replaced: RegExp): BuildPlugin => ({
	name: 'without-packages',
	setup(build) {
		build.onResolve({ filter: /^[@\w]/ }, ({ path }) =>
			replaced.test(`/node_modules/${path}/`) ? undefined : { path, external: true },
		);
	},
});

/** Writes a file whole, because another run may read it meanwhile. */
function write(path: string, text: string): void {
	writeFileSync(`${path}.${process.pid}`, text);
	renameSync(`${path}.${process.pid}`, path);
}

/** Removes the modules that no run has used for an hour. */
function removeUnused(): void {
	const now = Date.now();
	for (const name of readdirSync(folder)) {
		const path = join(folder, name);
		const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
		if (now - modified > hourMs) rmSync(path, { force: true });
	}
}

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { replacements as all } from './all.js';

/**
 * `files` turn the original source of a file, by its path below node_modules, into the replaced one; `aliases` name the
 * modules that stand for whole packages.
 * @typedef {{ name: string, reason: string, packages: Record<string, string>,
 * 	files?: Record<string, (source: string) => string>, aliases?: Record<string, string> }} Replacement
 */

const installed = fileURLToPath(new URL('../node_modules/', import.meta.url));

/**
 * Returns a function that maps the path of a file to its replacement. If several replacements change the same file, each
 * gets the text that the one before it has made. Throws at once, with the name of the replacement, if a package has
 * another version than the replacement was written for.
 * @param {readonly Replacement[]} [replacements]
 * @returns {(path: string) => string | undefined}
 */
export function createReplacer(replacements = all, modules = installed) {
	const byPath = new Map();
	for (const replacement of replacements) {
		checkVersions(replacement, modules);
		for (const [file, edit] of Object.entries(replacement.files ?? {})) {
			const path = `${modules}${file}`;
			if (!existsSync(path)) throw new Error(`${misfitMessage(replacement)}: there is no ${path}`);
			byPath.set(path, [...(byPath.get(path) ?? []), { replacement, edit }]);
		}
	}

	return path => {
		return byPath.get(path)?.reduce(
			(source, { replacement, edit }) => {
				try {
					return edit(source);
				} catch (error) {
					throw new Error(`${misfitMessage(replacement)}: ${path} ${error.message}`);
				}
			},
			readFileSync(path, 'utf8'),
		);
	};
}

/** @type {Record<string, string>} The modules that stand for whole packages, by the names of the packages. */
export const aliases = Object.assign({}, ...all.map(replacement => replacement.aliases));

const misfitMessage = ({ name }) => `The replacement ${name} does not fit`;

function checkVersions({ name, packages }, modules) {
	for (const [packageName, wantedVersion] of Object.entries(packages)) {
		const path = `${modules}${packageName}/package.json`;
		const version = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : 'none';
		if (version === wantedVersion) continue;
		throw new Error(
			`The replacement ${name} is written for ${packageName} ${wantedVersion}, and ${version} is installed. ` +
				`Compare the two, then adapt replacements/${name}.js.`,
		);
	}
}

/** Creates the plugin that applies the replacements in esbuild. */
export function buildReplacements(replacementOf = createReplacer(), filter = /\/node_modules\//) {
	return {
		name: 'replacements',
		setup(build) {
			build.initialOptions.alias = { ...build.initialOptions.alias, ...aliases };
			build.onLoad({ filter }, ({ path }) => {
				const contents = replacementOf(path);
				return contents === undefined ? undefined : { contents, loader: 'js' };
			});
		},
	};
}

/**
 * Creates the plugin that applies the replacements in Vite, which loads the tests. The plugin also loads the
 * other files of the dependencies without their source maps: those point to files that are not in the
 * packages, and Vite would warn about each.
 */
export function testReplacements() {
	const replacementOf = createReplacer();
	return {
		name: 'replacements',
		enforce: 'pre',
		config: () => ({ resolve: { alias: aliases } }),
		// Vitest's cache is named after the file on disk and would not notice a changed replacement.
		configureVitest({ experimental_defineCacheKeyGenerator: nameAfter }) {
			nameAfter(({ id }) => replacementOf(id.split('?')[0]));
		},
		load(id) {
			const [path] = id.split('?');
			if (!path.startsWith(installed)) return undefined;
			return (
				replacementOf(path) ??
				readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/gm, '')
			);
		},
	};
}

import type { Plugin as BuildPlugin } from 'esbuild';
import type { Plugin } from 'vite';

export type Replacement = {
	/** The name of the file that defines the replacement, without `.js`. */
	name: string;
	reason: string;
	/** The version of each package that the replacement is written for. */
	packages: Record<string, string>;
	/**
	 * Functions that turn the original source of a file into the replaced one, by the file's path below
	 * node_modules.
	 */
	files?: Record<string, (source: string) => string>;
	/** The paths of modules that stand for whole packages, by the names of the packages. */
	aliases?: Record<string, string>;
};

export const aliases: Readonly<Record<string, string>>;

export function createReplacer(
	replacements?: readonly Replacement[],
	modules?: string,
): (path: string) => string | undefined;

export function buildReplacements(
	replacementOf?: (path: string) => string | undefined,
	filter?: RegExp,
): BuildPlugin;

export function testReplacements(): Plugin;

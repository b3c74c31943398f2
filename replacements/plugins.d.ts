import type { Plugin as BuildPlugin } from 'esbuild';
import type { Plugin } from 'vite';

export type Replacement = {
	/** The name of the file that defines the replacement, without `.js`. */
	name: string;
	reason: string;
	/** The measured saving in time, memory or bytes. */
	gain: string;
	/** The issue in the dependency's repository, or the reason why there is none. */
	upstream: string;
	/** The version of each package that the replacement is written for. */
	packages: Record<string, string>;
	/**
	 * Functions that turn the original source of a file into the replaced one, by the file's path below
	 * node_modules.
	 */
	files: Record<string, (source: string) => string>;
};

export function createReplacer(
	replacements?: readonly Replacement[],
	modules?: string,
): (path: string) => string | undefined;

export function buildReplacements(
	replacementOf?: (path: string) => string | undefined,
	filter?: RegExp,
): BuildPlugin;

export function testReplacements(): Plugin;

import type { Plugin as BuildPlugin } from 'esbuild';
import type { Plugin } from 'vite';

export type Replacement = {
	/** The name of its file. */
	name: string;
	reason: string;
	/** What it was measured to save. */
	gain: string;
	/** The issue upstream, or why there is none. */
	upstream: string;
	/** The version of each package that it is written for. */
	packages: Record<string, string>;
	/** What makes the replaced source of the original one, by its path below node_modules. */
	files: Record<string, (source: string) => string>;
};

export function createReplacer(
	replacements?: readonly Replacement[],
	modules?: string,
): (path: string) => string | undefined;

export function buildReplacements(
	replacedAt?: (path: string) => string | undefined,
	filter?: RegExp,
): BuildPlugin;

export function testReplacements(): Plugin;

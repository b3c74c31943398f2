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

export function createReplacing(
	replacements?: readonly Replacement[],
	modules?: string,
): (path: string) => string | undefined;

export function replacingInBuild(
	replacedAt?: (path: string) => string | undefined,
	filter?: RegExp,
): BuildPlugin;

export function replacingInTests(): Plugin;

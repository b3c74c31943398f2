import { fileURLToPath } from 'node:url';

/** The folder of the code that several replacements import, with a slash at the end. */
export const terminalOutputFolder = fileURLToPath(
	new URL('../source/terminal/output/', import.meta.url),
);

/** The folder of the layout that replaces Yoga, with a slash at the end. */
export const terminalLayoutFolder = fileURLToPath(
	new URL('../source/terminal/layout/', import.meta.url),
);

/**
 * Replaces the matches of a pattern. Throws if there are none, because a replacement that no longer fits must
 * fail the build.
 */
export function replaceOnce(source, pattern, replacement) {
	const replaced = source.replace(pattern, replacement);
	if (replaced === source) throw new Error(`does not contain ${pattern}`);
	return replaced;
}

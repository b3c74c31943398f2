import { fileURLToPath } from 'node:url';

/** Where the code lies that several replacements import, with a slash at its end. */
export const terminalFolder = fileURLToPath(new URL('../source/terminal/', import.meta.url));

/** Replaces what must be there: a replacement that no longer fits has to fail, not to do nothing. */
export function replaceOnce(source, pattern, replacement) {
	const replaced = source.replace(pattern, replacement);
	if (replaced === source) throw new Error(`does not contain ${pattern}`);
	return replaced;
}

/** Makes the segmenter of a module when it is first used, and not when the module is loaded. */
export const withLateSegmenter = source =>
	replaceOnce(
		source,
		/const (\w+) = new Intl\.Segmenter\(([^)]*)\);/,
		'let made; const $1 = { segment: text => (made ??= new Intl.Segmenter($2)).segment(text) };',
	);

import { createFailure, PlatformError } from './platform-error.ts';

/**
 * Encodes an id as a single segment of a path. Throws for `.` and `..`, which no encoding protects: deleting
 * the computer `..` would send DELETE to the address of all computers.
 */
export function pathSegment(text: string): string {
	if (isPathSegment(text)) return encodeURIComponent(text);
	throw new PlatformError(createFailure('invalid', 'the id would change the path of the request'));
}

/** Whether a text, once encoded, is exactly one segment of a path. */
export function isPathSegment(text: string): boolean {
	// Most ids match this pattern, which avoids the slow parsing of a URL.
	if (/^[\w-]+$/.test(text)) return true;
	// A lone surrogate cannot be encoded.
	if (text === '' || /\p{Cs}/u.test(text)) return false;
	const path = `/one/${encodeURIComponent(text)}/two`;
	return new URL(path, 'https://platform.invalid').pathname === path;
}

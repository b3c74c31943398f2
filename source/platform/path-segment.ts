import { failureOf, PlatformError } from './platform-error.ts';

/**
 * One part of a path, encoded. `.` and `..` are refused: no encoding keeps them, so a delete of the
 * computer `..` would go to the address of all computers.
 */
export function pathSegment(text: string): string {
	if (isPathSegment(text)) return encodeURIComponent(text);
	throw new PlatformError(failureOf('invalid', 'the id would lead to another address'));
}

/** Whether it can stand in a path as exactly one part of it. */
export function isPathSegment(text: string): boolean {
	// Most ids need no look at what a URL makes of them.
	if (/^[\w-]+$/.test(text)) return true;
	// Half a surrogate pair cannot be encoded.
	if (text === '' || /\p{Cs}/u.test(text)) return false;
	const path = `/one/${encodeURIComponent(text)}/two`;
	return new URL(path, 'https://platform.invalid').pathname === path;
}

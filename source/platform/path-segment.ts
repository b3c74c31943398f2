import { failureOf, PlatformError } from './platform-error.ts';

/**
 * Encodes an id as one segment of a path. It refuses `.` and `..`: no encoding protects them, and deleting the
 * computer `..` would send the request to the address of all computers.
 */
export function pathSegment(text: string): string {
	if (isPathSegment(text)) return encodeURIComponent(text);
	throw new PlatformError(failureOf('invalid', 'the id would change the path of the request'));
}

/** Whether a text can be exactly one segment of a path. */
export function isPathSegment(text: string): boolean {
	// A shortcut for most ids, because parsing a URL is slow.
	if (/^[\w-]+$/.test(text)) return true;
	// Half a surrogate pair cannot be encoded.
	if (text === '' || /\p{Cs}/u.test(text)) return false;
	const path = `/one/${encodeURIComponent(text)}/two`;
	return new URL(path, 'https://platform.invalid').pathname === path;
}

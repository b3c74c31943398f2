import { createHash } from 'node:crypto';

/**
 * A short hash of a text that does not reveal the text and is valid in a file name. Changing the hash would
 * lose the files on disk that are named with it.
 */
export const shortHash = (text: string, length = 16): string =>
	createHash('sha256').update(text).digest('hex').slice(0, length);

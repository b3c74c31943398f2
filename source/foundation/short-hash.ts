import { createHash } from 'node:crypto';

/** Do not change the hash: files on disk are named with it. */
export const shortHash = (text: string, length = 16): string =>
	createHash('sha256').update(text).digest('hex').slice(0, length);

import { createHash } from 'node:crypto';

/** A short name for a text that does not reveal it, fit for a file name. Names on disk depend on it. */
export const shortHash = (text: string, length = 16): string =>
	createHash('sha256').update(text).digest('hex').slice(0, length);

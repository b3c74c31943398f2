/**
 * The version of the file formats in this folder. Each line of the journal and of the credits begins with it,
 * and so does the first line of a snapshot, so that every later version recognises it. Lines without a version
 * are ignored.
 */
export const fileVersion = 1;

const versionPattern = /^\{"version":(\d{1,9})[,}]/;

/** Returns the version of a line; 0 for a line without one. */
export function versionOf(line: string): number {
	return Number(versionPattern.exec(line)?.[1] ?? 0);
}

export const isOfNewerVersion = (line: string): boolean => versionOf(line) > fileVersion;

/**
 * Thrown instead of writing to files of a later version, because writing could lose data that this version does
 * not understand.
 */
export class NewerVersionError extends Error {
	constructor(path: string) {
		super(`${path} was written by a newer version of crowsnest and is left alone`);
	}
}

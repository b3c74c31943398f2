/**
 * The version of the file formats in this folder. Each line of the journal and of the credits begins with it,
 * and so does the first line of a snapshot, so that every later version recognises it. Lines without a version
 * come from early releases.
 */
export const fileVersion = 1;

const versionPattern = /^\{"version":(\d{1,9})[,}]/;

/** Returns the version of a line, which is 0 for a line of an early release. */
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

/**
 * Identifies lines without a version, which name the profile instead of the account. The name may have stood
 * for another account earlier, so only lines since the time `since` count.
 */
export type UnversionedLines = { profileName: string; since: number };

/** The account whose lines are read, and the lines without a version that belong to it. */
export type LinesOwner = { account: string; unversionedLines?: UnversionedLines | undefined };

/** Whether a line with this version, account and time belongs to the owner. */
export function lineBelongsTo(
	owner: LinesOwner,
	line: { version: number; account: string; at: number },
): boolean {
	if (line.version > 0) return line.account === owner.account;
	const { unversionedLines } = owner;
	return (
		unversionedLines !== undefined &&
		line.account === unversionedLines.profileName &&
		line.at >= unversionedLines.since
	);
}

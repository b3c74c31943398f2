/**
 * The version of the file formats in this folder. Each line of the journal and of the credits begins with it,
 * and so does the first line of a snapshot, so that every later version recognises it. Lines without a version
 * come from early releases.
 */
export const version = 1;

const stamp = /^\{"version":(\d{1,9})[,}]/;

/** Returns 0 for a line without a version. */
export function versionOf(line: string): number {
	return Number(stamp.exec(line)?.[1] ?? 0);
}

export const isNewer = (line: string): boolean => versionOf(line) > version;

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
export type UnversionedNotes = { name: string; since: number };

/** The account whose lines are read, and the lines without a version that belong to it. */
export type NotesOwner = { account: string; earlier?: UnversionedNotes | undefined };

/** Whether a line with this version, account and time belongs to the owner. */
export function belongsTo(
	owner: NotesOwner,
	note: { version: number; account: string; at: number },
): boolean {
	if (note.version > 0) return note.account === owner.account;
	const { earlier } = owner;
	return earlier !== undefined && note.account === earlier.name && note.at >= earlier.since;
}

/**
 * The version of the files in this folder. It begins each line of the journal and of the credits, and the first
 * line of a snapshot, so that a later version is recognised whatever else it changes. Lines without a version
 * were written before there were versions.
 */
export const version = 1;

const stamp = /^\{"version":(\d{1,9})[,}]/;

/** 0 for a line from before there were versions. */
export function versionOf(line: string): number {
	return Number(stamp.exec(line)?.[1] ?? 0);
}

export const isNewer = (line: string): boolean => versionOf(line) > version;

/** Nothing is written to the files of a later version, because that could lose what this version does not know. */
export class NewerVersionError extends Error {
	constructor(path: string) {
		super(`${path} was written by a newer version of crowsnest and is left alone`);
	}
}

/**
 * Notes under a profile's name, from before there were versions. The name may have stood for another account
 * earlier, so only notes since `since` count.
 */
export type UnversionedNotes = { name: string; since: number };

/** The account that notes belong to. */
export type NotesOwner = { account: string; earlier?: UnversionedNotes | undefined };

/** Whether a note of this version, name and time belongs to the owner. */
export function belongsTo(
	owner: NotesOwner,
	note: { version: number; account: string; at: number },
): boolean {
	if (note.version > 0) return note.account === owner.account;
	const { earlier } = owner;
	return earlier !== undefined && note.account === earlier.name && note.at >= earlier.since;
}

/**
 * The version of everything in this folder: each line of the journal and of the credits, and the first
 * line of a snapshot. It stands first in its line, so that a later version is recognised whatever it
 * changes behind it. Lines without one were written before there were versions.
 */
export const version = 1;

const stamp = /^\{"version":(\d{1,9})[,}]/;

/** 0 for a line from before there were versions. */
export function versionOf(line: string): number {
	return Number(stamp.exec(line)?.[1] ?? 0);
}

export const isNewer = (line: string): boolean => versionOf(line) > version;

/** A later version may keep what this one would lose, so nothing is added to its files. */
export class NewerVersionError extends Error {
	constructor(path: string) {
		super(`${path} was written by a newer version of crowsnest and is left alone`);
	}
}

/**
 * What was kept under a profile's name before there were versions. A name does not say whose it is, so
 * only what is at least as new as `since` counts: from then on, all of it is this account's.
 */
export type UnversionedNotes = { name: string; since: number };

/** Whose notes are wanted. */
export type NotesOwner = { account: string; earlier?: UnversionedNotes | undefined };

/** Whether a note with this label and time, in a line of this version, is the owner's. */
export function belongsTo(
	owner: NotesOwner,
	note: { version: number; account: string; at: number },
): boolean {
	if (note.version > 0) return note.account === owner.account;
	const { earlier } = owner;
	return earlier !== undefined && note.account === earlier.name && note.at >= earlier.since;
}

import * as nodeFiles from 'node:fs';
import { join } from 'node:path';
import { privateFlags } from '../accounts/private-file.ts';
import { hasCode } from '../foundation/error.ts';
import { makeFolder } from '../foundation/make-folder.ts';

// The ledger of an account is one numbered file, such as `pace-1f.7`. When that file has grown long, it is
// sealed, and the ledger continues in the next one, which begins with the current state:
//
//   pace-1f.6   take done take done … sealed        kept until there is a .8
//   pace-1f.7   carried carried carried take done   in use: the highest number
//   pace-1f.<pid>-<random>.draft                    becomes .8 by a link, which only one process can make
//
// A file is never replaced, so a process that still appends to an old file finds the seal and moves on.

/** The functions of node:fs that the ledger uses. */
export type LedgerFs = Pick<
	typeof nodeFiles,
	| 'closeSync'
	| 'fdatasyncSync'
	| 'fstatSync'
	| 'linkSync'
	| 'mkdirSync'
	| 'openSync'
	| 'readdirSync'
	| 'readSync'
	| 'renameSync'
	| 'unlinkSync'
	| 'writeSync'
>;

type LedgerRotation = {
	/** Returns the number of the file in use; 0 if there is no file. */
	newestGeneration(): number;
	/** Opens a file for reading and appending; returns undefined if the file does not exist. */
	open(generation: number): number | undefined;
	/** Creates a file unless another process has just created it, and removes older files. */
	create(generation: number, text: string): void;
	/** Renames an unreadable file, so that a person can examine it later. */
	setAside(generation: number): void;
};

const { O_APPEND, O_RDWR } = nodeFiles.constants;

export function createLedgerRotation(
	files: LedgerFs,
	{ directory, baseName, writerId }: { directory: string; baseName: string; writerId: string },
): LedgerRotation {
	const pathOf = (suffix: number | string) => join(directory, `${baseName}.${suffix}`);

	const suffixes = () =>
		files
			.readdirSync(directory)
			.filter(file => file.startsWith(`${baseName}.`))
			.map(file => file.slice(baseName.length + 1));

	const generations = () =>
		suffixes()
			.filter(suffix => /^\d+$/.test(suffix))
			.map(Number);

	/** A link makes the complete file appear at once. A rename could replace the file of a faster process. */
	function createByLink(generation: number, text: string) {
		const draft = pathOf(`${writerId}.draft`);
		const descriptor = files.openSync(draft, 'w', 0o600);
		try {
			if (files.writeSync(descriptor, text) < text.length) throw new Error('The disk is full');
			files.fdatasyncSync(descriptor);
		} finally {
			files.closeSync(descriptor);
		}
		// Either error means that another process was faster: it created the file, and removed all drafts.
		undefinedIfFailedWith(['EEXIST', 'ENOENT'], () => files.linkSync(draft, pathOf(generation)));
	}

	const remove = (suffix: number | string) =>
		undefinedIfFailedWith(['ENOENT'], () => files.unlinkSync(pathOf(suffix)));

	return {
		newestGeneration() {
			makeFolder(directory, files.mkdirSync);
			return Math.max(0, ...generations());
		},
		open: generation =>
			undefinedIfFailedWith(['ENOENT'], () =>
				files.openSync(pathOf(generation), O_RDWR | O_APPEND | privateFlags),
			),
		create(generation, text) {
			createByLink(generation, text);
			// The previous file stays, so that a process that is listing the directory finds at least one of the
			// two.
			for (const olderGeneration of generations())
				if (olderGeneration < generation - 1) remove(olderGeneration);
			for (const suffix of suffixes()) if (suffix.endsWith('.draft')) remove(suffix);
		},
		setAside: generation =>
			undefinedIfFailedWith(['ENOENT'], () =>
				files.renameSync(pathOf(generation), pathOf(`${generation}.broken`)),
			),
	};
}

/** Runs a file operation; returns undefined if it fails with one of these codes. */
export function undefinedIfFailedWith<T>(
	codes: readonly string[],
	operation: () => T,
): T | undefined {
	try {
		return operation();
	} catch (error) {
		if (hasCode(error, ...codes)) return undefined;
		throw error;
	}
}

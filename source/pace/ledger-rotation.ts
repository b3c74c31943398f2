import * as nodeFiles from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../fleet/error.ts';

// The ledger of an account is one numbered file, such as `pace-1f.7`. When that file has grown long, it is
// sealed, and the ledger continues in the next one, which begins with the current state:
//
//   pace-1f.6   take done take done … sealed        kept until there is a .8
//   pace-1f.7   carried carried carried take done   in use: the highest number
//   pace-1f.<pid>-<random>.draft                    becomes .8 by a link, which only one process can make
//
// A file is never replaced, so a process that still appends to an old one can tell that it is too late.

/** What the ledger needs of node:fs. */
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

export type LedgerRotation = {
	/** The number of the file in use; 0 if there is none. */
	newest(): number;
	/** A descriptor for reading and appending; undefined if the file is gone. */
	open(generation: number): number | undefined;
	/** Creates this file unless another process just did, and removes old ones. */
	create(generation: number, text: string): void;
	/** Renames a file that cannot be read, so that it can be examined later. */
	setAside(generation: number): void;
};

const { O_APPEND, O_RDWR } = nodeFiles.constants;

export function createLedgerRotation(
	files: LedgerFs,
	{ directory, name, writer }: { directory: string; name: string; writer: string },
): LedgerRotation {
	const pathOf = (ending: number | string) => join(directory, `${name}.${ending}`);

	const endings = () =>
		files
			.readdirSync(directory)
			.filter(file => file.startsWith(`${name}.`))
			.map(file => file.slice(name.length + 1));

	const numbers = () =>
		endings()
			.filter(ending => /^\d+$/.test(ending))
			.map(Number);

	/** Makes the complete file appear at once. A rename would replace the file of a faster process. */
	function linkWhole(generation: number, text: string) {
		const draft = pathOf(`${writer}.draft`);
		const descriptor = files.openSync(draft, 'w', 0o600);
		try {
			if (files.writeSync(descriptor, text) < text.length) throw new Error('The disk is full');
			files.fdatasyncSync(descriptor);
		} finally {
			files.closeSync(descriptor);
		}
		// Either error means that another process was faster: it made the file, and removed all drafts.
		ignoring(['EEXIST', 'ENOENT'], () => files.linkSync(draft, pathOf(generation)));
	}

	const remove = (ending: number | string) =>
		ignoring(['ENOENT'], () => files.unlinkSync(pathOf(ending)));

	return {
		newest() {
			files.mkdirSync(directory, { recursive: true, mode: 0o700 });
			return Math.max(0, ...numbers());
		},
		open: generation =>
			ignoring(['ENOENT'], () => files.openSync(pathOf(generation), O_RDWR | O_APPEND)),
		create(generation, text) {
			linkWhole(generation, text);
			// The previous file stays, so that a process that lists the directory meanwhile finds one of the two.
			for (const old of numbers()) if (old < generation - 1) remove(old);
			for (const ending of endings()) if (ending.endsWith('.draft')) remove(ending);
		},
		setAside: generation =>
			ignoring(['ENOENT'], () =>
				files.renameSync(pathOf(generation), pathOf(`${generation}.broken`)),
			),
	};
}

/** The result of a file operation; undefined if it failed with one of these codes. */
export function ignoring<T>(codes: readonly string[], operation: () => T): T | undefined {
	try {
		return operation();
	} catch (error) {
		if (hasCode(error, ...codes)) return undefined;
		throw error;
	}
}

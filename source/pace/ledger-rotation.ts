import * as nodeFiles from 'node:fs';
import { join } from 'node:path';

// One account's ledger is one file, NAME.7 say. When it has grown long it is sealed and goes on,
// shortened, in NAME.8. Nobody ever replaces a file: the next generation is linked into place whole,
// which only one process can do, and the highest number is the one in use.

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
	/** The number in use; 0 when there is none. */
	newest(): number;
	/** A descriptor for reading and appending; nothing, when it is gone already. */
	open(generation: number): number | undefined;
	/** Makes this generation, unless another process just did, and clears old ones away. */
	create(generation: number, text: string): void;
	/** Keeps a file that cannot be read under another name, for whoever wants to know why. */
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

	/** Makes a whole file appear at once, or not at all. */
	function linkWhole(generation: number, text: string) {
		const draft = pathOf(`${writer}.draft`);
		const descriptor = files.openSync(draft, 'w', 0o600);
		try {
			if (files.writeSync(descriptor, text) < text.length) throw new Error('The disk is full');
			files.fdatasyncSync(descriptor);
		} finally {
			files.closeSync(descriptor);
		}
		// Already there, or its maker has cleared all drafts away: either way another one was faster.
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
			// The one before stays, so that whoever lists the directory meanwhile finds one of the two.
			for (const old of numbers()) if (old < generation - 1) remove(old);
			for (const ending of endings()) if (ending.endsWith('.draft')) remove(ending);
		},
		setAside: generation =>
			ignoring(['ENOENT'], () =>
				files.renameSync(pathOf(generation), pathOf(`${generation}.broken`)),
			),
	};
}

export function ignoring<T>(codes: readonly string[], attempt: () => T): T | undefined {
	try {
		return attempt();
	} catch (error) {
		if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) {
			return undefined;
		}
		throw error;
	}
}

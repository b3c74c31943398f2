import type { Stats } from 'node:fs';
import { basename } from 'node:path';
import type { LedgerFs } from '../../source/pace/ledger-rotation.ts';

type Inode = { text: string; nlink: number };

const failure = (code: string) => Object.assign(new Error(code), { code });

/**
 * Imitates the calls to the disk that the ledger makes, for tests that repeat them thousands of times. The files
 * are text in memory, in one folder. As on a disk, a removed file stays readable for a process that has it open, and
 * a link fails if its name exists.
 */
export function createMemoryFiles() {
	const inodes = new Map<string, Inode>();
	const open = new Map<number, Inode>();
	let descriptors = 0;

	function inodeAt(path: unknown): Inode {
		const inode = inodes.get(String(path));
		if (!inode) throw failure('ENOENT');
		return inode;
	}

	function opened(descriptor: unknown): Inode {
		const inode = open.get(Number(descriptor));
		if (!inode) throw failure('EBADF');
		return inode;
	}

	function unlinkSync(path: unknown) {
		inodeAt(path).nlink -= 1;
		inodes.delete(String(path));
	}

	const files = {
		closeSync(descriptor: unknown) {
			opened(descriptor);
			open.delete(Number(descriptor));
		},
		fdatasyncSync: opened,
		fstatSync(descriptor: unknown): Pick<Stats, 'size' | 'nlink' | 'isFile'> {
			const { text, nlink } = opened(descriptor);
			return { size: text.length, nlink, isFile: () => true };
		},
		linkSync(from: unknown, to: unknown) {
			const inode = inodeAt(from);
			if (inodes.has(String(to))) throw failure('EEXIST');
			inode.nlink += 1;
			inodes.set(String(to), inode);
		},
		mkdirSync: () => undefined,
		openSync(path: unknown, flags: unknown) {
			if (flags === 'w') inodes.set(String(path), { text: '', nlink: 1 });
			descriptors += 1;
			open.set(descriptors, inodeAt(path));
			return descriptors;
		},
		readdirSync: () => [...inodes.keys()].map(path => basename(path)),
		readSync(descriptor: unknown, buffer: Buffer, start: number, length: number, from: number) {
			const part = opened(descriptor).text.slice(from, from + length);
			return buffer.write(part, start, 'latin1');
		},
		renameSync(from: unknown, to: unknown) {
			const inode = inodeAt(from);
			inodes.delete(String(from));
			inodes.set(String(to), inode);
		},
		unlinkSync,
		/** Writes always append, because the ledger opens files only for appending, or creates them empty. */
		writeSync(descriptor: unknown, text: string) {
			opened(descriptor).text += text;
			return text.length;
		},
	} satisfies Record<keyof LedgerFs, unknown>;
	return files as unknown as LedgerFs;
}

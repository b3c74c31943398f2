import { Buffer } from 'node:buffer';
import {
	closeSync,
	constants,
	fdatasyncSync,
	fstatSync,
	readdirSync,
	readSync,
	unlinkSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeStateFolder, openFile, undefinedIfMissing } from '../accounts/private-file.ts';

export type RequestFiles = ReturnType<typeof openRequestFiles>;

const maxFileBytes = 8_000_000;

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;

/** A file is opened for each call, because a network file system shows what another machine wrote only then. */
export function openRequestFiles(folder: string) {
	function withFile<T>(name: string, flags: number, use: (file: number, size: number) => T): T {
		const path = join(folder, name);
		const { file, stats } = openFile(path, flags | O_NOFOLLOW);
		try {
			if (stats.size > maxFileBytes) throw new Error(`${path} is too large`);
			return use(file, stats.size);
		} finally {
			closeSync(file);
		}
	}

	return {
		names: (): readonly string[] => undefinedIfMissing(() => readdirSync(folder)) ?? [],
		read: (name: string, from: number) =>
			undefinedIfMissing(() =>
				withFile(name, O_RDONLY, (file, size) => {
					const bytes = Buffer.alloc(Math.max(0, size - from));
					const count = bytes.length && readSync(file, bytes, 0, bytes.length, from);
					const text = bytes.toString('latin1', 0, count);
					return { text, size, writtenAt: fstatSync(file).mtimeMs };
				}),
			),
		append(name: string, text: string, isSynced: boolean) {
			makeStateFolder(folder);
			withFile(name, O_WRONLY | O_APPEND | O_CREAT, file => {
				// One call to the system, so that the lines of several processes do not mix.
				if (writeSync(file, text) < text.length) throw new Error('the disk is full');
				if (isSynced) fdatasyncSync(file);
			});
		},
		remove(name: string) {
			undefinedIfMissing(() => unlinkSync(join(folder, name)));
		},
	};
}

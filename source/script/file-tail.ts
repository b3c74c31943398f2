import { type FileHandle, open, stat } from 'node:fs/promises';

export type FileTail = {
	/** The whole lines that were added since the last time. */
	newLines(): Promise<readonly string[]>;
	close(): Promise<void>;
};

/**
 * Follows a file from its present end, and the next one when it has become an older one. It is kept open:
 * what was added before it was renamed is still read.
 */
export async function tailFile(path: string): Promise<FileTail> {
	let file = await open(path, 'r').catch(() => undefined);
	let read = (await file?.stat())?.size ?? 0;

	async function rest(): Promise<string> {
		const length = ((await file?.stat())?.size ?? 0) - read;
		if (!file || length <= 0) return '';
		const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, read);
		// Half of a letter, or of a line, is read again when the whole is there.
		const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
		read += end;
		return buffer.toString('utf8', 0, end);
	}

	async function next(): Promise<string> {
		const older = await rest();
		await file?.close();
		file = await open(path, 'r').catch(() => undefined);
		read = 0;
		return older + (await rest());
	}

	return {
		async newLines() {
			let text = await rest();
			if (await isAnother(path, file)) text += await next();
			return text.split('\n').filter(line => line !== '');
		},
		async close() {
			await file?.close();
			file = undefined;
		},
	};
}

async function isAnother(path: string, file: FileHandle | undefined): Promise<boolean> {
	const now = await stat(path).catch(() => undefined);
	return now !== undefined && now.ino !== (await file?.stat())?.ino;
}

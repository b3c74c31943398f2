import { type FileHandle, open, stat } from 'node:fs/promises';

type FileTail = {
	/** Returns the complete lines that were added to the file since the last call. */
	readNewLines(): Promise<readonly string[]>;
	close(): Promise<void>;
};

/**
 * Follows a file from its current end. When another file takes its place, the rest of the old file is read
 * first, and then the new file from its start.
 */
export async function tailFile(path: string): Promise<FileTail> {
	let file = await open(path, 'r').catch(() => undefined);
	let position = (await file?.stat())?.size ?? 0;

	async function readRest(): Promise<string> {
		const length = ((await file?.stat())?.size ?? 0) - position;
		if (!file || length <= 0) return '';
		const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
		// The position stays at the end of the last complete line, so that the next call reads the incomplete
		// line again.
		const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
		position += end;
		return buffer.toString('utf8', 0, end);
	}

	async function readNextFile(): Promise<string> {
		const older = await readRest();
		await file?.close();
		file = await open(path, 'r').catch(() => undefined);
		position = 0;
		return older + (await readRest());
	}

	return {
		async readNewLines() {
			let text = await readRest();
			if (await hasBeenRotated(path, file)) text += await readNextFile();
			return text.split('\n').filter(line => line !== '');
		},
		async close() {
			await file?.close();
			file = undefined;
		},
	};
}

async function hasBeenRotated(path: string, file: FileHandle | undefined): Promise<boolean> {
	const now = await stat(path).catch(() => undefined);
	return now !== undefined && now.ino !== (await file?.stat())?.ino;
}

import { open, stat } from 'node:fs/promises';

/** Gives the whole lines that were added to a file since the last time, and since it was made. */
export async function createTail(path: string): Promise<() => Promise<readonly string[]>> {
	let read = await sizeOf(path);
	let begun = '';

	return async () => {
		const size = await sizeOf(path);
		// It has become an older file, and this is a new one.
		if (size < read) {
			read = 0;
			begun = '';
		}
		if (size === read) return [];
		const lines = (begun + (await textOf(path, read, size - read))).split('\n');
		read = size;
		begun = lines.pop() ?? '';
		return lines.filter(line => line !== '');
	};
}

async function sizeOf(path: string): Promise<number> {
	return (await stat(path).catch(() => undefined))?.size ?? 0;
}

async function textOf(path: string, from: number, length: number): Promise<string> {
	const file = await open(path, 'r');
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
		return buffer.toString('utf8', 0, bytesRead);
	} finally {
		await file.close();
	}
}

import { appendFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tailFile } from '../../source/journal/other-runs.ts';

async function opened(first?: string) {
	const folder = await mkdtemp(join(tmpdir(), 'crowsnest-tail-'));
	const path = join(folder, 'journal.jsonl');
	if (first !== undefined) await appendFile(path, first);
	const tail = tailFile(path);
	onTestFinished(async () => {
		await tail.close();
		await rm(folder, { recursive: true });
	});
	return { path, tail };
}

test('tailing a file returns each added line once, when the line is complete', async () => {
	const { path, tail } = await opened('old\n');
	expect(await tail.readNewLines()).toEqual([]);
	await appendFile(path, 'one\ntwo\nthr');
	expect(await tail.readNewLines()).toEqual(['one', 'two']);
	expect(await tail.readNewLines()).toEqual([]);
	await appendFile(path, 'ee, München\n');
	expect(await tail.readNewLines()).toEqual(['three, München']);
});

test('tailing a missing file returns all lines of the file that is created later', async () => {
	const { path, tail } = await opened();
	expect(await tail.readNewLines()).toEqual([]);
	await appendFile(path, 'one\n');
	expect(await tail.readNewLines()).toEqual(['one']);
});

test('tailing a file loses no line when the file is rotated', async () => {
	const { path, tail } = await opened('old\n');
	await appendFile(path, 'last\n');
	await rename(path, `${path}.1`);
	expect(await tail.readNewLines()).toEqual(['last']);
	await appendFile(`${path}.1`, 'late\n');
	await appendFile(path, 'first\n');
	expect(await tail.readNewLines()).toEqual(['late', 'first']);
});

import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLineFile } from '../../source/journal/line-file.ts';
import { createHeldClock } from '../held-clock.ts';
import { stateDirectory } from './state-directory.ts';

const clock = createHeldClock();

function lineFile(directory: string, { pid = 1, bytesAtMost = 10_000 } = {}) {
	const troubles: string[] = [];
	const onTrouble = (message: string) => troubles.push(message);
	const file = createLineFile({
		directory,
		baseName: 'notes',
		clock,
		pid,
		maxFileBytes: bytesAtMost,
		onProblem: onTrouble,
	});
	return { ...file, troubles };
}

test('a line file returns its lines in the order in which they were appended', async () => {
	const file = lineFile(await stateDirectory());
	for (let place = 0; place < 50; place += 1) file.append([`a${place}`, `b${place}`]);
	await file.flush();
	const expected = Array.from({ length: 50 }, (_, place) => [`a${place}`, `b${place}`]).flat();
	expect(await file.read()).toEqual(expected);
	expect(file.troubles).toEqual([]);
});

test('a line file is created so that only its owner can read it', async () => {
	const directory = await stateDirectory();
	const file = lineFile(directory);
	file.append(['one']);
	await file.flush();
	const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
	expect(await modeOf(directory)).toBe(0o700);
	expect(await modeOf(join(directory, 'notes.jsonl'))).toBe(0o600);
	await chmod(join(directory, 'notes.jsonl'), 0o644);
	file.append(['two']);
	await file.flush();
	expect(await modeOf(join(directory, 'notes.jsonl'))).toBe(0o600);
});

test('a line file without lines reads as empty', async () => {
	const file = lineFile(await stateDirectory());
	expect(await file.read()).toEqual([]);
	expect(file.troubles).toEqual([]);
});

test('a line stays whole if it follows the incomplete line of a killed process', async () => {
	const directory = await stateDirectory();
	const file = lineFile(directory);
	await mkdir(directory, { mode: 0o700 });
	await writeFile(join(directory, 'notes.jsonl'), '\nwhole\nhal');
	file.append(['ours']);
	await file.flush();
	expect(await file.read()).toEqual(['whole', 'hal', 'ours']);
});

test('every line stays whole when several processes append at once', async () => {
	const directory = await stateDirectory();
	const panes = Array.from({ length: 5 }, (_, pid) =>
		lineFile(directory, { pid, bytesAtMost: 1e6 }),
	);
	const lines = Array.from({ length: 200 }, (_, place) => `${place}`.padStart(200, '.'));
	for (const line of lines) for (const pane of panes) pane.append([line]);
	await Promise.all(panes.map(pane => pane.flush()));
	const kept = await lineFile(directory).read();
	expect(kept).toHaveLength(1_000);
	expect(new Set(kept)).toEqual(new Set(lines));
});

test('a line file that has grown is renamed, and the oldest file is removed', async () => {
	const directory = await stateDirectory();
	const file = lineFile(directory, { bytesAtMost: 1_000 });
	for (let place = 0; place < 100; place += 1) {
		file.append([`${place}`.padStart(99, '.')]);
		await file.flush();
		clock.move(1_000);
	}
	const names = await readdir(directory);
	const sizes = await Promise.all(
		names.map(async name => (await stat(join(directory, name))).size),
	);
	expect(sizes.reduce((a, b) => a + b)).toBeLessThan(4_200);
	const numbers = (await file.read()).map(line => Number(line.replaceAll('.', '')));
	expect(numbers.length).toBeGreaterThanOrEqual(20);
	expect(numbers).toEqual(numbers.map((_, place) => 100 - numbers.length + place));
});

test('no line is lost when two processes rename the file at the same time', async () => {
	const directory = await stateDirectory();
	const panes = [1, 2, 3].map(pid => lineFile(directory, { pid, bytesAtMost: 400 }));
	for (const [place, pane] of panes.entries()) pane.append([`${place}`.repeat(300)]);
	await Promise.all(panes.map(pane => pane.flush()));
	expect(await lineFile(directory).read()).toHaveLength(3);
});

test('a failing disk is reported once, and the waiting lines are written when it works again', async () => {
	const directory = await stateDirectory();
	await writeFile(directory, 'a file in the way');
	const file = lineFile(directory);
	for (const line of ['one', 'two', 'three']) {
		file.append([line]);
		await file.flush();
	}
	expect(file.troubles).toHaveLength(1);
	expect(await file.read()).toEqual([]);
	await rm(directory);
	file.append(['four']);
	await file.flush();
	expect(await file.read()).toEqual(['one', 'two', 'three', 'four']);
});

test('a line that is written at once is in the file when the call returns', async () => {
	const directory = await stateDirectory();
	const file = lineFile(directory);
	file.append(['earlier']);
	file.appendNow(['now']);
	expect(readFileSync(join(directory, 'notes.jsonl'), 'utf8')).toBe('\nnow\n');
	await file.flush();
	expect(await file.read()).toEqual(['now', 'earlier']);
});

test('a line that cannot be written at once is reported, and written when the disk works again', async () => {
	const directory = await stateDirectory();
	await writeFile(directory, 'a file in the way');
	const file = lineFile(directory);
	file.appendNow(['one']);
	file.appendNow(['two']);
	expect(file.troubles).toHaveLength(1);
	await rm(directory);
	await file.flush();
	expect(await file.read()).toEqual(['one', 'two']);
});

test('only a limited number of lines waits for a failing disk', async () => {
	const directory = await stateDirectory();
	await writeFile(directory, 'a file in the way');
	const file = lineFile(directory, { bytesAtMost: 1e6 });
	for (let place = 0; place < 60; place += 1) {
		file.append(Array.from({ length: 100 }, (_, line) => `${place * 100 + line}`));
		await file.flush();
	}
	await rm(directory);
	await file.flush();
	const kept = await file.read();
	expect(kept).toHaveLength(5_000);
	expect(kept.at(-1)).toBe('5999');
});

test('a line file that cannot be read is reported, and the program continues', async () => {
	const directory = await stateDirectory();
	await mkdir(join(directory, 'notes.jsonl'), { recursive: true, mode: 0o700 });
	const file = lineFile(directory);
	expect(await file.read()).toEqual([]);
	expect(file.troubles).toHaveLength(1);
});

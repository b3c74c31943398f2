import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotPrivate, readPrivately, writePrivately } from '../../source/accounts/private-file.ts';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'crowsnest-private-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('the program writes and replaces a file that only its owner can read', () => {
	const path = join(folder, 'deep', 'down', 'file');
	writePrivately(path, 'one');
	writePrivately(path, 'two');
	expect(readPrivately(path)).toBe('two');
	expect(modeOf(path)).toBe(0o600);
	expect(modeOf(join(folder, 'deep', 'down'))).toBe(0o700);
	expect(modeOf(join(folder, 'deep'))).toBe(0o700);
	expect(readdirSync(join(folder, 'deep', 'down'))).toEqual(['file']);
});

test('reading a missing private file returns undefined', () => {
	expect(readPrivately(join(folder, 'none'))).toBeUndefined();
	expect(readPrivately(join(folder, 'none', 'either'))).toBeUndefined();
});

test.each(['640', '604', '620', '602', '660', '644'])(
	'the program refuses to read a private file with the mode %s',
	mode => {
		const path = join(folder, 'file');
		writePrivately(path, 'secret');
		chmodSync(path, mode);
		expect(() => readPrivately(path)).toThrow(NotPrivate);
		expect(() => readPrivately(path)).toThrow(/chmod 600/);
	},
);

test.each(['750', '705', '711', '755'])(
	'the program refuses to read a private file in a folder with the mode %s',
	mode => {
		const inner = join(folder, 'inner');
		writePrivately(join(inner, 'file'), 'secret');
		chmodSync(inner, mode);
		expect(() => readPrivately(join(inner, 'file'))).toThrow(/chmod 700/);
	},
);

test('the program neither reads nor writes a private file through a symbolic link', () => {
	const path = join(folder, 'file');
	writePrivately(join(folder, 'other'), 'of somebody else');
	symlinkSync(join(folder, 'other'), path);
	expect(() => readPrivately(path)).toThrow(/is a link/);
	writePrivately(path, 'mine');
	expect(readPrivately(path)).toBe('mine');
	expect(readPrivately(join(folder, 'other'))).toBe('of somebody else');
});

test('the program leaves no temporary file behind when a write fails', () => {
	mkdirSync(join(folder, 'taken'));
	writeFileSync(join(folder, 'taken', 'inside'), '');
	expect(() => writePrivately(join(folder, 'taken'), 'secret')).toThrow();
	expect(readdirSync(folder)).toEqual(['taken']);
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../source/foundation/make-folder.ts';

function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-folder-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return folder;
}

test('all missing folders of a path are created for this user only, and an existing one is left alone', () => {
	const path = join(temporaryFolder(), 'one', 'two', 'three');
	makeFolder(path);
	makeFolder(path);
	expect(statSync(path).mode & 0o777).toBe(0o700);
	expect(statSync(join(path, '..', '..')).mode & 0o777).toBe(0o700);
});

test('a folder that the system does not create is an error at once', () => {
	expect(() => makeFolder('/proc/a/b')).toThrow();
});

test('a file in the place of a folder is an error', () => {
	const file = join(temporaryFolder(), 'file');
	writeFileSync(file, '');
	expect(() => makeFolder(file)).toThrow(`${file} is not a folder`);
	expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
});

test('no other file of the program creates folders', () => {
	const source = new URL('../../source/', import.meta.url);
	const creators = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
		name =>
			/\.tsx?$/.test(name) && /\bmkdir(Sync)?\(/.test(readFileSync(new URL(name, source), 'utf8')),
	);
	expect(creators).toEqual(['foundation/make-folder.ts']);
});

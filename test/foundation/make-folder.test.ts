import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../source/foundation/make-folder.ts';

test('missing folders are created for this user only, and what is no folder is an error at once', () => {
	const place = mkdtempSync(join(tmpdir(), 'crowsnest-folder-'));
	onTestFinished(() => rmSync(place, { recursive: true }));
	const path = join(place, 'one', 'two', 'three');
	makeFolder(path);
	makeFolder(path);
	for (const each of [path, join(path, '..', '..')])
		expect(statSync(each).mode & 0o777).toBe(0o700);
	const file = join(path, 'file');
	writeFileSync(file, '');
	expect(() => makeFolder(file)).toThrow(`${file} is not a folder`);
	expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
	expect(() => makeFolder('/proc/a/b')).toThrow();
});

test('no other file of the program creates folders', () => {
	const source = new URL('../../source/', import.meta.url);
	const creators = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
		name =>
			/\.tsx?$/.test(name) && /\bmkdir(Sync)?\(/.test(readFileSync(new URL(name, source), 'utf8')),
	);
	expect(creators).toEqual(['foundation/make-folder.ts']);
});

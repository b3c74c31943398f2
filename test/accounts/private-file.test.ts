import {
	chmodSync,
	chownSync,
	mkdirSync,
	readdirSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
	NotPrivate,
	readPrivately,
	refusePublicStateFolder,
	refuseShared,
	refuseWritableByOthers,
	removePrivately,
	writePrivately,
} from '../../source/accounts/private-file.ts';
import { temporaryFolder } from '../journal/state-directory.ts';

let state = '';
let folder = '';
beforeEach(() => {
	state = temporaryFolder();
	folder = join(state, 'log');
	mkdirSync(folder, { mode: 0o700 });
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a missing file has no text, and one that only its owner can read is written and replaced, with the folders above it', () => {
	const path = join(folder, 'deep', 'down', 'file');
	expect(readPrivately(path)).toBeUndefined();
	writePrivately(path, 'one');
	writePrivately(path, 'two');
	expect(readPrivately(path)).toBe('two');
	expect(modeOf(path)).toBe(0o600);
	expect(modeOf(join(folder, 'deep', 'down'))).toBe(0o700);
	expect(modeOf(join(folder, 'deep'))).toBe(0o700);
	expect(readdirSync(join(folder, 'deep', 'down'))).toEqual(['file']);
});

test('a file or a folder that others can use is refused, with what to do', () => {
	const path = join(folder, 'file');
	for (const mode of [0o640, 0o604, 0o620, 0o602, 0o644]) {
		writePrivately(path, 'secret');
		chmodSync(path, mode);
		expect(() => readPrivately(path)).toThrow(NotPrivate);
		expect(() => readPrivately(path)).toThrow(/chmod 600/);
	}
	writePrivately(path, 'secret');
	for (const mode of [0o750, 0o705, 0o711, 0o755]) {
		chmodSync(folder, mode);
		expect(() => readPrivately(path)).toThrow(/log can be read by others.*chmod 700/);
		expect(() => writePrivately(path, 'other')).toThrow(/chmod 700/);
	}
});

test('others may list the state folder, but not write to it', () => {
	chmodSync(state, 0o755);
	expect(() => refusePublicStateFolder(folder)).not.toThrow();
	chmodSync(state, 0o777);
	expect(() => refusePublicStateFolder(folder)).toThrow(/can be written by others.*chmod go-w/);
});

test('a folder that another user owns is refused, except a state folder of root', () => {
	// Only root can give a folder away. For anyone else, the folders of root belong to another user.
	const isRoot = process.getuid?.() === 0;
	if (isRoot) chownSync(folder, 4_000, 4_000);
	expect(() => refusePublicStateFolder(isRoot ? folder : '/etc')).toThrow(
		'belongs to another user',
	);
	expect(() => refuseWritableByOthers('/etc')).not.toThrow();
	const ofAnother = { ...statSync(folder), uid: 4_000_000 };
	expect(() => refuseShared(folder, ofAnother, 0o700)).toThrow(NotPrivate);
	if (!isRoot) return;
	chownSync(state, 4_000, 4_000);
	expect(() => refuseWritableByOthers(state)).toThrow('belongs to another user');
});

test('a link is neither followed nor kept, and a folder in the place of a file is refused', () => {
	const path = join(folder, 'file');
	writePrivately(join(folder, 'other'), 'of somebody else');
	symlinkSync(join(folder, 'other'), path);
	expect(() => readPrivately(path)).toThrow(/is a link/);
	writePrivately(path, 'mine');
	expect(readPrivately(path)).toBe('mine');
	expect(readPrivately(join(folder, 'other'))).toBe('of somebody else');
	mkdirSync(join(folder, 'folder'));
	expect(() => readPrivately(join(folder, 'folder'))).toThrow('is not a file');
});

test('a write that fails leaves no draft behind', () => {
	mkdirSync(join(folder, 'taken'));
	writeFileSync(join(folder, 'taken', 'inside'), '');
	expect(() => writePrivately(join(folder, 'taken'), 'secret')).toThrow();
	expect(readdirSync(folder)).toEqual(['taken']);
});

const draftOf = (path: string) => `${path}.0b6b4b5e-58a5-4a5b-8f43-0f7e2bb0c7aa`;

test('the drafts of killed processes are removed with a later write, and with the file', () => {
	const path = join(folder, 'work.json');
	writeFileSync(draftOf(path), 'token', { mode: 0o600 });
	writePrivately(path, 'new');
	expect(readdirSync(folder)).toHaveLength(2);
	utimesSync(draftOf(path), 1000, 1000);
	writePrivately(path, 'newer');
	expect(readdirSync(folder)).toEqual(['work.json']);
	for (const each of [draftOf(path), `${path}.notes`]) writeFileSync(each, 'token');
	removePrivately(path);
	expect(readdirSync(folder)).toEqual(['work.json.notes']);
});

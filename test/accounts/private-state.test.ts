import {
	chmodSync,
	chownSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
	NotPrivate,
	readPrivately,
	refuseOtherOwner,
	refusePublicStateFolder,
	refuseWritableByOthers,
	writePrivately,
} from '../../source/accounts/private-file.ts';
import { forgetToken } from '../../source/accounts/token-cache.ts';

function stateFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-private-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	mkdirSync(join(folder, 'state', 'journal'), { recursive: true, mode: 0o700 });
	return join(folder, 'state');
}

test('the program refuses a state folder that others can write to, and says what to do', () => {
	const state = stateFolder();
	const journal = join(state, 'journal');
	expect(() => refusePublicStateFolder(journal)).not.toThrow();
	chmodSync(state, 0o755);
	expect(() => refusePublicStateFolder(journal)).not.toThrow();
	chmodSync(state, 0o777);
	expect(() => refusePublicStateFolder(journal)).toThrow(
		/state can be written by others.*chmod go-w/,
	);
	chmodSync(state, 0o700);
	chmodSync(journal, 0o750);
	expect(() => refusePublicStateFolder(journal)).toThrow(
		/journal can be read by others.*chmod 700/,
	);
});

test('the program refuses a folder that another user owns, except a state folder of root', () => {
	const state = stateFolder();
	const journal = join(state, 'journal');
	// Only root can give a folder away. For anyone else, the folders of root belong to another user.
	const isRoot = process.getuid?.() === 0;
	if (isRoot) chownSync(journal, 4_000, 4_000);
	expect(() => refusePublicStateFolder(isRoot ? journal : '/etc')).toThrow(
		'belongs to another user',
	);
	expect(() => refuseWritableByOthers('/etc')).not.toThrow();
	if (!isRoot) return;
	chownSync(state, 4_000, 4_000);
	expect(() => refuseWritableByOthers(state)).toThrow('belongs to another user');
});

test('the program refuses to read a file that another user owns', () => {
	expect(() => refuseOtherOwner('/state', 4_000_000)).toThrow(NotPrivate);
	expect(() => refuseOtherOwner('/state', process.getuid?.() ?? -1)).not.toThrow();
});

test('the program refuses a pipe or a folder in the place of a file, without waiting', () => {
	const path = join(stateFolder(), 'journal', 'screen.json');
	mkdirSync(path);
	expect(() => readPrivately(path)).toThrow('is not a file');
});

const draftOf = (path: string) => `${path}.0b6b4b5e-58a5-4a5b-8f43-0f7e2bb0c7aa`;

test('the temporary files that killed processes left beside a file are removed when the file is written again', () => {
	const path = join(stateFolder(), 'journal', 'work.json');
	writeFileSync(draftOf(path), 'token', { mode: 0o600 });
	writePrivately(path, 'new');
	expect(readdirSync(join(path, '..'))).toHaveLength(2);
	utimesSync(draftOf(path), 1000, 1000);
	writePrivately(path, 'newer');
	expect(readdirSync(join(path, '..'))).toEqual(['work.json']);
});

test('signing out removes the token and its temporary files, and nothing else', () => {
	const path = join(stateFolder(), 'journal', 'work.json');
	for (const each of [path, draftOf(path), `${path}.notes`]) writeFileSync(each, 'token');
	symlinkSync(path, join(path, '..', 'workother.json'));
	forgetToken(path);
	expect(readdirSync(join(path, '..')).sort()).toEqual(['work.json.notes', 'workother.json']);
});

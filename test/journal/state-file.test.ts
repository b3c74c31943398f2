import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { NotPrivate } from '../../source/accounts/private-file.ts';
import {
	makePrivateFolder,
	openForAppending,
	readBeginning,
	readStateFile,
} from '../../source/journal/state-file.ts';
import { stateDirectory } from './state-directory.ts';

async function journalFolder(): Promise<string> {
	const folder = join(await stateDirectory(), 'journal');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	return folder;
}

/** Every way in which the journal opens a file. */
const uses: readonly [string, (path: string) => Promise<unknown>][] = [
	['read', async path => readStateFile(path)],
	['read the beginning of', async path => readBeginning(path)],
	['append to', path => openForAppending(dirname(path), path).then(file => file.close())],
];

test.each(uses)(
	'the journal refuses to %s a file in a folder that others can use',
	async (_, use) => {
		const folder = await journalFolder();
		const path = join(folder, 'credits.jsonl');
		writeFileSync(path, 'untouched\n');
		await use(path);
		chmodSync(folder, 0o755);
		await expect(use(path)).rejects.toThrow(/journal can be read by others.*chmod 700/);
		chmodSync(folder, 0o700);
		chmodSync(dirname(folder), 0o777);
		await expect(use(path)).rejects.toThrow(/state can be written by others.*chmod go-w/);
	},
);

test('the journal refuses to replace files in a folder that others can use', async () => {
	const folder = await journalFolder();
	makePrivateFolder(folder);
	chmodSync(folder, 0o777);
	expect(() => makePrivateFolder(folder)).toThrow(/journal can be read by others/);
});

test.each(uses)('the journal refuses to %s a link, a folder or a pipe', async (_, use) => {
	const folder = await journalFolder();
	writeFileSync(join(folder, 'other'), 'of another program\n');
	symlinkSync(join(folder, 'other'), join(folder, 'link'));
	mkdirSync(join(folder, 'folder'));
	execFileSync('mkfifo', [join(folder, 'pipe')]);
	await expect(use(join(folder, 'link'))).rejects.toThrow(NotPrivate);
	await expect(use(join(folder, 'folder'))).rejects.toThrow();
	await expect(use(join(folder, 'pipe'))).rejects.toThrow();
});

test.each(uses)('the journal refuses to %s a file that another user owns', async (_, use) => {
	const folder = await journalFolder();
	// Only root can give a file away. For anyone else, the files of root belong to another user.
	const isRoot = process.getuid?.() === 0;
	const path = isRoot ? join(folder, 'credits.jsonl') : '/etc/hosts';
	if (isRoot) {
		writeFileSync(path, 'untouched\n');
		chownSync(path, 4_000, 4_000);
	}
	await expect(use(path)).rejects.toThrow('belongs to another user');
});

test('appending creates the file and its folder if they do not exist', async () => {
	const folder = await stateDirectory();
	const path = join(folder, 'journal', 'credits.jsonl');
	const file = await openForAppending(dirname(path), path);
	await file.appendFile('one\n');
	await file.close();
	expect(readdirSync(dirname(path))).toEqual(['credits.jsonl']);
	expect(readStateFile(path)).toBe('one\n');
	expect(readStateFile(`${path}.missing`)).toBeUndefined();
	expect(readBeginning(`${path}.missing`)).toBe('');
});

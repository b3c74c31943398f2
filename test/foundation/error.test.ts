import { expect, test } from 'vitest';
import { fileErrorText, pathErrorText, stateFileErrorText } from '../../source/foundation/error.ts';

const path = '/home/ada/state/journal.jsonl';

/** An error as Node throws it, with a message that names the code and the system call. */
const errorOf = (code: string) =>
	Object.assign(new Error(`${code}: raw words of the system, open '${path}'`), { code, path });

test.each([
	['ENOSPC', 'the disk is full'],
	['EDQUOT', 'the disk quota is used up'],
	['EROFS', 'the file system is read-only'],
	['EFBIG', 'the system allows no larger file'],
	['EIO', 'the disk reports an error'],
	['EMFILE', 'this process has too many open files'],
	['ENFILE', 'the system has too many open files'],
])('%s is a problem of every file, so the text names no file', (code, text) => {
	expect(stateFileErrorText(errorOf(code))).toBe(text);
});

test.each([
	['EACCES', 'permission denied'],
	['EPERM', 'permission denied'],
	['EISDIR', 'it is a directory'],
	['ENOTDIR', 'a part of the path is not a directory'],
	['ENOENT', 'there is no such file or directory'],
	['ESTALE', 'the network folder is gone'],
	['ENAMETOOLONG', 'the name is too long'],
])('%s is a problem of one file, which the text names', (code, text) => {
	expect(stateFileErrorText(errorOf(code))).toBe(`${path}: ${text}`);
	expect(pathErrorText('journal.jsonl', errorOf(code))).toBe(`journal.jsonl: ${text}`);
	expect(fileErrorText(errorOf(code))).toBe(text);
});

test('an error that the program itself has thrown keeps its message, which names the file', () => {
	const error = new Error(`${path} belongs to another user`);
	for (const text of [stateFileErrorText(error), pathErrorText(path, error), fileErrorText(error)])
		expect(text).toBe(`${path} belongs to another user`);
});

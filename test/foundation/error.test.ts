import { getSystemErrorMap } from 'node:util';
import { expect, test } from 'vitest';
import { fileErrorText, pathErrorText, stateFileErrorText } from '../../source/foundation/error.ts';

const path = '/home/ada/state/journal.jsonl';

/** An error as Node throws it, with a message that names the code and the system call. */
function errorOf(code: string) {
	const [errno] = [...getSystemErrorMap()].find(([, [name]]) => name === code) ?? [];
	const error = new Error(`${code}: raw words of the system, open '${path}'`);
	return Object.assign(error, { code, errno, path });
}

test('a problem of every file is told without the name of one', () => {
	expect(stateFileErrorText(errorOf('ENOSPC'))).toBe('no space left on device');
});

test('a problem of one file names it', () => {
	const error = errorOf('EACCES');
	expect(stateFileErrorText(error)).toBe(`${path}: permission denied`);
	expect(pathErrorText('journal.jsonl', error)).toBe('journal.jsonl: permission denied');
	expect(fileErrorText(error)).toBe('permission denied');
});

test('an error that the program itself has thrown keeps its message, which names the file', () => {
	const error = new Error(`${path} belongs to another user`);
	for (const text of [stateFileErrorText(error), pathErrorText(path, error), fileErrorText(error)])
		expect(text).toBe(`${path} belongs to another user`);
});

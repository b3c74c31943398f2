import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendLines, createLogTail, logFiles, readLines } from '../../source/journal/log-files.ts';
import { stateDirectory } from './state-directory.ts';

const november = Date.UTC(2026, 10, 28);
const december = Date.UTC(2026, 11, 1);

const times = new Map([
	['November', november],
	['December', december],
	['January', Date.UTC(2027, 0)],
]);

test.each([
	['the first file is named by its month', 'November', '2026-11-001'],
	['lines of a month share a file', 'November November', '2026-11-001'],
	['a month begins a file', 'November December', '2026-11-001 2026-12-001'],
	['a clock that was set back begins none', 'December November', '2026-12-001'],
	['a full file is followed by another', 'November! November', '2026-11-001 2026-11-002'],
	[
		'the last four files stay',
		'November! November! November! December January',
		'2026-11-002 2026-11-003 2026-12-001 2027-01-001',
	],
])('%s', async (_, appended, names) => {
	const directory = await stateDirectory();
	const lines = appended.split(' ').map((word, at) => {
		const [month = '', isFull] = word.split('!');
		const line = isFull === undefined ? `line ${at}` : 'x'.repeat(2_000_000);
		appendLines(directory, [line], times.get(month) ?? 0);
		return line;
	});
	const files = names.split(' ');
	expect(logFiles(directory)).toEqual(files.map(name => `${name}.jsonl`));
	expect(readLines(directory)).toEqual(lines.slice(lines.length > 4 ? 1 : 0));
});

test('a torn line spoils no line after it', async () => {
	const directory = await stateDirectory();
	appendLines(directory, ['a'], november);
	const path = join(directory, '2026-11-001.jsonl');
	writeFileSync(path, '{"torn', { flag: 'a' });
	appendLines(directory, ['b', 'c'], november);
	expect(readLines(directory)).toEqual(['a', '{"torn', 'b', 'c']);
});

test('files and folder are for their owner only, and a link is refused', async () => {
	const directory = await stateDirectory();
	appendLines(directory, ['a'], november);
	const path = join(directory, '2026-11-001.jsonl');
	expect([statSync(directory).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
	symlinkSync(path, join(directory, '2026-12-001.jsonl'));
	expect(() => appendLines(directory, ['b'], december)).toThrow('is a link');
	expect(readFileSync(path, 'utf8')).toBe('\na\n');
});

test('a tail tells each line once, whole, and goes on in the next file', async () => {
	const directory = await stateDirectory();
	mkdirSync(directory, { mode: 0o700, recursive: true });
	appendLines(directory, ['early ü'], november);
	const tail = createLogTail(directory);
	const newLines = () => tail().map(({ text }) => text);
	expect(newLines()).toEqual([]);
	appendLines(directory, ['a ü', 'b'], november);
	const path = join(directory, '2026-11-001.jsonl');
	writeFileSync(path, 'c', { flag: 'a' });
	expect(newLines()).toEqual(['a ü', 'b']);
	writeFileSync(path, 'c\n', { flag: 'a' });
	appendLines(directory, ['d'], december);
	expect(newLines()).toEqual(['cc', 'd']);
	expect(newLines()).toEqual([]);
});

test('a tail of a folder that is made later tells its first line', async () => {
	const directory = await stateDirectory();
	const tail = createLogTail(directory);
	const newLines = () => tail().map(({ text }) => text);
	appendLines(directory, ['a'], november);
	expect(newLines()).toEqual(['a']);
});

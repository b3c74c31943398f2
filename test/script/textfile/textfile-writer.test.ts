import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
	createTextfileWriter,
	replacePublicFile,
} from '../../../source/script/textfile/textfile-writer.ts';
import { createHeldClock } from '../../held-clock.ts';

/** Creates a writer with a held clock, whose text is a number that a test changes. */
function createWriter() {
	const clock = createHeldClock();
	const begin = clock.now();
	const state = { text: '0', isDiskFull: false };
	const writes: (readonly [seconds: number, text: string])[] = [];
	const problems: string[] = [];
	const writer = createTextfileWriter({
		...{ path: 'fleet.prom', clock, textNow: () => state.text },
		onProblem: reason => problems.push(reason),
		replaceFile(_, text) {
			if (state.isDiskFull) throw new Error('the disk is full');
			writes.push([(clock.now() - begin) / 1_000, text]);
		},
	});
	function change(text: string) {
		state.text = text;
		writer.noteChange();
	}
	return { clock, state, writes, problems, writer, change };
}

describe('the textfile', () => {
	test('is written at once, then at most once a second, and finally with the last change', () => {
		const { clock, writes, change } = createWriter();
		for (let count = 1; count <= 10_000; count += 1) {
			change(String(count));
			if (count % 1_000 === 0) clock.move(250);
		}
		clock.move(2_000);
		expect(writes).toEqual([
			...([
				[0, '1000'],
				[1, '4000'],
				[2, '8000'],
				[3, '10000'],
			] as const),
		]);
	});

	test('is written each minute without a change, and not for a notification that changes nothing', () => {
		const { clock, writes, writer, change } = createWriter();
		change('a');
		clock.move(10_000);
		writer.noteChange();
		clock.move(110_000);
		expect(writes.map(([seconds]) => seconds)).toEqual([0, 60, 120]);
	});

	test('goes on after the clock was set back by a day', () => {
		const { clock, writes, change } = createWriter();
		change('a');
		clock.move(5_000);
		clock.jump(-86_400_000);
		change('b');
		clock.move(1_000);
		expect(writes.map(([, text]) => text)).toEqual(['a', 'b']);
	});

	test('reports once that it cannot be written, and again only after a successful write', () => {
		const { clock, state, problems, writes, change } = createWriter();
		state.isDiskFull = true;
		for (const text of ['a', 'b', 'c']) {
			change(text);
			clock.move(2_000);
		}
		expect(problems).toEqual(['the disk is full']);
		state.isDiskFull = false;
		clock.move(60_000);
		expect(writes.map(([, text]) => text)).toEqual(['c']);
		state.isDiskFull = true;
		change('d');
		clock.move(1_000);
		expect(problems).toHaveLength(2);
	});

	test('has the last change when it is closed, and is not written afterwards', () => {
		const { clock, writes, writer, change } = createWriter();
		change('a');
		clock.move(100);
		change('b');
		writer.close();
		clock.move(600_000);
		expect(writes.map(([, text]) => text)).toEqual(['a', 'b']);
	});
});

test('a textfile is readable for all users under any umask, and leaves no draft behind', () => {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-textfile-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const path = join(folder, 'fleet.prom');
	const umask = process.umask(0o077);
	try {
		replacePublicFile(path, 'one\n');
		replacePublicFile(path, 'two\n');
	} finally {
		process.umask(umask);
	}
	expect(statSync(path).mode & 0o777).toBe(0o644);
	expect(readFileSync(path, 'utf8')).toBe('two\n');
	expect(() => replacePublicFile(folder, 'three\n')).toThrow();
	expect(readdirSync(folder)).toEqual(['fleet.prom']);
});

import { truncate } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readRecording, recordingFrom } from '../../source/journal/recording.ts';
import { cleanText } from '../../source/platform/decoding/clean.ts';
import { everyFact } from '../arbitraries/sample-facts.ts';
import { factsIn, recordingOf, writeRecording } from './recorded.ts';

const head = '{"recording":1,"program":"1","at":1,"accounts":[{"account":"a"}]}';
const signedIn = '{"time":5,"type":"signedIn","account":"a","at":5}';
const read = (...lines: readonly string[]) => recordingFrom(`${lines.join('\n')}\n`, cleanText);

test('a file that is not a recording is refused with that reason', async () => {
	for (const foreign of [
		'',
		'\n',
		'hello',
		'{}',
		'[]',
		'null',
		'{"recording":"1"}',
		'\u0000\u0001',
	]) {
		expect(read(foreign)).toBe('line 1: this is not a recording of crowsnest');
	}
	expect(read('{"recording":1}')).toBe('line 1: the header is damaged');
	expect(read(head.replace(/\[.*\]/, '[]'))).toBe('line 1: the header is damaged');
	expect(read(head)).toBe('the recording is empty');
	expect(await readRecording('/nowhere/at.all', cleanText)).toBe(
		'there is no such file or directory',
	);
	expect(await readRecording('/tmp', cleanText)).toBe('it is a directory');
});

test('a recording of a newer version is refused with a different message than a damaged file', () => {
	expect(read(head.replace('1', '3'), '{"whatever":true}')).toMatch(/newer version of crowsnest/);
});

test('a truncated recording is read up to its last complete line', async () => {
	const { path, text } = await writeRecording(everyFact);
	await truncate(path, text.length - 20);
	const cut = await readRecording(path, cleanText);
	if (typeof cut === 'string') throw new Error(cut);
	expect(cut.flaw).toBe(`line ${everyFact.length + 1} is cut short`);
	expect(cut.times).toHaveLength(everyFact.length - 1);
});

test('a recording ends at a damaged line, and the message names the number of that line', async () => {
	const { text } = await writeRecording(everyFact);
	const lines = text.split('\n');
	lines[7] = '{"time":1795248006000,"type":"computerMissed","id":5}';
	const broken = recordingOf(lines.join('\n'));
	expect(broken.flaw).toBe('line 8 cannot be read, so the recording ends there');
	expect(factsIn(broken)).toHaveLength(6);
});

test('a recording ends at a fact whose time is earlier than the time before', () => {
	expect(read(head, signedIn, signedIn.replace('"time":5', '"time":4'), signedIn)).toMatchObject({
		times: [5],
		flaw: 'line 3 cannot be read, so the recording ends there',
	});
});

test('a recording with values that cannot be shown is refused', () => {
	const reading = (fields: string) =>
		read(
			head,
			`{"time":5,"at":5,"account":"a","type":"statusRead","computer":{"id":"x",${fields}}}`,
		);
	for (const wrong of [
		...['"stageProgress":1e9', '"cpu":-1', '"cpu":"12"', '"startedAt":1e300', '"status":null'],
		...['"ports":[{"port":70000}]', '"ports":{"length":1}', '"name":{}', '"createdAt":"now"'],
		...['"ports":[{"port":80,"url":"javascript:alert(1)"}]', '"id":7'],
		...['"ports":[{"port":80,"url":"http://evil.example"}]'],
	]) {
		expect(reading(wrong), wrong).toMatch(/line 2 is cut short/);
	}
	expect(reading('"cpu":99')).toMatchObject({ times: [5] });
	expect(read(head, signedIn.replace('signedIn', 'constructor'))).toMatch(/line 2 is cut short/);
	expect(read(head, '['.repeat(100_000))).toMatch(/line 2/);
});

test('the strings of a recording are cleaned like those of the platform, and unknown fields are dropped', () => {
	const dirty = read(
		head.replace('"a"', '"\\u001b]0;owned\\u0007fleet"'),
		'{"time":5,"at":5,"account":"a","type":"listRead","order":["x"],"__proto__":{"at":1},' +
			'"computers":[{"id":"x","name":"\\u001b[31mred\\u202egnp","extra":1}]}',
	);
	if (typeof dirty === 'string') throw new Error(dirty);
	expect(dirty.header.accounts).toEqual([{ account: 'fleet' }]);
	expect(factsIn(dirty)).toEqual([
		{ at: 5, account: 'a', type: 'listRead', computers: [{ id: 'x', name: 'redgnp' }] },
	]);
});

test('a recording can be read even if a list in it has the id of an unknown computer', () => {
	const list = '{"time":5,"at":5,"account":"a","type":"listRead","computers":[],"order":["x","x"]}';
	const ghosts = read(head, list);
	if (typeof ghosts === 'string') throw new Error(ghosts);
	expect(factsIn(ghosts)).toMatchObject([{ computers: [] }]);
});

test('a recording that is too large is refused', async () => {
	const { path } = await writeRecording(everyFact);
	await truncate(path, 500_000_000);
	expect(await readRecording(path, cleanText)).toBe('the file is too large: 500 MB');
});

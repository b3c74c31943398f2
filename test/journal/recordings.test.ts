import { chmod, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import { openRecordingFile, readRecording, recordingFrom } from '../../source/journal/recording.ts';
import { createTimeline } from '../../source/journal/timeline.ts';
import { emptyState, type State } from '../../source/store/state.ts';
import { fold } from '../../source/store/store.ts';
import { account, everyFact, listRead, shareToken, start } from '../arbitraries/sample-facts.ts';
import { second } from '../durations.ts';
import { createHeldClock } from '../held-clock.ts';
import { factsIn, recordingOf, writeRecording } from './recorded.ts';
import { stateDirectory } from './state-directory.ts';

/** The fields that a recording leaves out of a fact. */
function withoutSecrets(value: unknown): unknown {
	return JSON.parse(
		JSON.stringify(value, (key, each) => {
			const isOut = key === 'shareToken' || String(each).includes(shareToken);
			return isOut || (key === 'url' && String(each).includes('pay.')) ? undefined : each;
		}),
	);
}

test('every fact is read back as it was recorded, without its secrets', async () => {
	const { text, state, troubles } = await writeRecording(everyFact);
	const tape = recordingOf(text);
	expect(tape.flaw).toBeUndefined();
	expect(factsIn(tape)).toEqual(everyFact.map(withoutSecrets));
	expect(tape.times).toEqual(everyFact.map(({ at }) => at));
	expect(troubles).toEqual([]);
	const { accounts } = createTimeline(tape).stateAfter(tape.times.length);
	const [read, recorded] = [accounts, state.accounts].map(each => each.get(account));
	for (const part of ['changes', 'reads'] as const)
		expect(withoutSecrets(read?.[part])).toEqual(withoutSecrets(recorded?.[part]));
});

test('a recording contains no password, token or address that gives access', async () => {
	const message = [
		'401: Bearer eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImEifQ.c2lnbmF0dXJl was refused,',
		'see https://user:pass99@pay.acme.test/s?session=cs_test_a1b2c3d4#frag',
		`or /v1/p/share/${shareToken}; api_key=abcdef token: "xyz789" sk_live_4eC39HqLyjWDarjtT1`,
		'9f8e7d6c5b4a39281706f5e4d3c2b1a0',
	].join(' ');
	const failure = { kind: 'auth', message, advice: '', isOutcomeUnknown: false } as const;
	const last = { account, at: start + 60_000, type: 'signInTried', failure } as const;
	const { text } = await writeRecording([...everyFact, last]);
	for (const secret of [
		...['eyJ', 'c2lnbmF0dXJl', 'pass99', 'cs_test_', 'cs_live_', 'a1b2c3d4', 'frag', shareToken],
		...['abcdef', 'xyz789', '4eC39', '9f8e7d'],
	]) {
		expect(text).not.toContain(secret);
	}
	expect(text).toContain('was refused');
	expect(text).toContain('https://pay.acme.test/s ');
	expect(text).toContain('https://api.acme.test/v1/p/sb_atlas01/8080');
	expect(text).toContain('poet-3-5-medium-20241022-long');
});

test('a recording stores only the changes from one list to the next', async () => {
	const fleet = Array.from({ length: 200 }, (_, place) => ({
		id: `sb_${place}`,
		name: `computer number ${place}`,
		status: 'active',
		cpu: 5,
	}));
	const lists = [0, 1, 2, 3].map(turn =>
		listRead(
			start + turn * second,
			fleet.map((each, place) => (place === turn ? { ...each, cpu: 50 + turn } : each)),
		),
	);
	const shuffled = listRead(start + 4 * second, [...fleet].reverse().slice(1));
	const { text } = await writeRecording([...lists, shuffled]);
	const sizes = text.split('\n').map(line => line.length);
	expect(sizes[1]).toBeGreaterThan(10_000);
	expect(sizes[2]).toBeLessThan(250);
	expect(factsIn(recordingOf(text))).toEqual([...lists, shuffled]);
});

test('the recorder creates a file that only its owner can read, and overwrites an existing file only with --force', async () => {
	const path = join(stateDirectory(), '..', 'there.jsonl');
	await writeFile(path, 'a letter, much longer than what comes in its place'.repeat(9));
	await chmod(path, 0o644);
	await expect(writeRecording([], { path })).rejects.toThrow(/EEXIST/);
	expect(await readFile(path, 'utf8')).toContain('a letter');
	const { recorder } = await writeRecording(everyFact.slice(0, 1), { path, canOverwrite: true });
	const text = await readFile(path, 'utf8');
	expect(text).not.toContain('letter');
	expect(recordingOf(text).times).toHaveLength(1);
	expect((await stat(path)).mode & 0o777).toBe(0o600);
	expect(recorder.progress()).toEqual({ factCount: 1, byteCount: Buffer.byteLength(text) });
});

test('the recorder leaves no file behind if the recording never began', async () => {
	const path = join(stateDirectory(), '..', 'nothing.jsonl');
	const clock = createHeldClock();
	const options = { path, clock, onProblem() {} };
	openRecordingFile({ ...options, canOverwrite: false }).close();
	await expect(stat(path)).rejects.toThrow(/ENOENT/);
});

test('the recorder ends the recording when the disk is full and reports this once, and the program continues', async () => {
	const path = '/dev/full';
	const { troubles } = await writeRecording(everyFact, { path, canOverwrite: true, reads: false });
	expect(troubles).toHaveLength(1);
	expect(troubles[0]).toBe('no space left on device');
});

const head = '{"recording":1,"program":"1","at":1,"accounts":[{"account":"a"}]}';
const signedIn = '{"time":5,"type":"signInTried","account":"a","at":5}';
const earlier = signedIn.replace('"time":5', '"time":4');
const textOf = (...lines: readonly string[]) => `${[head, ...lines].join('\n')}\n`;
const read = (...lines: readonly string[]) => recordingFrom(`${lines.join('\n')}\n`);

test.each<[string, unknown]>([
	...['', '\n', 'hello', '{}', '[]', 'null', '{"recording":"1"}', '\u0000\u0001'].map(
		(foreign): [string, string] => [foreign, 'line 1: this is not a recording of crowsnest'],
	),
	['{"recording":1}', 'line 1: the header is damaged'],
	[head.replace(/\[.*\]/, '[]'), 'line 1: the header is damaged'],
	[head, 'the recording is empty'],
	[head.replace('1', '3'), expect.stringContaining('newer version of crowsnest')],
])('the file %j is refused with the reason', (text, reason) => {
	expect(read(text)).toEqual(reason);
});

test('a file that cannot be read or is too large is refused with the reason', async () => {
	expect(await readRecording('/nowhere/at.all')).toBe('no such file or directory');
	expect(await readRecording('/tmp')).toBe('illegal operation on a directory');
	const { path } = await writeRecording(everyFact);
	await truncate(path, 500_000_000);
	expect(await readRecording(path)).toBe('the file is too large: 500 MB');
});

test.each<[string, number, (lines: readonly string[]) => string]>([
	['its last line is cut short', everyFact.length + 1, lines => lines.join('\n').slice(0, -20)],
	['a line is damaged', 8, lines => lines.with(7, '{"time":1795248006000}').join('\n')],
	['a time is before that of the line before', 3, () => textOf(signedIn, earlier, signedIn)],
])('a recording ends where %s, and the message names line %i', async (_, line, damage) => {
	const { text } = await writeRecording(everyFact);
	const tape = recordingOf(damage(text.split('\n')));
	expect(tape.flaw).toMatch(new RegExp(`^line ${line} (is cut short|cannot be read, so)`));
	expect(factsIn(tape)).toHaveLength(line - 2);
});

test('a recording with values that cannot be shown is refused', () => {
	const reading = (fields: string) =>
		read(
			head,
			`{"time":5,"at":5,"account":"a","type":"computerRead","read":"status","computer":{"id":"x",${fields}}}`,
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
	expect(read(head, signedIn.replace('signInTried', 'constructor'))).toMatch(/line 2 is cut short/);
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

// A computer that stops and starts every hundred lists, and one that comes and goes.
const facts: readonly Fact[] = Array.from({ length: 400 }, (_, turn) =>
	listRead(start + turn * 2 * second, [
		{ id: 'sb_1', status: Math.floor(turn / 100) % 2 ? 'stopped' : 'active', cpu: turn % 90 },
		...(turn % 150 < 75 ? [{ id: 'sb_2', name: 'guest', status: 'active' }] : []),
	]),
);
const changesAt = [75, 100, 150, 200, 225, 300, 375].map(turn => turn + 1);

const plain = (state: State) => {
	const known = state.accounts.get(account);
	return { computers: [...(known?.computers ?? [])], changes: known?.changes, reads: known?.reads };
};

test('a timeline returns the state after any number of facts, in any order of calls', async () => {
	const { text } = await writeRecording(facts);
	const timeline = createTimeline(recordingOf(text));
	expect(timeline.factCount).toBe(400);
	const states: State[] = [emptyState];
	for (const fact of facts) states.push(fold(states.at(-1) ?? emptyState, fact));
	for (const count of [400, 0, 399, 1, 128, 127, 64, 65, 310, 309, 311, 400, 12]) {
		expect(plain(timeline.stateAfter(count)), `after ${count}`).toEqual(
			plain(states[count] ?? emptyState),
		);
	}
});

test('a timeline finds the fact at a time, and the time of a fact', async () => {
	const { text } = await writeRecording(facts);
	const { factCountAt, timeOfFact } = createTimeline(recordingOf(text));
	const ages = [-1, 0, 3 * second, 4 * second, Number.MAX_SAFE_INTEGER];
	expect(ages.map(age => factCountAt(start + age))).toEqual([0, 1, 2, 3, 400]);
	expect(timeOfFact(3)).toBe(start + 4 * second);
});

test('a timeline finds the next and the previous line of the log, and stops at its ends', async () => {
	const { text } = await writeRecording(facts);
	const timeline = createTimeline(recordingOf(text));
	const found = (next: (count: number) => number | undefined, from: number) => {
		const all: number[] = [];
		for (let at = next(from); at !== undefined; at = next(at)) all.push(at);
		return all;
	};
	expect(found(timeline.factCountAtNextChange, 0)).toEqual(changesAt);
	expect(found(timeline.factCountAtPreviousChange, 400)).toEqual([...changesAt].reverse());
});

import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRecordingFile } from '../../source/journal/recording.ts';
import { createTimeline } from '../../source/journal/timeline.ts';
import { account, everyFact, listRead, shareToken, start } from '../arbitraries/sample-facts.ts';
import { createHeldClock } from '../held-clock.ts';
import { factsIn, recordingOf, writeRecording } from './recorded.ts';
import { stateDirectory } from './state-directory.ts';

const second = 1_000;

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
	expect(withoutSecrets([...(accounts.get(account)?.changes ?? [])])).toEqual(
		withoutSecrets([...(state.accounts.get(account)?.changes ?? [])]),
	);
	expect(accounts.get(account)?.reads).toEqual(state.accounts.get(account)?.reads);
});

test('a recording contains no password, token or address that gives access', async () => {
	const message = [
		'401: Bearer eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImEifQ.c2lnbmF0dXJl was refused,',
		'see https://user:pass99@pay.acme.test/s?session=cs_test_a1b2c3d4#frag',
		`or /v1/p/share/${shareToken}; api_key=abcdef token: "xyz789" sk_live_4eC39HqLyjWDarjtT1`,
		'9f8e7d6c5b4a39281706f5e4d3c2b1a0',
	].join(' ');
	const failure = { kind: 'auth', message, advice: '', isOutcomeUnknown: false } as const;
	const last = { account, at: start + 60_000, type: 'signInFailed', failure } as const;
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
	const path = join(await stateDirectory(), '..', 'there.jsonl');
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
	const path = join(await stateDirectory(), '..', 'nothing.jsonl');
	const clock = createHeldClock();
	const options = { path, clock, onProblem() {} };
	await (await openRecordingFile({ ...options, canOverwrite: false })).close();
	await expect(stat(path)).rejects.toThrow(/ENOENT/);
});

test('the recorder ends the recording when the disk is full and reports this once, and the program continues', async () => {
	const path = '/dev/full';
	const { troubles } = await writeRecording(everyFact, { path, canOverwrite: true, reads: false });
	expect(troubles).toHaveLength(1);
	expect(troubles[0]).toBe('the disk is full');
});

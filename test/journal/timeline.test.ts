import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import { createTimeline } from '../../source/journal/timeline.ts';
import { fold } from '../../source/store/fold.ts';
import { emptyState, type State } from '../../source/store/state.ts';
import { account, listRead, operationFacts, start } from '../arbitraries/sample-facts.ts';
import { recordingOf, writeRecording } from './recorded.ts';

const second = 1_000;

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
	expect(factCountAt(start - 1)).toBe(0);
	expect(factCountAt(start)).toBe(1);
	expect(factCountAt(start + 3 * second)).toBe(2);
	expect(factCountAt(start + 4 * second)).toBe(3);
	expect(factCountAt(Number.MAX_SAFE_INTEGER)).toBe(400);
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

test('a timeline finds the lines of the log that are about operations, too', async () => {
	const stop = { key: 'k', operation: 'stop', computer: 'sb_1' };
	const operation = operationFacts(stop, { queued: start, sent: start + 1 });
	const { text } = await writeRecording([...operation, ...facts.slice(1, 3)]);
	expect(createTimeline(recordingOf(text)).factCountAtNextChange(0)).toBe(2);
});

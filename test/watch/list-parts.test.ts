import { expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import {
	createListParts,
	leastDelayedUsages,
	usageDelayMs,
} from '../../source/watch/list-parts.ts';
import { accountAfter, fact, listRead } from '../arbitraries/sample-facts.ts';
import { createHeldClock } from '../held-clock.ts';

const computerOf = (place: number): Reading => ({
	...{ id: `sb_${place}`, name: `computer ${place}`, status: 'active' },
	...{ cpu: place % 100, memory: 40 },
});
const fleet = Array.from({ length: leastDelayedUsages + 2 }, (_, place) => computerOf(place));
const first = fleet[0] as Reading;
/** The fleet with another CPU of all computers but the first. */
const busier = fleet.map(reading =>
	reading === first ? reading : { ...reading, cpu: Number(reading.cpu) / 2 + 1 },
);
const failed: Reading = {
	id: 'sb_0',
	name: 'computer 0',
	status: 'error',
	cpu: null,
	memory: null,
};
const withFirst = (reading: Reading) => [reading, ...busier.slice(1)];

/** Reports lists, and returns the facts that came at once and those that came with the timer. */
function reportLists(...lists: readonly (readonly Reading[])[]) {
	const clock = createHeldClock();
	const facts: Fact[] = [];
	const parts = createListParts(clock, each => facts.push(each));
	for (const [place, computers] of lists.entries()) {
		clock.move(1_000);
		facts.length = 0;
		parts.report(listRead(place, computers));
	}
	return { clock, facts, parts };
}

test('a change of a status is reported at once with the earlier CPU of the others, and the whole list a moment later', () => {
	const { clock, facts } = reportLists(fleet, withFirst(failed));
	expect(facts).toEqual([{ ...listRead(1, [failed, ...fleet.slice(1)]), usageFollows: true }]);
	clock.move(usageDelayMs - 1);
	expect(facts).toHaveLength(1);
	clock.move(1);
	expect(facts[1]).toEqual(listRead(1, withFirst(failed)));
	expect(clock.waiting).toBe(0);
});

test.each<[string, readonly Reading[]]>([
	['a computer is new', [...busier, { ...computerOf(0), id: 'sb_new' }]],
	['a computer is gone', busier.slice(1)],
	['a value disappears', withFirst({ ...first, memory: null })],
	['a field disappears', withFirst({ id: 'sb_0', name: 'computer 0', status: 'active', cpu: 3 })],
])('a list in which %s is reported in two parts', (_, computers) => {
	const { clock, facts } = reportLists(fleet, computers);
	expect(facts).toMatchObject([{ usageFollows: true }]);
	const ids = facts.flatMap(each => (each.type === 'listRead' ? each.computers : []));
	expect(ids.map(({ id }) => id)).toEqual(computers.map(({ id }) => id));
	clock.move(usageDelayMs);
	expect(facts[1]).toEqual(listRead(1, computers));
});

test.each<[string, readonly (readonly Reading[])[]]>([
	['is the first', [withFirst(failed)]],
	['only has other CPU and memory', [fleet, busier]],
	['only has another order', [fleet, busier.toReversed()]],
	['has another CPU of few computers', [fleet, [failed, ...busier.slice(1, 9), ...fleet.slice(9)]]],
])('a list that %s is reported as a whole', (_, lists) => {
	const { clock, facts } = reportLists(...lists);
	expect(facts).toEqual([listRead(lists.length - 1, lists.at(-1) ?? [])]);
	expect(clock.waiting).toBe(0);
});

test('the whole list comes before the next fact', () => {
	const { clock, facts, parts } = reportLists(fleet, withFirst(failed));
	const next = fact(2, { type: 'computerMissed', id: 'sb_0' });
	parts.report(next);
	expect(facts.slice(1)).toEqual([listRead(1, withFirst(failed)), next]);
	clock.move(usageDelayMs);
	expect(facts).toHaveLength(3);
});

test('a part that was cancelled is not reported', () => {
	const { clock, facts, parts } = reportLists(fleet, withFirst(failed));
	parts.cancel();
	clock.move(usageDelayMs);
	parts.report(listRead(2, fleet));
	expect(facts.filter(each => each.at === 1)).toHaveLength(1);
});

test('a list in two parts leads to the same state as the whole list', () => {
	const { clock, facts } = reportLists(fleet, withFirst(failed));
	clock.move(usageDelayMs);
	expect(facts).toHaveLength(2);
	const before = listRead(0, fleet);
	expect(accountAfter(before, ...facts)).toEqual(
		accountAfter(before, listRead(1, withFirst(failed))),
	);
});

test('a long list is compared with the one before in several turns, and not again when it is reported', async () => {
	const facts: Fact[] = [];
	const parts = createListParts(createHeldClock(), each => facts.push(each));
	let compared = 0;
	const counted = (cpu: number) =>
		Array.from(
			{ length: 10_000 },
			(_, index): Reading => ({
				get id() {
					compared += 1;
					return `sb_${index}`;
				},
				status: index === 0 && cpu > 1 ? 'stopped' : 'active',
				cpu,
			}),
		);
	const [before, after] = [counted(1), counted(2)];
	parts.report(listRead(0, before));
	const turns: number[] = [];
	compared = 0;
	const endTurn = () => {
		turns.push(compared);
		compared = 0;
	};
	await parts.prepare(after, async () => endTurn());
	endTurn();
	expect(turns).toHaveLength(10);
	expect(Math.max(...turns)).toBeLessThan(6 * 1_000);
	facts.length = 0;
	parts.report(listRead(1, after));
	expect(compared).toBe(0);
	const [first] = facts;
	const [stopped, other] = first?.type === 'listRead' ? first.computers : [];
	expect([stopped, other]).toEqual([after[0], before[1]]);
});

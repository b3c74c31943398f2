import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import { createActivity } from '../../source/foundation/activity.ts';
import { createFoldInOrder } from '../../source/store/fold-in-order.ts';
import { foldList, foldListInAdvance } from '../../source/store/fold-list.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { account, listRead, statusRead } from '../arbitraries/sample-facts.ts';

const computers = Array.from({ length: 10_000 }, (_, place) => ({
	id: `sb_${place}`,
	name: `computer ${place}`,
	status: 'active',
	cpu: place % 90,
}));
const busier = computers.map(computer => ({ ...computer, cpu: computer.cpu + 1 }));

/** Folds facts in order. The test decides when a turn of the event loop ends. */
function openFold() {
	const store = createStore();
	const activity = createActivity();
	const controller = new AbortController();
	const ends: (() => void)[] = [];
	const folded: string[] = [];
	store.onFact(({ type }) => folded.push(type));
	let lateCount = 0;
	const fold = createFoldInOrder({
		store,
		activity,
		signal: controller.signal,
		nextTurn: () => new Promise(resolve => ends.push(resolve)),
		onLateFold: () => {
			lateCount += 1;
		},
	});
	return {
		store,
		activity,
		controller,
		fold,
		folded,
		lateCount: () => lateCount,
		size: () => store.getState().accounts.get(account)?.computers.size ?? 0,
		/** Ends turns until no fact waits, and returns the number of turns. */
		async endTurns(whenTurnEnds: (count: number) => void = () => {}) {
			let count = 0;
			for (let end = ends.shift(); end; end = ends.shift()) {
				count += 1;
				whenTurnEnds(count);
				end();
				await new Promise(setImmediate);
			}
			return count;
		},
	};
}

const stateAfter = (...facts: readonly Fact[]) => {
	const store = createStore();
	store.foldAll(facts);
	return store.getState();
};

test('a long list is folded in many turns, and the store changes in the last one only', async () => {
	const { store, fold, size, lateCount, activity, endTurns } = openFold();
	fold(listRead(1, computers));
	const sizes = new Set<number>();
	expect(activity.pendingCount).toBe(1);
	expect(await endTurns(() => sizes.add(size()))).toBeGreaterThan(20);
	expect([...sizes]).toEqual([0]);
	expect([size(), lateCount(), activity.pendingCount]).toEqual([10_000, 1, 0]);
	fold(listRead(2, busier));
	await endTurns();
	expect(store.getState()).toEqual(stateAfter(listRead(1, computers), listRead(2, busier)));
});

test('a short list is folded at once', () => {
	const { fold, size, lateCount } = openFold();
	fold(listRead(1, computers.slice(0, 1_000)));
	expect([size(), lateCount()]).toEqual([1_000, 0]);
});

test('the facts that come while a list is folded wait for it', async () => {
	const { fold, folded, endTurns } = openFold();
	fold(listRead(1, computers));
	fold(statusRead(2, { id: 'sb_1', status: 'stopped' }));
	fold(listRead(3, busier));
	expect(folded).toEqual([]);
	await endTurns();
	expect(folded).toEqual(['listRead', 'statusRead', 'listRead']);
	fold(statusRead(4, { id: 'sb_2', status: 'stopped' }));
	expect(folded).toHaveLength(4);
});

test.each([1, 1_000])(
	'a list is folded completely even if other facts change the account %i times in the meantime',
	async times => {
		const { store, fold, folded, endTurns } = openFold();
		fold(listRead(1, computers));
		const changes: Fact[] = [];
		await endTurns(count => {
			const isChanging = count % 10 === 5 && changes.length < times;
			if (!isChanging) return;
			const fact: Fact = { account, at: 1, type: 'signedIn', email: `${count}@example.com` };
			changes.push(fact);
			store.fold(fact);
		});
		expect(changes.length).toBeGreaterThan(0);
		expect(folded.at(-1)).toBe('listRead');
		expect(store.getState()).toEqual(stateAfter(...changes, listRead(1, computers)));
	},
);

test('nothing is folded after the account has been closed', async () => {
	const { fold, folded, controller, activity, endTurns } = openFold();
	fold(listRead(1, computers));
	fold(statusRead(2, { id: 'sb_1', status: 'stopped' }));
	controller.abort();
	await endTurns();
	expect([folded, activity.pendingCount]).toEqual([[], 0]);
});

test('the result of a fold in advance is used once, so that the list does not keep two accounts in memory', () => {
	const list = listRead(1, computers);
	if (list.type !== 'listRead') throw new Error('This is not a list');
	const steps = foldListInAdvance(emptyAccount, list);
	let step = steps.next();
	while (!step.done) step = steps.next();
	expect(foldList(emptyAccount, list)).toBe(step.value);
	const again = foldList(emptyAccount, list);
	expect(again).not.toBe(step.value);
	expect(again).toEqual(step.value);
});

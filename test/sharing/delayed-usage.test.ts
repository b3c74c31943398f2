import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { factFrom, type PreviousLists } from '../../source/recording/list-delta.ts';
import {
	createLineSocket,
	jsonLineOf,
	maxMessageLength,
} from '../../source/sharing/line-socket.ts';
import { messageFrom } from '../../source/sharing/messages.ts';
import { createStore } from '../../source/store/store.ts';
import { usageDelayMs } from '../../source/watch/list-parts.ts';
import { openPanes, type Pane } from './panes.ts';

const readingsOf = ({ state }: Pick<Pane, 'state'>) =>
	Array.from(state().computers.values(), ({ reading }) => reading);
const failedIn = ({ state }: Pick<Pane, 'state'>, id: string) =>
	state().computers.get(id)?.phase === 'error';
const lastListOf = ({ facts }: Pick<Pane, 'facts'>) =>
	facts.findLast(({ type }) => type === 'listRead');

/**
 * Opens panes of a fleet in which CPU and memory of most computers change with each list, until all of them have the
 * first part of a list in which a computer has failed.
 */
async function openDuringDelay() {
	const panes = await openPanes({ computers: 100 });
	const [first, second] = [panes.open(1), panes.open(2)];
	const both = [first, second];
	await panes.until(() => both.every(({ state }) => state().computers.size === 100), 5_000);
	await panes.pass(5_000);
	const { id } = panes.simulator.world.computers().find(({ state }) => state === 'active') ?? {
		id: '',
	};
	panes.simulator.world.fail(id);
	// The first part is looked for in steps that are shorter than the delay.
	await panes.until(() => both.every(pane => failedIn(pane, id)), 10_000);
	for (const pane of both) expect(lastListOf(pane)).toMatchObject({ usageFollows: true });
	return { ...panes, first, second, id };
}

test('followers learn of a failure before the CPU and memory of the other computers, and of these a moment later', async () => {
	const { first, second, pass } = await openDuringDelay();
	const before = readingsOf(second);
	await pass(usageDelayMs);
	for (const pane of [first, second]) expect(lastListOf(pane)).not.toHaveProperty('usageFollows');
	expect(readingsOf(second)).toEqual(readingsOf(first));
	expect(readingsOf(second)).not.toEqual(before);
});

test('a pane that opens between the two parts of a list has the same fleet afterwards', async () => {
	const { first, second, id, open, until, pass } = await openDuringDelay();
	const third = open(3);
	await until(() => failedIn(third, id));
	expect(lastListOf(first)).toMatchObject({ usageFollows: true });
	await pass(usageDelayMs);
	for (const pane of [second, third]) expect(readingsOf(pane)).toEqual(readingsOf(first));
	expect(third.state().usage.slots.length).toBeGreaterThan(0);
});

test('a follower that misses the second part of a list comes back with everything', async () => {
	const { first, second, until, pass } = await openDuringDelay();
	second.cut();
	await pass(usageDelayMs);
	await until(() => second.role() === 'following', 5_000);
	await pass(100);
	expect(readingsOf(second)).toEqual(readingsOf(first));
});

test('when the leader is killed between the two parts of a list, the next leader reads what is missing', async () => {
	const { first, second, id, open, until, pass, kill, simulator } = await openDuringDelay();
	const third = open(3);
	await until(() => failedIn(third, id));
	await kill(first);
	await until(() => [second, third].some(pane => pane.role() === 'leading'), 1_000);
	await pass(5_000);
	for (const pane of [second, third]) expect(lastListOf(pane)).not.toHaveProperty('usageFollows');
	expect(readingsOf(third)).toEqual(readingsOf(second));
	expect(readingsOf(third)).toHaveLength(simulator.world.computers().length);
	const failures = second
		.state()
		.changes.filter(change => change.type === 'statusChanged' && change.id === id);
	expect(failures).toHaveLength(1);
});

test('a leader that closes between the two parts of a list folds nothing afterwards', async () => {
	const { first, pass } = await openDuringDelay();
	await first.close();
	const { length } = first.facts;
	await pass(2 * usageDelayMs);
	expect(first.facts.slice(length).filter(({ type }) => type === 'listRead')).toEqual([]);
});

test('a follower of an earlier version has the same fleet after the second part', async () => {
	const panes = await openPanes({ computers: 100 });
	const first = panes.open(1);
	await panes.until(() => first.state().computers.size === 100, 5_000);
	const store = createStore();
	let lists: PreviousLists = new Map();
	let parts = 0;
	const socket = connect(panes.path);
	onTestFinished(() => void socket.destroy());
	createLineSocket({
		socket,
		maxLineLength: maxMessageLength,
		onMessage(value) {
			const message = messageFrom(value);
			if (message?.type !== 'fact') return;
			const { lists: next, fact } = factFrom(lists, message.fact);
			lists = next;
			if (fact.type !== 'listRead') return store.fold(fact);
			const { usageFollows, ...known } = fact;
			parts += Number(usageFollows === true);
			store.fold(known);
		},
		onClose() {},
	});
	socket.write(jsonLineOf({ type: 'hello', pid: 2 }));
	await panes.pass(3_000);
	const { id } = panes.simulator.world.computers().find(({ state }) => state === 'active') ?? {
		id: '',
	};
	panes.simulator.world.fail(id);
	await panes.pass(6_000);
	const computers = store.getState().accounts.get('test')?.computers;
	expect(parts).toBeGreaterThan(0);
	expect(computers?.get(id)?.phase).toBe('error');
	expect(Array.from(computers?.values() ?? [], ({ reading }) => reading)).toEqual(
		readingsOf(first),
	);
});

import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { OperationSpec } from '../../source/fleet/operations/operation.ts';
import { messageFrom } from '../../source/sharing/socket.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { second } from '../durations.ts';
import { openFollowed } from '../sharing/panes.ts';

/** Connects to the leader as any program of this user can. */
async function openPeer(path: string) {
	const socket = connect(path);
	onTestFinished(() => void socket.destroy());
	socket.on('error', () => {});
	const state = { isClosed: false, received: '' };
	socket.setEncoding('utf8').on('data', text => {
		state.received += text;
	});
	socket.on('close', () => {
		state.isClosed = true;
	});
	const send = (message: unknown) => socket.write(`${JSON.stringify(message)}\n`);
	return { socket, state, send };
}

/** A message that tells of an operation. */
const wishOf = (wish: OperationSpec) => {
	const fact = { account: 'test', at: 1, ...operationChanged(wish, 'queued') };
	return { type: 'fact', fact };
};

test.each([
	['longer than a megabyte', `["${'x'.repeat(1_100_000)}`],
	['nested deeply', `${'['.repeat(500)}${']'.repeat(500)}}\n`],
])('a peer whose line is %s is cut off, and the leader goes on', async (_, rest) => {
	const { path, until, first: leader, pass } = await openFollowed(1);
	const { socket, state } = await openPeer(path);
	socket.write(`{"type":"attention","visibleIds":${rest}`);
	await until(() => state.isClosed);
	await pass(second);
	expect(leader.state().reads.list?.failing).toBeUndefined();
});

test.each([1, 2])(
	'a peer that claims to be pane %i, which is another one, is cut off and tells nothing',
	async pid => {
		const { path, until, first: leader, pass } = await openFollowed(2);
		const { state, send } = await openPeer(path);
		send({ type: 'hello', id: String(pid) });
		send(wishOf({ key: 'k', operation: 'delete', computer: 'sb_1' }));
		await until(() => state.isClosed);
		await pass(second);
		expect(leader.state().operations.size).toBe(0);
	},
);

test('a peer that introduces itself twice is cut off, and follows no longer', async () => {
	const { path, until, first: leader } = await openFollowed(1);
	const { state, send } = await openPeer(path);
	send({ type: 'hello', id: '9' });
	await until(() => leader.state().sharedWatch?.followers === 1, 5 * second);
	send({ type: 'hello', id: '8' });
	await until(() => state.isClosed && leader.state().sharedWatch?.followers === undefined);
});

test('a pane that asks for operations without end does not fill the state of the leader', async () => {
	const { path, until, first: leader, pass } = await openFollowed(1);
	const { send } = await openPeer(path);
	let most = 0;
	leader.store.subscribe(() => {
		most = Math.max(most, leader.state().operations.size);
	});
	send({ type: 'hello', id: '9' });
	for (let at = 0; at < 2_100; at += 1)
		send(wishOf({ key: `k${at}`, operation: 'restart', computer: `sb_${at}` }));
	await until(() => most >= 2_000, 5 * second);
	await pass(2 * second);
	expect(most).toBe(2_000);
	// No process of that name runs, so what it asked for is forgotten.
	expect(leader.state().operations.size).toBe(0);
});

test('a list of more computers than a platform may have is no message', () => {
	const messageWith = (count: number) => {
		const computers = Array.from({ length: count }, (_, index) => ({ id: `sb_${index}` }));
		const fact = { account: 'test', at: 1, type: 'listRead', computers };
		return messageFrom(JSON.stringify({ type: 'fact', fact }));
	};
	expect(messageWith(20_000)?.type).toBe('fact');
	expect(messageWith(20_001)).toBeUndefined();
});

test('a view of more computers than a screen has rows is no message, so nobody reads each of them', () => {
	const messageWith = (count: number) => {
		const visibleIds = Array.from({ length: count }, (_, index) => `sb_${index}`);
		return messageFrom(
			JSON.stringify({ type: 'attention', visibleIds, views: [], attendedUntil: 1 }),
		);
	};
	expect(messageWith(1_000)?.type).toBe('attention');
	expect(messageWith(1_001)).toBeUndefined();
});

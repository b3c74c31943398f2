import { expect, test } from 'vitest';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import {
	lineOf,
	type Message,
	messageFrom,
	receiveMessages,
	sendLine,
} from '../../source/sharing/socket.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { socketPair } from './socket-pair.ts';

/** Connects two sockets, of which the first is read as the messages of a follower. */
async function openPair() {
	const [near, far] = await socketPair();
	const messages: Message[] = [];
	receiveMessages(near, 'follower', message => messages.push(message));
	const until = async (isSo: () => boolean) => {
		while (!isSo()) await new Promise(setImmediate);
	};
	return { near, far, messages, until };
}

test('a message may arrive in pieces, also within a character, and what is no message is skipped', async () => {
	const { far, messages, until } = await openPair();
	const bytes = Buffer.from(
		'{"a":\nnull\n{"type":"hello","id":"größe 世"}\n{"type":"new"}\n{"type":"hello"}\n',
	);
	for (const byte of bytes) far.write(Buffer.from([byte]));
	await until(() => messages.length === 2);
	expect(messages).toEqual([{ type: 'hello', id: 'größe 世' }, { type: 'hello' }]);
});

test('a receiver that does not read is cut off', async () => {
	const { near, far, until } = await openPair();
	far.pause();
	for (let sent = 0; sent < 20; sent += 1) sendLine(near, 'x'.repeat(4_000_000));
	await until(() => near.destroyed);
	sendLine(near, 'later');
});

test('a message from another process is validated, and its texts are cleaned', () => {
	const fact = { account: 'a', at: 1, type: 'readFailed', read: 'list' };
	const told = (message: unknown) => messageFrom(JSON.stringify(message));
	const withMessage = (message: string) =>
		told({ type: 'fact', fact: { ...fact, failure: createFailure('server', message) } });
	for (const unclean of ['broken\u001B[2J', 'broken\u009B2J', 'broken\n', 'bro\u200Bken'])
		expect(withMessage(unclean)).toMatchObject({ fact: { failure: { message: 'broken' } } });
	expect(JSON.stringify(withMessage('x'.repeat(10_000))).length).toBeLessThan(5_000);
	const failure = createFailure('server', 'broken');
	for (const value of [
		...[null, 7, {}, { type: 'fact' }, { type: 'hello', id: 7 }],
		{ type: 'fact', fact: { ...fact, at: 'soon', failure } },
		{ type: 'fact', fact: { type: 'newFact', account: 'a', at: 1 } },
	])
		expect(told(value)).toBeUndefined();
});

test('fields that a newer version has added to a message are ignored', () => {
	const stop = { key: 'k', operation: 'stop' };
	const fact = { account: 'a', at: 1, ...operationChanged(stop, 'cancelled') };
	const newer = { type: 'fact', urgency: 'high', fact: { ...fact, cause: { person: 'b' } } };
	expect(messageFrom(JSON.stringify(newer))).toEqual(
		messageFrom(lineOf({ type: 'fact', fact } as Message)),
	);
});

import { expect, test } from 'vitest';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { createLineSocket } from '../../source/sharing/line-socket.ts';
import { messageFrom } from '../../source/sharing/messages.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { socketPair } from './socket-pair.ts';

/** Connects two sockets, of which the first is read as lines. */
async function openPair(maxLineLength = 1_000) {
	const [near, far] = await socketPair();
	const messages: unknown[] = [];
	let closings = 0;
	const line = createLineSocket({
		socket: near,
		maxLineLength,
		onMessage: message => messages.push(message),
		onClose: () => {
			closings += 1;
		},
	});
	const closed = () => new Promise<void>(done => void near.once('close', () => setImmediate(done)));
	return { line, far, near, messages, closings: () => closings, closed };
}

const turn = () => new Promise(setImmediate);

test('a line socket joins lines that arrive in pieces, also within a character', async () => {
	const { far, messages } = await openPair();
	const bytes = Buffer.from('{"name":"größe 世"}\n{"a":1}\n');
	for (const byte of bytes) {
		far.write(Buffer.from([byte]));
		await turn();
	}
	while (messages.length < 2) await turn();
	expect(messages).toEqual([{ name: 'größe 世' }, { a: 1 }]);
});

test('a line socket skips a line that is not JSON', async () => {
	const { far, messages } = await openPair();
	far.write('{"a":\nnull\n{"b":2}\n');
	while (messages.length < 2) await turn();
	expect(messages).toEqual([null, { b: 2 }]);
});

test('a line socket cuts a connection whose line is too long', async () => {
	const { far, closed, closings } = await openPair(100);
	const isClosed = closed();
	far.write('x'.repeat(101));
	await isClosed;
	expect(closings()).toBe(1);
});

test('a line socket cuts the connection to a receiver that does not read', async () => {
	const { line, far, closed } = await openPair();
	far.pause();
	const isClosed = closed();
	const text = 'x'.repeat(4_000_000);
	let sent = 0;
	while (line.send(text)) sent += 1;
	await isClosed;
	expect(sent).toBeLessThan(12);
	expect(line.send('later')).toBe(false);
});

test('a message from another process is validated, and its texts are cleaned', () => {
	const fact = { account: 'a', at: 1, type: 'readFailed', read: 'list' };
	const failure = createFailure('server', 'broken\u001B[2J');
	expect(messageFrom({ type: 'fact', fact: { ...fact, failure } })).toMatchObject({
		fact: { failure: { message: 'broken' } },
	});
	for (const value of [
		null,
		7,
		{},
		{ type: 'unknown' },
		{ type: 'fact' },
		{ type: 'hello', pid: '7' },
	]) {
		expect(messageFrom(value)).toBeUndefined();
	}
	expect(messageFrom({ type: 'fact', fact: { ...fact, at: 'soon', failure } })).toBeUndefined();
	expect(
		messageFrom({ type: 'fact', fact: { type: 'newFact', account: 'a', at: 1 } }),
	).toBeUndefined();
});

test('fields that a newer version has added to a message are ignored', () => {
	const stop = { key: 'k', operation: 'stop' };
	const fact = { account: 'a', at: 1, ...operationChanged(stop, 'cancelled') };
	const message = { type: 'fact', fact, pane: 7 };
	const newer = { ...message, urgency: 'high', fact: { ...fact, cause: { person: 'b' } } };
	expect(messageFrom(newer)).toEqual(message);
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { commonFactFields, type Fact, factTable } from '../fleet/fact.ts';
import { readNames } from '../fleet/reads.ts';
import type { Clock } from '../foundation/clock.ts';
import { hasCode } from '../foundation/error.ts';
import * as v from '../foundation/schema.ts';
import { jsonFrom, validatorOf } from '../foundation/schema.ts';
import { createJsonCheck } from '../platform/decoding/answer.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import { maxRecords } from '../platform/decoding/decode.ts';

// Each message on the socket is one line of JSON:
//
//   leader ──▶ follower                            follower ──▶ leader
//   {"type":"hello","id":"7c1e…"}                  {"type":"hello","id":"90ab…"}
//   {"type":"fact","fact":{…}}   the state first   {"type":"fact","fact":{"type":"operationChanged",…}}
//   {"type":"beat",…}            all is known now  {"type":"attention","visibleIds":[…],…}
//
// A command that only asks for the state goes after the first beat.

const read = v.object({
	name: v.oneOf(readNames),
	id: v.optional(v.id),
	purpose: v.optional(v.oneOf(['urgent', 'attended', 'rest'])),
});

const messageSchema = v.unionOf({
	hello: { id: v.word },
	/**
	 * Of the leader, once a second. Only the terminal of the process that a person used last rings. `screen`: a person can
	 * see a process, and change something there.
	 */
	beat: { usedLast: v.word, screen: v.optional(v.oneOf(['open', 'readOnly'])) },
	/** `pane` of the fact is absent if the sender produced it. */
	fact: { fact: v.unionOf(factTable, commonFactFields) },
	/** Only a process with a screen sends it. */
	attention: {
		visibleIds: v.listOf(v.id),
		views: v.listOf(v.word),
		detailId: v.optional(v.id),
		restingSince: v.optional(v.time),
		attendedUntil: v.time,
		isReadOnly: v.optional(v.boolean),
	},
	/** A person asks for these reads; without `reads`, for everything on screen. */
	readNow: { reads: v.optional(v.listOf(read)) },
});

export type Message = v.ValueOf<typeof messageSchema>;

type Screens = Extract<Message, { type: 'beat' }>['screen'];

const validMessage = validatorOf(messageSchema);

/** No screen shows more computers. */
const maxVisibleIds = 1_000;

/** With clean texts; undefined if the line is damaged, of an unknown type, or larger than any that a monitor sends. */
export function messageFrom(line: string): Message | undefined {
	const message = validMessage.parse(jsonFrom(line));
	if (!message || isTooLarge(message)) return undefined;
	return validMessage.copy(message, text => cleanText(text));
}

function isTooLarge(message: Message): boolean {
	if (message.type === 'attention') return message.visibleIds.length > maxVisibleIds;
	if (message.type !== 'fact' || message.fact.type !== 'listRead') return false;
	return message.fact.computers.length > maxRecords;
}

/** A receiver with this many unread bytes has stopped reading. It is cut off, and may connect again. */
const maxUnreadBytes = 32_000_000;

export function send(sockets: readonly Socket[], message: Message): void {
	if (sockets.length === 0) return;
	const line = `${JSON.stringify(message)}\n`;
	for (const socket of sockets) {
		if (socket.writableLength > maxUnreadBytes) socket.destroy();
		if (!socket.destroyed) socket.write(line);
	}
}

/** The largest line of a leader is a list of the largest fleet that the program reads. */
const maxLineLength = { leader: 48_000_000, follower: 1_000_000 };

/** A sender whose line is too long or nested too deeply is cut off. */
export function receiveMessages(
	socket: Socket,
	sender: 'leader' | 'follower',
	onMessage: (message: Message) => void,
): void {
	let unfinished = '';

	function receive(text: string) {
		unfinished += text;
		if (unfinished.length > maxLineLength[sender]) return void socket.destroy();
		if (!text.includes('\n')) return;
		const lines = unfinished.split('\n');
		unfinished = lines.pop() ?? '';
		for (const line of lines) if (!socket.destroyed) passOn(line);
	}

	function passOn(line: string) {
		try {
			createJsonCheck()(Buffer.from(line));
		} catch {
			return void socket.destroy();
		}
		const message = messageFrom(line);
		if (message) onMessage(message);
	}

	socket.setEncoding('utf8').on('data', receive);
	// An error is always followed by the end of the connection.
	socket.on('error', () => {});
}

/** A slow or stopped process still accepts connections, so only a refused one shows that a socket is dead. */
export async function connectTo(path: string): Promise<Socket | undefined> {
	const socket = connect(path);
	try {
		await once(socket, 'connect');
		return socket;
	} catch (error) {
		if (hasCode(error, 'ENOENT', 'ECONNREFUSED')) return undefined;
		throw error;
	}
}

/** If that cannot be found out, it may. */
export const isListening = (path: string): Promise<boolean> =>
	connectTo(path).then(
		socket => socket?.destroy() !== undefined,
		() => true,
	);

const maxAnswerMs = 500;

/**
 * The facts from which the state of the leader follows; none if no process leads, or it does not answer, or has not read the
 * reply.
 */
export async function askLeader(
	path: string | undefined,
	ownId: string,
	clock: Clock,
	reply: (screen: Screens) => Fact | undefined = () => undefined,
): Promise<readonly Fact[]> {
	const socket = path && (await connectTo(path).catch(() => undefined));
	if (!socket) return [];
	const facts: Fact[] = [];
	let leader = '';
	let isComplete = false;
	receiveMessages(socket, 'leader', message => {
		if (message.type === 'hello') leader = message.id;
		if (message.type === 'fact') facts.push({ pane: leader, ...message.fact });
		if (message.type !== 'beat' || isComplete) return;
		isComplete = true;
		const fact = reply(message.screen);
		if (!fact) return void socket.destroy();
		send([socket], { type: 'fact', fact });
		// The leader closes the connection when it has read all. What is unread would be lost with a broken one.
		socket.end();
	});
	send([socket], { type: 'hello', id: ownId });
	const cancelTimer = clock.after(maxAnswerMs, () => socket.destroy(new Error('no answer')));
	const hasFailed = await new Promise(resolve => socket.once('close', resolve));
	cancelTimer();
	return isComplete && !hasFailed ? facts : [];
}

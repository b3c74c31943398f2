import { connect } from 'node:net';
import type { Fact } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import { factFrom, type PreviousLists } from '../recording/list-delta.ts';
import { createLineSocket } from './line-socket.ts';
import { maxMessageLength, messageFrom } from './messages.ts';

/** Everything that a leader knows, and its pid. */
export type LeaderAnswer = { pid: number; facts: readonly Fact[] };

// A leader answers within a few milliseconds. One that takes longer may be stopped.
const maxAnswerMs = 500;

/** Returns what the process that polls the account knows; undefined if no process polls, or it does not answer. */
export function askLeader(path: string, clock: Clock): Promise<LeaderAnswer | undefined> {
	return new Promise(resolve => {
		const facts: Fact[] = [];
		let pid = 0;
		let lists: PreviousLists = new Map();
		const socket = connect(path);
		const line = createLineSocket({
			socket,
			maxLineLength: maxMessageLength,
			onMessage(value) {
				const message = messageFrom(value);
				if (message?.type === 'hello') pid = message.pid;
				if (message?.type === 'fact') {
					const next = factFrom(lists, message.fact);
					lists = next.lists;
					facts.push({ ...next.fact, pane: message.pane ?? pid });
				}
				if (message?.type === 'ready') end({ pid, facts });
			},
			onClose: () => end(undefined),
		});
		const cancelTimer = clock.after(maxAnswerMs, () => end(undefined));

		function end(answer: LeaderAnswer | undefined) {
			cancelTimer();
			resolve(answer);
			line.close();
		}
	});
}

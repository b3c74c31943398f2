import type { Fact } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import { factFrom, type PreviousLists } from '../recording/list-delta.ts';
import { askLeader } from './ask-leader.ts';
import { maxMessageLength } from './line-socket.ts';
import { messageFrom } from './messages.ts';

/** The facts that a leader knows, and the pid of the leader. */
export type LeaderFacts = { pid: number; facts: readonly Fact[] };

/** Asks the process that polls an account for its facts of some types; undefined if no process answers. */
export function askFacts(
	path: string,
	clock: Clock,
	types: readonly Fact['type'][],
): Promise<LeaderFacts | undefined> {
	const facts: Fact[] = [];
	let pid = 0;
	let lists: PreviousLists = new Map();
	return askLeader({
		path,
		clock,
		maxLineLength: maxMessageLength,
		message: { type: 'askFacts', types },
		onMessage(value) {
			const message = messageFrom(value);
			if (message?.type === 'hello') pid = message.pid;
			if (message?.type === 'fact') {
				const next = factFrom(lists, message.fact);
				lists = next.lists;
				facts.push({ ...next.fact, pane: message.pane ?? pid });
			}
			return message?.type === 'ready' ? { pid, facts } : undefined;
		},
	});
}

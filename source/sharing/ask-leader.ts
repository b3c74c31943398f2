import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import type { Fact } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import { factFrom, type PreviousLists } from '../journal/list-delta.ts';
import { createLineSocket, maxMessageLength } from './line-socket.ts';
import { messageFrom } from './messages.ts';

const readingMs = 20;

// A leader greets within a few milliseconds, so one that takes longer may be stopped.
const maxGreetingMs = 500;

// A leader that has greeted runs, but a busy machine may take this long to send a large fleet.
const maxWorkMs = 3_000;

/** Asks the process that polls an account for what it knows; undefined if no process polls, or it does not answer. */
export function askLeader(path: string, clock: Clock): Promise<readonly Fact[] | undefined> {
	// Most commands run while no monitor is open, and looking for the socket takes less time than a connection.
	if (!existsSync(path)) return Promise.resolve(undefined);
	return new Promise(resolve => {
		const facts: Fact[] = [];
		let pid = 0;
		let lists: PreviousLists = new Map();
		let cancelTimer = () => {};
		const line = createLineSocket({
			socket: connect(path),
			maxLineLength: maxMessageLength,
			onMessage(value) {
				waitFor(maxWorkMs);
				const message = messageFrom(value);
				if (message?.type === 'hello') pid = message.pid;
				if (message?.type === 'ready') end(facts);
				if (message?.type !== 'fact') return;
				const next = factFrom(lists, message.fact);
				lists = next.lists;
				facts.push({ ...next.fact, pane: message.pane ?? pid });
			},
			onClose: () => end(undefined),
		});
		waitFor(maxGreetingMs);
		line.send({ type: 'ask' });

		function waitFor(milliseconds: number) {
			cancelTimer();
			cancelTimer = clock.after(milliseconds, () => {
				// If this process was busy until now, the answer may have arrived without being read.
				cancelTimer = clock.after(readingMs, () => end(undefined));
			});
		}

		function end(answer: readonly Fact[] | undefined) {
			cancelTimer();
			resolve(answer);
			line.close();
		}
	});
}

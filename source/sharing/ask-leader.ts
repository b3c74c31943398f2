import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import type { Clock } from '../foundation/clock.ts';
import { createLineSocket } from './line-socket.ts';

type Question<Answer> = {
	path: string;
	clock: Clock;
	/** The message that is sent to the leader. */
	message: object;
	/** The longest line of the answer. */
	maxLineLength: number;
	/** Receives each message of the leader. Returns the answer once it is complete. */
	onMessage: (message: unknown) => Answer | undefined;
	/**
	 * The longest wait for the whole answer. If absent, the leader has half a second for its first message, because
	 * it may be stopped, and three seconds after each message.
	 */
	maxAnswerMs?: number;
};

const readingMs = 20;

// A leader greets within a few milliseconds, so one that takes longer may be stopped.
const maxGreetingMs = 500;

// A leader that has greeted runs, but a busy machine may take this long to send a large fleet.
const maxWorkMs = 3_000;

/** Asks the process that polls the account; undefined if no process polls, or it does not answer. */
export function askLeader<Answer>(question: Question<Answer>): Promise<Answer | undefined> {
	const { path, clock, message, maxLineLength, onMessage, maxAnswerMs } = question;
	// Most commands run while no monitor is open. The socket is looked for first, because this takes less time than a
	// connection.
	if (!existsSync(path)) return Promise.resolve(undefined);
	return new Promise(resolve => {
		const line = createLineSocket({
			socket: connect(path),
			maxLineLength,
			onMessage(value) {
				if (maxAnswerMs === undefined) waitFor(maxWorkMs);
				const answer = onMessage(value);
				if (answer !== undefined) end(answer);
			},
			onClose: () => end(undefined),
		});
		let cancelTimer = () => {};
		waitFor(maxAnswerMs ?? maxGreetingMs);
		line.send(message);

		function waitFor(milliseconds: number) {
			cancelTimer();
			cancelTimer = clock.after(milliseconds, () => {
				// If this process was busy until now, the answer may have arrived without being read.
				cancelTimer = clock.after(readingMs, () => end(undefined));
			});
		}

		function end(answer: Answer | undefined) {
			cancelTimer();
			resolve(answer);
			line.close();
		}
	});
}

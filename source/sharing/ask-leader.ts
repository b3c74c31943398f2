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
	/** A leader answers within a few milliseconds. One that takes longer than this may be stopped. */
	maxAnswerMs?: number;
};

const readingMs = 20;

/** Asks the process that polls the account; undefined if no process polls, or it does not answer. */
export function askLeader<Answer>(question: Question<Answer>): Promise<Answer | undefined> {
	const { path, clock, message, maxLineLength, onMessage, maxAnswerMs = 500 } = question;
	// Most commands run while no monitor does. Looking for the socket takes less time than loading the code that connects.
	if (!existsSync(path)) return Promise.resolve(undefined);
	return new Promise(resolve => {
		const line = createLineSocket({
			socket: connect(path),
			maxLineLength,
			onMessage(value) {
				const answer = onMessage(value);
				if (answer !== undefined) end(answer);
			},
			onClose: () => end(undefined),
		});
		let cancelTimer = clock.after(maxAnswerMs, () => {
			// If this process was busy all this time, the answer may have arrived without being read.
			cancelTimer = clock.after(readingMs, () => end(undefined));
		});
		line.send(message);

		function end(answer: Answer | undefined) {
			cancelTimer();
			resolve(answer);
			line.close();
		}
	});
}

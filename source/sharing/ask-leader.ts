import { existsSync } from 'node:fs';
import type { Fact } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import { connectTo, createLineSocket, lineOf } from './socket.ts';

const maxMs = 500;

/** Undefined if no process reads, or it does not answer. */
export async function askLeader(path: string, clock: Clock): Promise<readonly Fact[] | undefined> {
	// Most commands run while no monitor is open, and looking for the socket takes less time than a connection.
	const socket = existsSync(path) ? await connectTo(path) : undefined;
	if (!socket) return undefined;
	return new Promise(resolve => {
		const facts: Fact[] = [];
		let leader = '';
		const end = (answer: readonly Fact[] | undefined) => {
			cancelTimer();
			line.close();
			resolve(answer);
		};
		const cancelTimer = clock.after(maxMs, () => end(undefined));
		const line = createLineSocket(socket, {
			from: 'leader',
			onMessage(message) {
				if (message.type === 'hello') leader = message.id ?? '';
				if (message.type === 'fact') facts.push({ pane: leader, ...message.fact });
				if (message.type === 'beat') end(facts);
			},
			onEnd: () => end(undefined),
		});
		line.send(lineOf({ type: 'hello' }));
	});
}

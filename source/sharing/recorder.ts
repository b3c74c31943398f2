import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';
import type { Election } from './election.ts';

/** A recorder writes what was read to the log, keeps the last known fleet and runs the hooks. */
export type Recorder = {
	isRecorder(): boolean;
	onBecoming(listener: () => void): () => void;
};

export type OwnRecorder = Recorder & { set(next: boolean): void };

export function createRecorder(isAtFirst: boolean): OwnRecorder {
	const becoming = createListeners();
	let isRecorder = isAtFirst;
	return {
		isRecorder: () => isRecorder,
		onBecoming: becoming.subscribe,
		set(next) {
			const begins = next && !isRecorder;
			isRecorder = next;
			if (begins) becoming.notify();
		},
	};
}

const retryMs = 2_000;

/** For a process that stays off the socket. Its connection says nothing, and ends with the leader. */
export function recordWhileNobodyLeads(
	{ leaderPath }: Pick<Election, 'leaderPath'>,
	recorder: OwnRecorder,
	clock: Clock,
	signal: AbortSignal,
): void {
	let socket: Socket | undefined;
	let cancelTimer = () => {};

	function look() {
		const path = leaderPath();
		if (path === undefined || !existsSync(path)) return noteNobody();
		socket = connect(path, () => recorder.set(false));
		socket.unref();
		socket.resume();
		// An error is always followed by the end of the connection.
		socket.on('error', () => {});
		socket.once('close', noteNobody);
	}

	function noteNobody() {
		if (signal.aborted) return;
		recorder.set(true);
		cancelTimer = clock.after(retryMs, look);
	}

	look();
	signal.addEventListener('abort', () => {
		cancelTimer();
		socket?.destroy();
	});
}

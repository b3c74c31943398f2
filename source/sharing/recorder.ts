import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';
import type { Election } from './election.ts';

/**
 * Says whether this process records: whether it writes what was read to the log, keeps the last known fleet and runs the
 * hooks. The leader does. Where nobody leads, so does a process that reads for itself.
 */
export type Recorder = {
	isRecorder(): boolean;
	/** Adds a listener that is called whenever this process begins to record. Returns a function that removes it. */
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

/**
 * Lets a process that stays off the socket, such as a command or a pane with `--alone`, record while nobody leads. Its
 * connection says nothing, and ends with the leader.
 */
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

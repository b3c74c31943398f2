import { existsSync } from 'node:fs';
import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';
import { isListening } from './socket.ts';

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

const lookEveryMs = 2_000;

/** For a process that stays off the socket. */
export function recordWhileNobodyLeads(
	leaderPath: () => string | undefined,
	recorder: OwnRecorder,
	clock: Clock,
	signal: AbortSignal,
): void {
	let cancelLook = () => {};
	signal.addEventListener('abort', () => cancelLook());

	async function look() {
		const path = leaderPath();
		const isLed = path !== undefined && existsSync(path) && (await isListening(path));
		if (signal.aborted) return;
		recorder.set(!isLed);
		cancelLook = clock.after(lookEveryMs, () => void look());
	}

	void look();
}

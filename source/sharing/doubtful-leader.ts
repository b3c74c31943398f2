import type { Clock } from '../foundation/clock.ts';

/** Decides when a follower reads the list itself, because its leader seems unable to. */
type DoubtfulLeader = {
	/** Called when this process begins to follow. */
	begin(): void;
	/** The leader has read a list, and announced when it reads the next one. */
	noteList(everyMs: number | undefined): void;
	/** The leader cannot read the list. */
	noteFailure(): void;
	/** A read of this process was answered although the leader tells no list. */
	noteAnswered(): void;
	end(): void;
};

type DoubtfulLeaderOptions = {
	clock: Clock;
	/** Returns a number from 0 up to, but not including, 1. */
	random: () => number;
	/** Sends one read of the list. */
	read: () => void;
	/** Called when the leader tells no list for long, although reads are answered. */
	onUseless: () => void;
};

const patienceMs = 5_000;

/** A failure may be over with the next try of the leader. */
const failurePatienceMs = 2_500;
const maxPauseMs = 60_000;

/** A leader that can tell nothing resigns before this many reads of a follower are answered. */
const uselessAfter = 4;

export function createDoubtfulLeader(options: DoubtfulLeaderOptions): DoubtfulLeader {
	const { clock, random, read, onUseless } = options;
	let tries = 0;
	let answers = 0;
	let isFailing = false;
	let cancel = () => {};

	function readAfter(milliseconds: number) {
		cancel();
		// Many followers share the limits, so they do not all read at once.
		cancel = clock.after(milliseconds * (1 + random() / 2), () => {
			tries += 1;
			readAfter(Math.min(maxPauseMs, patienceMs * 2 ** tries));
			read();
		});
	}

	function trust(milliseconds: number) {
		[tries, answers, isFailing] = [0, 0, false];
		readAfter(milliseconds);
	}

	return {
		begin: () => trust(patienceMs),
		noteList: (everyMs = maxPauseMs) => trust(everyMs + patienceMs),
		noteFailure() {
			if (isFailing) return;
			isFailing = true;
			if (tries === 0) readAfter(failurePatienceMs);
		},
		noteAnswered() {
			answers += 1;
			if (answers >= uselessAfter) onUseless();
		},
		end: () => cancel(),
	};
}

import type { Clock } from '../../foundation/clock.ts';

export type TerminalInput = { key: string } | { paste: string };

const interrupt = 'ctrl-c';

/** A key this soon after a dropped one belongs to what was being typed. */
const typingPauseMs = 300;

/**
 * Drops the keys that were pressed before the program had shown anything, and what follows them without a pause: the end of a
 * word must not act as keys. They may wait in the terminal until the program first reads, so the gate opens a turn later.
 */
export function createKeyGate(clock: Clock) {
	let state: 'closed' | 'opening' | 'open' = 'closed';
	let droppedAt = Number.NEGATIVE_INFINITY;
	const finish = () => {
		state = 'open';
	};
	return {
		lets(input: TerminalInput) {
			if ('key' in input && input.key === interrupt) return true;
			const now = clock.monotonic();
			if (state === 'open' && now - droppedAt >= typingPauseMs) return true;
			droppedAt = now;
			return false;
		},
		open() {
			if (state !== 'closed') return;
			state = 'opening';
			clock.after(0, () => clock.after(0, finish));
		},
	};
}

import type { Clock } from '../fleet/clock.ts';

/** Makes ids unlike those of every other process, too: the journals of all of them are read together. */
export function createMint(clock: Clock, random: () => number): () => string {
	let minted = 0;
	return () => {
		minted += 1;
		const chance = Math.floor(random() * 2 ** 48).toString(36);
		return `${clock.now().toString(36)}-${chance}-${minted.toString(36)}`;
	};
}

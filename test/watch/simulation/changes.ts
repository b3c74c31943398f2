import { randomWait } from './random.ts';

/** The computers whose changes an answer shows, and the time at which the platform wrote it. */
export type SeenChanges = { at: number; places: readonly number[] };

/** Random status changes in a fleet, and how late each of them is noticed. */
export type Changes = {
	/** The unnoticed changes that an answer about one computer shows, or about all when there is no id. */
	seenBy(id: string | undefined, at: number): SeenChanges;
	/** Records that the answer has arrived. */
	notice(seen: SeenChanges, at: number): void;
	/** How late each noticed change was, in milliseconds. */
	readonly latencies: readonly number[];
};

export function createChanges(options: {
	ids: readonly string[];
	/** Milliseconds between two changes anywhere in the fleet. */
	every: number;
	random: () => number;
}): Changes {
	const { ids, every, random } = options;
	const places = new Map(ids.map((id, place) => [id, place]));
	/** The times of the unnoticed changes of each computer. */
	const unnoticed = new Map<number, number[]>();
	const latencies: number[] = [];
	let next = randomWait(random, every);

	function bringUpTo(at: number) {
		for (; next <= at; next += randomWait(random, every)) {
			const place = Math.floor(random() * ids.length);
			unnoticed.set(place, [...(unnoticed.get(place) ?? []), next]);
		}
	}

	return {
		seenBy(id, at) {
			bringUpTo(at);
			if (id === undefined) return { at, places: [...unnoticed.keys()] };
			const place = places.get(id) ?? -1;
			return { at, places: unnoticed.has(place) ? [place] : [] };
		},
		notice(seen, at) {
			for (const place of seen.places) {
				const times = unnoticed.get(place) ?? [];
				const later = times.filter(time => time > seen.at);
				for (const time of times) if (time <= seen.at) latencies.push(at - time);
				if (later.length > 0) unnoticed.set(place, later);
				else unnoticed.delete(place);
			}
		},
		latencies,
	};
}

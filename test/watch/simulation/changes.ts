import { waitFor } from './random.ts';

/** Which computers differed from what was known, when the platform wrote its answer. */
export type Seen = { at: number; places: readonly number[] };

/** The statuses of a fleet, which change at random; and how late each change was noticed. */
export type Changes = {
	/** What changed and is not noticed, as an answer about all or about one would tell it. */
	seenBy(id: string | undefined, at: number): Seen;
	/** That answer came. */
	notice(seen: Seen, at: number): void;
	/** Milliseconds, of every change that was noticed. */
	readonly latencies: readonly number[];
};

export function createChanges(parts: {
	ids: readonly string[];
	/** Milliseconds between two changes anywhere in the fleet. */
	every: number;
	random: () => number;
}): Changes {
	const { ids, every, random } = parts;
	const places = new Map(ids.map((id, place) => [id, place]));
	/** By the computer, when it changed without anybody noticing yet. */
	const unnoticed = new Map<number, number[]>();
	const latencies: number[] = [];
	let next = waitFor(random, every);

	function bringUpTo(at: number) {
		for (; next <= at; next += waitFor(random, every)) {
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

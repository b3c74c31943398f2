import type { CreditSample } from '../fleet/computers/runway.ts';
import { memoize } from '../foundation/memoize.ts';

/**
 * Creates a function that adds up the balances of several accounts over time. At each time, an account counts with
 * its last known balance. The sums begin once a balance of every account is known; accounts without any balance are
 * left out.
 */
export function createSamplesJoiner(): (
	...all: readonly (readonly CreditSample[])[]
) => readonly CreditSample[] {
	return memoize((...all: readonly (readonly CreditSample[])[]) =>
		joinedSamples(all.filter(samples => samples.length > 0)),
	);
}

function joinedSamples(all: readonly (readonly CreditSample[])[]): readonly CreditSample[] {
	const begin = all.reduce((latest, [first]) => Math.max(latest, first?.at ?? 0), 0);
	const times = [...new Set(all.flat().map(({ at }) => at))].sort((a, b) => a - b);
	const places = all.map(() => 0);
	return times.flatMap(at => {
		let balance = 0;
		for (const [index, samples] of all.entries()) {
			let place = places[index] ?? 0;
			while ((samples[place + 1]?.at ?? Number.POSITIVE_INFINITY) <= at) place += 1;
			places[index] = place;
			balance += samples[place]?.balance ?? 0;
		}
		return at < begin ? [] : [{ at, balance }];
	});
}

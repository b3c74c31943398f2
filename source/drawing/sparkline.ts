import type { CreditSample } from '../fleet/runway.ts';
import { createShareOf, valuesOf } from './chart.ts';
import type { Theme } from './theme.ts';

//  ▇▇▆▅▅ ▂▁     the credits of the last day, with a gap where nobody watched

const cells = 8;

const minute = 60_000;
const steps = [1, 2, 5, 10, 30, 60, 180].map(minutes => minutes * minute);

/** The balance over what was kept of the last day, in a few cells; nothing where too little was seen. */
export function sparkline(
	samples: readonly CreditSample[],
	now: number,
	{ glyphs }: Theme,
): string {
	const [first, last] = [samples[0], samples.at(-1)];
	if (!first || !last || first === last) return '';
	// Whole steps, so that it only moves when a new one begins.
	const step = steps.find(each => each * (cells - 1) >= now - first.at) ?? steps.at(-1) ?? minute;
	const to = (Math.floor(now / step) + 1) * step;
	const values = valuesOf(samples, to - cells * step, to, cells);
	const known = values.filter(value => value !== undefined);
	if (known.length < 2) return '';
	const shareOf = createShareOf(known);
	const top = glyphs.spark.length - 1;
	return values
		.map(value => {
			if (value === undefined) return ' ';
			return glyphs.spark[Math.round(shareOf(value) * top)] ?? '';
		})
		.join('');
}

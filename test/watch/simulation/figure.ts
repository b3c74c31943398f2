/** One measured number beside its goal. */
export type Figure = {
	name: string;
	value: number;
	unit: string;
	goal: string;
	isMet: boolean;
	/** The same by other means, for comparison. */
	beside?: string;
};

export function atMost(name: string, value: number, unit: string, goal: number): Figure {
	const isMet = value <= goal;
	return { name, value, unit, goal: `≤ ${short(goal)}`, isMet };
}

/** Of numbers in any order; NaN where there are none. */
export function quantile(numbers: readonly number[], share: number): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

export const mean = (numbers: readonly number[]): number =>
	numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** Three digits are enough for any of these. */
export const short = (value: number): string =>
	value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(3);

export function linesFrom(figures: readonly Figure[]): readonly string[] {
	return figures.map(({ name, value, unit, goal, isMet, beside = '' }) =>
		[
			isMet ? '  ' : '✗ ',
			name.padEnd(66),
			`${short(value)} ${unit}`.padStart(10),
			`   ${goal}`.padEnd(12),
			beside,
		]
			.join('')
			.trimEnd(),
	);
}

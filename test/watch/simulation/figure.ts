/** A measured number and its goal. */
export type Figure = {
	name: string;
	value: number;
	unit: string;
	goal: string;
	isMet: boolean;
	/** Other numbers, with which a reader can compare the figure. */
	beside?: string;
};

export function figureAtMost(name: string, value: number, unit: string, goal: number): Figure {
	const isMet = value <= goal;
	return { name, value, unit, goal: `≤ ${threeDigits(goal)}`, isMet };
}

/** Returns the quantile of unsorted numbers, or NaN when there are none. */
export function quantile(numbers: readonly number[], share: number): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

export const mean = (numbers: readonly number[]): number =>
	numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** Formats a figure with three digits. */
export const threeDigits = (value: number): string =>
	value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(3);

export function linesFrom(figures: readonly Figure[]): readonly string[] {
	return figures.map(({ name, value, unit, goal, isMet, beside = '' }) =>
		[
			isMet ? '  ' : '✗ ',
			name.padEnd(66),
			`${threeDigits(value)} ${unit}`.padStart(10),
			`   ${goal}`.padEnd(12),
			beside,
		]
			.join('')
			.trimEnd(),
	);
}

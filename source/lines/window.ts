import type { Line } from './line.ts';

type Window<L extends Line> = {
	lines: readonly L[];
	first: number;
	above: number;
	below: number;
};

/** Where not all lines fit, the gaps go, and one line says how many are hidden. */
export function windowOf<L extends Line>(
	all: readonly L[],
	firstWanted: number,
	height: number,
): Window<L> {
	const lines = withoutGapsIfTight(all, height);
	if (lines.length <= height) return { lines, first: 0, above: 0, below: 0 };
	const count = Math.max(0, height - 1);
	const first = Math.max(0, Math.min(firstWanted, lines.length - count));
	const below = lines.length - count - first;
	return { lines: lines.slice(first, first + count), first, above: first, below };
}

export const withoutGapsIfTight = <L extends Line>(all: readonly L[], height: number) =>
	all.length <= height ? all : all.filter(({ isGap }) => !isGap);

export function maxScrollOf(all: readonly Line[], height: number): number {
	const { length } = withoutGapsIfTight(all, height);
	return length <= height ? 0 : length - Math.max(0, height - 1);
}

export function overflowLine({ above, below }: Pick<Window<Line>, 'above' | 'below'>): Line {
	const parts = [
		below > 0 ? `▼ ${below} more line${below === 1 ? '' : 's'}` : '',
		above > 0 ? `▲ ${above} above` : '',
	];
	return { spans: [[` ${parts.filter(part => part !== '').join('  ')}`, 'faint']] };
}

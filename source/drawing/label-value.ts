import { fitted, type Span, widthOf } from './span.ts';
import type { Theme } from './theme.ts';

export type LabelledValue = readonly [label: string, value: readonly Span[]];

/** All labels have this width, so that values line up across blocks. */
export const labelWidth = 10;

const minTwoColumnWidth = 74;

//  Address   10.0.0.2                     Version   1.4.2 (latest)
//  Created   2026-11-14 07:31 (7d ago)    Plan      Pro, auto-sleep after 30 min idle
//  Provider  a name that is so long that it takes the line for itself

/**
 * Draws values with their labels, in two columns if the width allows. A value too long for a column gets a
 * line of its own.
 */
export function labelValueLines(
	labelledValues: readonly LabelledValue[],
	width: number,
	theme: Theme,
): readonly (readonly Span[])[] {
	const half = width < minTwoColumnWidth ? width : Math.floor((width - 1) / 2);
	const lines: (readonly Span[])[] = [];
	let left: readonly Span[] | undefined;
	for (const [label, value] of labelledValues) {
		const spans = labelValueSpans(label, value);
		const isLong = half === width || widthOf(spans, theme) >= half;
		if (left && !isLong) {
			lines.push([...fitted(left, half, theme), ...spans]);
			left = undefined;
			continue;
		}
		if (left) lines.push(left);
		left = isLong ? undefined : spans;
		if (isLong) lines.push(spans);
	}
	return left ? [...lines, left] : lines;
}

export function labelValueSpans(label: string, value: readonly Span[]): readonly Span[] {
	return [[` ${label.padEnd(labelWidth)}`, 'faint'], ...value];
}

import type { Span, Tone } from './span.ts';

/** `share` is from 0 to 1. */
export function bar(share: number, cells: number, tone: Tone): readonly Span[] {
	const halves = Math.round(Math.max(0, Math.min(share, 1)) * cells * 2);
	const filled = '━'.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? '╸' : '');
	return [
		[filled, tone],
		['─'.repeat(cells - filled.length), 'faint'],
	];
}

const heights = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];

/** A cell is blank where nothing was read. */
export const sparkline = (percentages: readonly (number | undefined)[]): string =>
	percentages
		.map(percent => {
			if (percent === undefined) return ' ';
			const share = Math.max(0, Math.min(percent, 100)) / 100;
			return heights[Math.round(share * (heights.length - 1))];
		})
		.join('');

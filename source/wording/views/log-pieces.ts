import { cutBeforeWord, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../lines/theme.ts';

// The same line, wide and narrow:
//
//   08:05:12 ○ you stopped 16 computers (altair, altair-3 …) in 31 s ▸
//   08:05:12 ○ you stopped 16 computers (altair, altair-3 …) ▸
//   08:05:12 ○ you stopped 16 computers ▸
//
//   08:05:12 ✖ draco: active for 7 d → error: image pull failed: disk quota exceeded
//   08:05:12 ✖ draco: active → error: disk quota exceeded

/** The parts of a log line that a narrow line leaves out as a whole, in this order. */
const partsInOrder = ['duration', 'names', 'earliestTime', 'errorBeginning'] as const;

type OptionalPart = (typeof partsInOrder)[number];

/** A piece of a log line, and the part that it belongs to if the line can do without it. */
export type LogPiece = { span: Span; part?: OptionalPart };

/** Leaves out as many parts as needed to fit into the width. If this is not enough, the line is cut between two words. */
export function fittedPieces(
	pieces: readonly LogPiece[],
	width: number,
	theme: Theme,
): readonly Span[] {
	const spansWithout = (leftOut: readonly OptionalPart[]) =>
		pieces.flatMap(({ span, part }) => (part && leftOut.includes(part) ? [] : [span]));
	for (let count = 0; count < partsInOrder.length; count += 1) {
		const spans = spansWithout(partsInOrder.slice(0, count));
		if (widthOf(spans, theme) <= width) return spans;
	}
	return cutBeforeWord(spansWithout(partsInOrder), width, theme);
}

import { countText } from '../../foundation/number-text.ts';

/** Says how many computers are marked, and how many of them the filter hides. */
export function markedText(count: number, hiddenCount: number): string {
	const marked = `${countText(count)} marked`;
	return hiddenCount > 0 ? `${marked} (${countText(hiddenCount)} hidden)` : marked;
}

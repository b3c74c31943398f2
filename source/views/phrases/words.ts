import { countText } from '../../foundation/number-text.ts';

export function pluralize(count: number, noun: string): string {
	return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** As in "atlas, borealis, cygnus and 4 more". */
export function firstNamesAndCount(names: readonly string[], maxCount = 3): string {
	const otherCount = names.length - maxCount;
	return otherCount > 0
		? `${names.slice(0, maxCount).join(', ')} and ${countText(otherCount)} more`
		: names.join(', ');
}

export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

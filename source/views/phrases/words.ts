import { countText } from '../../foundation/number-text.ts';
import type { Span } from '../../lines/span.ts';
import { timeTextWithSeconds } from '../../lines/time-text.ts';

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

const value = '(?:"(?:[^"\\\\]|\\\\.)*"|\\S+)';
const computer = `id:=${value}(?: account:${value})?`;
const severalComputers = new RegExp(`^${computer}(?: OR ${computer})+$`);

/** The map lists the ids of several computers, and their number tells a person more. */
export function filterName(filter: string): string {
	if (!severalComputers.test(filter)) return filter;
	return `${filter.split(' OR ').length} computers by id`;
}

/** Before the usual prompt of the field. `index` is that of the line that was found. */
export function historyPrompt(
	{ typed, index }: { typed: string; index: number | undefined },
	prompt: readonly Span[],
): readonly Span[] {
	const isMissing = typed !== '' && index === undefined;
	return [
		[isMissing ? 'not in history: ' : 'history: ', isMissing ? 'busy' : 'faint'],
		[`${typed} `, 'strong'],
		...prompt,
	];
}

//  Invalid login credentials
//  Attempt 2 failed at 14:03:40: Invalid login credentials

/** The number and the time let a person notice that the same failure has happened again. */
export function signInAttemptText(
	reason: string,
	count: number,
	failedAt: number,
	now: number,
): string {
	if (count < 2) return reason;
	return `Attempt ${count} failed at ${timeTextWithSeconds(failedAt, now)}: ${reason}`;
}

import { countText } from '../../foundation/number-text.ts';
import type { Span } from '../../lines/span.ts';
import { timeTextWithSeconds } from '../../lines/time-text.ts';
import type { LineAssist } from '../look/typed-line.ts';

export function pluralize(count: number, noun: string): string {
	return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The map lists the ids of several computers, and their number tells a person more. */
export function filterName(filter: string): string {
	const terms = filter.split(' OR ');
	const isOfMap = terms.length > 1 && terms.every(term => term.startsWith('id:='));
	return isOfMap ? `${terms.length} computers by id` : filter;
}

export function historyPrompt(
	assist: LineAssist | undefined,
	prompt: readonly Span[],
): readonly Span[] {
	if (assist?.kind !== 'search') return prompt;
	const { typed, index } = assist;
	const isMissing = typed !== '' && index === undefined;
	return [
		[isMissing ? 'not in history: ' : 'history: ', isMissing ? 'busy' : 'faint'],
		[`${typed} `, 'strong'],
		...prompt,
	];
}

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

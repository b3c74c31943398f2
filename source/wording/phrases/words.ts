import { durationText } from '../../foundation/duration.ts';
import { countText } from '../../foundation/number-text.ts';
import { spellOut } from '../../lines/print.ts';

/** One piece of news in several forms. The forms differ in length, but not in meaning. */
export type Words = {
	/** A phrase without a subject, because the subject stands beside it, as in the row of a computer. */
	screen: string;
	/** A line that names its subject: in the log, in a notice, and in the output of a command. */
	line: string;
	/** Whole sentences for the ear, which also say what to do. */
	speech: string;
	/** The value of a field of --json. */
	json: string;
};

export const spokenDuration = (milliseconds: number) => spellOut(durationText(milliseconds));

export function pluralize(count: number, noun: string): string {
	return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Lists the first names, and the number of the others, as in "atlas, borealis, cygnus and 4 more". */
export function firstNamesAndCount(names: readonly string[], maxCount = 3): string {
	const otherCount = names.length - maxCount;
	return otherCount > 0
		? `${names.slice(0, maxCount).join(', ')} and ${countText(otherCount)} more`
		: names.join(', ');
}

export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

import { timeText } from '../drawing/time-text.ts';
import type { Change, StatusChange } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computer.ts';
import { durationText } from '../fleet/duration.ts';
import { changeSpans } from '../wording/log-text.ts';
import { phaseStyles } from '../wording/status-text.ts';
import { spellOut } from '../wording/words.ts';
import { textOfSpans } from './words.ts';

/** Describes a change as a spoken sentence, preceded by its time. */
export function timedChangeWords(change: Change, now: number): string {
	return `${timeText(change.at, now)}: ${spokenChange(change)}`;
}

/** Describes a change as a spoken sentence without its time. */
export function spokenChange(change: Change): string {
	if (change.type === 'statusChanged' && change.from !== null && change.to !== null) {
		return statusChangeWords(change);
	}
	return textOfSpans(changeSpans(change));
}

const stopReasons: Readonly<Record<string, string>> = {
	asleep: 'asleep',
	credits: 'out of credits',
};

function statusChangeWords({ id, name = id, from, to, lasted, reason }: StatusChange): string {
	const durationPart =
		lasted === undefined ? '' : `, after ${spellOut(durationText(lasted))} ${statusWord(from)}`;
	const stopReason = stopReasons[reason ?? ''];
	return `${name} became ${statusWord(to)}${stopReason ? `, ${stopReason}` : ''}${durationPart}`;
}

/**
 * Returns the word for a status. A status that this program does not know is spoken in the platform's own
 * word.
 */
export function statusWord(status: string | null): string {
	const phase = phaseOf(status ?? undefined);
	return phase === 'unknown' && status ? status : phaseStyles[phase].label.toLowerCase();
}

import { timeText } from '../drawing/time-text.ts';
import type { Change, StatusChange } from '../fleet/change.ts';
import { durationText } from '../fleet/duration.ts';
import { changeSpans } from '../wording/log-text.ts';
import { statusWord, stopReasonText } from '../wording/status-text.ts';
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

function statusChangeWords({ id, name = id, from, to, lasted, reason }: StatusChange): string {
	const durationPart =
		lasted === undefined ? '' : `, after ${spellOut(durationText(lasted))} ${statusWord(from)}`;
	const stopReason = stopReasonText(reason);
	return `${name} became ${statusWord(to)}${stopReason ? `, ${stopReason}` : ''}${durationPart}`;
}

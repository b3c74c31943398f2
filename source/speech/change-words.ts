import { timeText } from '../drawing/time-text.ts';
import type { Change, StatusChange } from '../fleet/change.ts';
import { durationText } from '../foundation/duration.ts';
import { spellOut } from '../wording/phrases/words.ts';
import { statusWord, stopReasonText } from '../wording/table/status-text.ts';
import { changeSpans } from '../wording/views/log-text.ts';
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

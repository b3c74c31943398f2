import { recoveryWords, troubleWords } from '../wording/phrases/trouble-text.ts';
import { type ChangeRecord, changeRecord, emptyChangeFields } from './change-record.ts';
import { isoTime } from './computer-record.ts';
import type { ReadTrouble, StageChange, WatchEvent } from './watch-events.ts';

//  2026-11-21 08:14:03  atlas: active → stopped (asleep)

/** Formats an event as the line that `watch` prints. */
export function eventLine(event: WatchEvent): string {
	return `${timestampOf(event.at)}  ${eventRecord(event).message}`;
}

/** Converts an event to the record that --json prints. */
export function eventRecord(event: WatchEvent): ChangeRecord {
	switch (event.type) {
		case 'stageChanged': {
			const { at, id, name = null, from, to } = event;
			const message = stageText(event);
			return { ...timesOf(at), ...emptyChangeFields, event: 'stage', id, name, from, to, message };
		}
		case 'troubleBegan':
		case 'troubleEnded': {
			const { at, read } = event;
			const kind = event.type === 'troubleBegan' ? 'trouble' : 'recovered';
			const message = troubleText(event);
			return { ...timesOf(at), ...emptyChangeFields, event: kind, read, message };
		}
		default:
			return changeRecord(event);
	}
}

function timesOf(at: number) {
	return { at: isoTime(at), notBefore: isoTime(at) };
}

function stageText({ id, name = id, to, progress }: StageChange): string {
	return `${name}: creating, ${to}${progress === undefined ? '' : ` (${progress} %)`}`;
}

function troubleText(trouble: ReadTrouble): string {
	return trouble.type === 'troubleBegan'
		? troubleWords(trouble).line
		: recoveryWords(trouble.read, trouble.lasted).line;
}

// Formats a local time with the largest unit first, so that lines sorted as text are also sorted by time.
function timestampOf(at: number): string {
	const date = new Date(at);
	const padded = (number: number) => String(number).padStart(2, '0');
	const day = [date.getFullYear(), padded(date.getMonth() + 1), padded(date.getDate())].join('-');
	return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(padded).join(':')}`;
}

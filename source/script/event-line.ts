import { durationText } from '../fleet/duration.ts';
import { type ChangeRecord, changeRecord, emptyChange } from './change-record.ts';
import { isoTime } from './computer-record.ts';
import { readSubjects } from './read-account.ts';
import type { ReadTrouble, StageChange, WatchEvent } from './watch-events.ts';

//  2026-11-21 08:14:03  atlas: active → stopped (asleep)

/** One line of a watch, for a person. */
export function eventLine(news: WatchEvent): string {
	return `${timestampOf(news.at)}  ${eventRecord(news).message}`;
}

/** The same for another program. */
export function eventRecord(news: WatchEvent): ChangeRecord {
	switch (news.type) {
		case 'stageChanged': {
			const { at, id, name = null, from, to } = news;
			const message = stageText(news);
			return { ...timesOf(at), ...emptyChange, event: 'stage', id, name, from, to, message };
		}
		case 'troubleBegan':
		case 'troubleEnded': {
			const { at, read } = news;
			const event = news.type === 'troubleBegan' ? 'trouble' : 'recovered';
			return { ...timesOf(at), ...emptyChange, event, read, message: troubleText(news) };
		}
		default:
			return changeRecord(news);
	}
}

function timesOf(at: number) {
	return { at: isoTime(at), notBefore: isoTime(at) };
}

function stageText({ id, name = id, to, progress }: StageChange): string {
	return `${name}: creating, ${to}${progress === undefined ? '' : ` (${progress} %)`}`;
}

function troubleText(trouble: ReadTrouble): string {
	const what = readSubjects[trouble.read];
	return trouble.type === 'troubleBegan'
		? `${what} cannot be read: ${trouble.failure.message}`
		: `${what} can be read again, after ${durationText(trouble.lasted)}`;
}

// In the time of this place, and so that lines of several days can be sorted.
function timestampOf(at: number): string {
	const date = new Date(at);
	const two = (number: number) => String(number).padStart(2, '0');
	const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
	return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

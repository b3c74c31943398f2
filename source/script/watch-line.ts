import { durationText } from '../operations/duration-text.ts';
import { type ChangeRecord, changeRecord, nothing } from './change-record.ts';
import { timeFrom } from './computer-record.ts';
import { readSubjects } from './read-account.ts';
import type { News, StageChange, Trouble } from './watch-news.ts';

//  2026-11-21 08:14:03  atlas: active → stopped (asleep)

/** One line of a watch, for a person. */
export function newsLine(news: News): string {
	return `${stampOf(news.at)}  ${newsRecord(news).message}`;
}

/** The same for another program. */
export function newsRecord(news: News): ChangeRecord {
	switch (news.type) {
		case 'stageChanged': {
			const { at, id, name = null, from, to } = news;
			const message = stageText(news);
			return { ...momentOf(at), ...nothing, event: 'stage', id, name, from, to, message };
		}
		case 'troubleBegan':
		case 'troubleEnded': {
			const { at, read } = news;
			const event = news.type === 'troubleBegan' ? 'trouble' : 'recovered';
			return { ...momentOf(at), ...nothing, event, read, message: troubleText(news) };
		}
		default:
			return changeRecord(news);
	}
}

function momentOf(at: number) {
	return { at: timeFrom(at), notBefore: timeFrom(at) };
}

function stageText({ id, name = id, to, progress }: StageChange): string {
	return `${name}: creating, ${to}${progress === undefined ? '' : ` (${progress} %)`}`;
}

function troubleText(trouble: Trouble): string {
	const what = readSubjects[trouble.read];
	return trouble.type === 'troubleBegan'
		? `${what} cannot be read: ${trouble.failure.message}`
		: `${what} can be read again, after ${durationText(trouble.lasted)}`;
}

// In the time of this place, and so that lines of several days can be sorted.
function stampOf(at: number): string {
	const date = new Date(at);
	const two = (number: number) => String(number).padStart(2, '0');
	const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
	return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

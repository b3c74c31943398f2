import { durationText } from '../foundation/duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** 4s, 12m, 3h, 6d */
function ageText(milliseconds: number): string {
	const age = Math.max(0, milliseconds);
	if (age < minute) return `${Math.floor(age / second)}s`;
	if (age < hour) return `${Math.floor(age / minute)}m`;
	if (age < day) return `${Math.floor(age / hour)}h`;
	return `${Math.floor(age / day)}d`;
}

/** 4 s, 12 m, 3 h, 6 d */
export const spacedAgeText = (milliseconds: number) => spaced(ageText(milliseconds));

const spaced = (age: string) => age.replace(/(?<=\d)(?=[a-z])/, ' ');

/** 48s, 12m, 3h 12m, 6d 4h */
export function compactDuration(milliseconds: number): string {
	const span = Math.max(0, milliseconds);
	if (span < hour) return ageText(span);
	if (span < day) return `${Math.floor(span / hour)}h ${Math.floor((span % hour) / minute)}m`;
	return `${Math.floor(span / day)}d ${Math.floor((span % day) / hour)}h`;
}

/** 29 s, 3 m 04 s, 1 h 04 m, 6 d 04 h: it keeps its width between two changes of its largest unit. */
function clockDuration(milliseconds: number): string {
	const span = Math.max(0, milliseconds);
	const inTwoUnits = (large: number, name: string, small: number, smallName: string) =>
		`${Math.floor(span / large)} ${name} ${twoDigits(Math.floor((span % large) / small))} ${smallName}`;
	if (span < minute) return `${Math.floor(span / second)} s`;
	if (span < hour) return inTwoUnits(minute, 'm', second, 's');
	return span < day ? inTwoUnits(hour, 'h', minute, 'm') : inTwoUnits(day, 'd', hour, 'h');
}

/** To the second, or on a slow line to the minute. */
export type TimeFormatter = {
	age(milliseconds: number): string;
	ago(milliseconds: number): string;
	spacedAge(milliseconds: number): string;
	duration(milliseconds: number): string;
	compactDuration(milliseconds: number): string;
	clock(milliseconds: number): string;
};

export function createTimeFormatter(isCoarse: boolean): TimeFormatter {
	const coarsely = (text: (milliseconds: number) => string, least: string) => (span: number) =>
		isCoarse && span < minute ? least : text(isCoarse ? Math.floor(span / minute) * minute : span);
	const age = coarsely(ageText, '<1m');
	const clock = coarsely(clockDuration, '<1 m');
	const spacedAge = (milliseconds: number) => spaced(age(milliseconds));

	return {
		age,
		spacedAge,
		ago: milliseconds => `${spacedAge(milliseconds)} ago`,
		compactDuration: coarsely(compactDuration, '<1m'),
		clock: milliseconds =>
			isCoarse ? clock(milliseconds).replace(' 00 s', '') : clock(milliseconds),
		duration: coarsely(durationText, '<1 min'),
	};
}

export function timeTextWithSeconds(at: number, now: number): string {
	return `${timeText(at, now)}:${twoDigits(new Date(at).getSeconds())}`;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export const weekdayText = (at: number) => weekdays[new Date(at).getDay()] ?? '';

/** Thu 02:59; a time that is more than six days away has its date. */
export function weekdayTimeText(at: number, now: number): string {
	const text = timeText(at, now);
	const isNear = Math.abs(at - now) <= 6 * day;
	return isNear && text.includes(' ') ? `${weekdayText(at)} ${text.split(' ')[1]}` : text;
}

/** ≈ Thu 02:30: within a day to the minute; after that, and of an estimate, to the half hour. */
export function forecastTimeText(at: number, now: number, isEstimate: boolean): string {
	if (!isEstimate && at - now < day) return weekdayTimeText(at, now);
	const halfHour = 30 * minute;
	return `${aboutSign} ${weekdayTimeText(Math.round(at / halfHour) * halfHour, now)}`;
}

/** Before a value that may be far off. */
export const aboutSign = '≈';

/** The date stands before the time unless it is today. */
export function timeText(at: number, now: number): string {
	const date = new Date(at);
	const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
	if (new Date(now).toDateString() === date.toDateString()) return time;
	return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${time}`;
}

export const twoDigits = (number: number) => String(number).padStart(2, '0');

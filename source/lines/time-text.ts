import { durationText } from '../foundation/duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Writes an age in one unit: 4s, 12m, 3h, 6d. */
export function ageText(milliseconds: number): string {
	const age = Math.max(0, milliseconds);
	if (age < minute) return `${Math.floor(age / second)}s`;
	if (age < hour) return `${Math.floor(age / minute)}m`;
	if (age < day) return `${Math.floor(age / hour)}h`;
	return `${Math.floor(age / day)}d`;
}

/** Writes an age in one unit for a sentence: 4 s, 12 m, 3 h, 6 d. */
export const spacedAgeText = (milliseconds: number) =>
	ageText(milliseconds).replace(/(?=[a-z])/, ' ');

/** Writes a duration for a narrow cell, in up to two units: 48s, 12m, 3h 12m, 6d 4h. */
export function compactDuration(milliseconds: number): string {
	const span = Math.max(0, milliseconds);
	if (span < hour) return ageText(span);
	if (span < day) return `${Math.floor(span / hour)}h ${Math.floor((span % hour) / minute)}m`;
	return `${Math.floor(span / day)}d ${Math.floor((span % day) / hour)}h`;
}

/** The number of cells that `clockDuration` needs at most. */
export const clockWidth = 9;

/** Writes a running time, which keeps its width between two changes of its largest unit: 29 s, 3 m 04 s, 1 h 04 m, 6 d 04 h. */
export function clockDuration(milliseconds: number): string {
	const span = Math.max(0, milliseconds);
	if (span < minute) return `${Math.floor(span / second)} s`;
	if (span < hour) return inTwoUnits(span, [minute, 'm'], [second, 's']);
	if (span < day) return inTwoUnits(span, [hour, 'h'], [minute, 'm']);
	return inTwoUnits(span, [day, 'd'], [hour, 'h']);
}

type Unit = readonly [size: number, name: string];

function inTwoUnits(span: number, [large, name]: Unit, [small, smallName]: Unit): string {
	const rest = twoDigits(Math.floor((span % large) / small));
	return `${Math.floor(span / large)} ${name} ${rest} ${smallName}`;
}

/** Writes times that change while they are shown: to the second, or on a slow line to the minute. */
export type TimeFormatter = {
	/** Whether what is drawn changes at most once a minute, because the line is slow. */
	isCoarse: boolean;
	/** Writes an age for a cell or a slot of the header, as in "2m". */
	age(milliseconds: number): string;
	/** Writes an age for a sentence, as in "2 m ago". */
	ago(milliseconds: number): string;
	/** Writes an age for a sentence, as in "2 m". */
	spacedAge(milliseconds: number): string;
	/** Writes a duration in the form of `durationText`. */
	duration(milliseconds: number): string;
	/** Writes a duration in the form of `compactDuration`. */
	compactDuration(milliseconds: number): string;
	/** Writes a duration in the form of `clockDuration`. */
	clock(milliseconds: number): string;
};

export function createTimeFormatter(hasCoarseTimes: boolean): TimeFormatter {
	const coarsely = (text: (milliseconds: number) => string) => (milliseconds: number) =>
		hasCoarseTimes && milliseconds < minute ? '<1m' : text(milliseconds);
	const age = coarsely(ageText);
	const spacedAge = (milliseconds: number) => age(milliseconds).replace(/(?<=\d)(?=[a-z])/, ' ');

	return {
		isCoarse: hasCoarseTimes,
		age,
		spacedAge,
		ago: milliseconds => `${spacedAge(milliseconds)} ago`,
		compactDuration: coarsely(compactDuration),
		clock(milliseconds) {
			if (!hasCoarseTimes) return clockDuration(milliseconds);
			return milliseconds < minute ? '<1 m' : clockDuration(milliseconds).replace(/ \d\d s$/, '');
		},
		duration(milliseconds) {
			if (!hasCoarseTimes) return durationText(milliseconds);
			if (milliseconds < minute) return '<1 min';
			return durationText(Math.floor(milliseconds / minute) * minute);
		},
	};
}

/** Writes the time of day with seconds, and also the date unless it is today. */
export function timeTextWithSeconds(at: number, now: number): string {
	return `${timeText(at, now)}:${twoDigits(new Date(at).getSeconds())}`;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export const weekdayText = (at: number) => weekdays[new Date(at).getDay()] ?? '';

/** Writes a time of the next days with its weekday, as in "Thu 02:59"; a later time has its date. */
export function weekdayTimeText(at: number, now: number): string {
	const [date, time] = timeText(at, now).split(' ');
	if (time === undefined || Math.abs(at - now) > 6 * day)
		return time ? `${date} ${time}` : (date ?? '');
	return `${weekdayText(at)} ${time}`;
}

/**
 * Writes a computed time in the future: to the minute within a day, and to the half hour after that. An estimate is
 * rounded to the hour. A rounded time has a sign before it: ≈ Thu 02:30.
 */
export function forecastTimeText(at: number, now: number, isEstimate: boolean): string {
	const isExact = !isEstimate && at - now < day;
	if (isExact) return weekdayTimeText(at, now);
	return `${aboutSign} ${weekdayTimeText(roundedTo(isEstimate ? 60 : 30, at), now)}`;
}

/** The sign before a value that may be far off. */
export const aboutSign = '≈';

// The time is rounded on the local clock, because some time zones differ by half an hour.
function roundedTo(minutes: number, at: number): number {
	const date = new Date(at + (minutes * minute) / 2);
	return date.setMinutes(Math.floor(date.getMinutes() / minutes) * minutes, 0, 0);
}

/** Writes the time of day, and also the date unless it is today. */
export function timeText(at: number, now: number): string {
	const date = new Date(at);
	const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
	if (new Date(now).toDateString() === date.toDateString()) return time;
	return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${time}`;
}

function twoDigits(number: number): string {
	return String(number).padStart(2, '0');
}

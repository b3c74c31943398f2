import { dayMs, durationText, hourMs, minuteMs, secondMs } from '../foundation/duration.ts';

/** 4s, 12m, 3h, 6d */
function ageText(milliseconds: number): string {
	const age = Math.max(0, milliseconds);
	if (age < minuteMs) return `${Math.floor(age / secondMs)}s`;
	if (age < hourMs) return `${Math.floor(age / minuteMs)}m`;
	if (age < dayMs) return `${Math.floor(age / hourMs)}h`;
	return `${Math.floor(age / dayMs)}d`;
}

/** 4 s, 12 m, 3 h, 6 d */
export const spacedAgeText = (milliseconds: number) => spaced(ageText(milliseconds));

const spaced = (age: string) => age.replace(/(?<=\d)(?=[a-z])/, ' ');

/** 48s, 12m, 3h 12m, 6d 4h */
export function compactDuration(milliseconds: number): string {
	const span = Math.max(0, milliseconds);
	if (span < hourMs) return ageText(span);
	if (span < dayMs)
		return `${Math.floor(span / hourMs)}h ${Math.floor((span % hourMs) / minuteMs)}m`;
	return `${Math.floor(span / dayMs)}d ${Math.floor((span % dayMs) / hourMs)}h`;
}

/** 29 s, 3 m 04 s, 1 h 04 m, 6 d 04 h: it keeps its width between two changes of its largest unit. */
function clockDuration(milliseconds: number): string {
	const span = Math.max(0, milliseconds);
	const inTwoUnits = (large: number, name: string, small: number, smallName: string) =>
		`${Math.floor(span / large)} ${name} ${twoDigits(Math.floor((span % large) / small))} ${smallName}`;
	if (span < minuteMs) return `${Math.floor(span / secondMs)} s`;
	if (span < hourMs) return inTwoUnits(minuteMs, 'm', secondMs, 's');
	return span < dayMs
		? inTwoUnits(hourMs, 'h', minuteMs, 'm')
		: inTwoUnits(dayMs, 'd', hourMs, 'h');
}

export type TimeFormatter = ReturnType<typeof createTimeFormatter>;

/** To the second, or on a slow line to the minute. */
export function createTimeFormatter(isCoarse: boolean) {
	const coarsely = (text: (milliseconds: number) => string, least: string) => (span: number) =>
		isCoarse && span < minuteMs
			? least
			: text(isCoarse ? Math.floor(span / minuteMs) * minuteMs : span);
	const age = coarsely(ageText, '<1m');
	const clock = coarsely(clockDuration, '<1 m');
	const spacedAge = (milliseconds: number) => spaced(age(milliseconds));

	return {
		age,
		spacedAge,
		ago: (milliseconds: number) => `${spacedAge(milliseconds)} ago`,
		compactDuration: coarsely(compactDuration, '<1m'),
		clock: (milliseconds: number) =>
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
	const isNear = Math.abs(at - now) <= 6 * dayMs;
	return isNear && text.includes(' ') ? `${weekdayText(at)} ${text.split(' ')[1]}` : text;
}

/** ≈ Thu 02:30: within a day to the minute; after that, and of an estimate, to the half hour. */
export function forecastTimeText(at: number, now: number, isEstimate: boolean): string {
	if (!isEstimate && at - now < dayMs) return weekdayTimeText(at, now);
	const halfHour = 30 * minuteMs;
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

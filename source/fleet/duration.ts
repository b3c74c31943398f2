const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Formats a duration in at most two units: 48 s, 1 min 20 s, 12 min, 3 h 12 min, 6 d 4 h. */
export function durationText(milliseconds: number): string {
	const time = Math.max(0, milliseconds);
	if (time < minute) return `${Math.floor(time / second)} s`;
	if (time < hour) return twoUnits(time, [minute, 'min'], [second, 's']);
	if (time < day) return twoUnits(time, [hour, 'h'], [minute, 'min']);
	return twoUnits(time, [day, 'd'], [hour, 'h']);
}

type Unit = readonly [size: number, name: string];

function twoUnits(time: number, [large, name]: Unit, [small, smallName]: Unit): string {
	const rest = Math.floor((time % large) / small);
	return `${Math.floor(time / large)} ${name}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}

const units: Readonly<Record<string, number>> = {
	s: second,
	m: minute,
	h: hour,
	d: day,
	w: 7 * day,
};

/** Parses a duration such as 90s, 10m, 1.5h, 7d or 2w into milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
	const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text) ?? [];
	return digits === undefined ? undefined : Number(digits) * (units[unit] ?? Number.NaN);
}

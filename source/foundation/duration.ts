export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** 48 s, 1 min 20 s, 12 min, 3 h 12 min, 6 d 4 h. */
export function durationText(milliseconds: number): string {
	const durationMs = Math.max(0, milliseconds);
	if (durationMs < minuteMs) return `${Math.floor(durationMs / secondMs)} s`;
	if (durationMs < hourMs) return textInTwoUnits(durationMs, [minuteMs, 'min'], [secondMs, 's']);
	if (durationMs < dayMs) return textInTwoUnits(durationMs, [hourMs, 'h'], [minuteMs, 'min']);
	return textInTwoUnits(durationMs, [dayMs, 'd'], [hourMs, 'h']);
}

/** An estimate is not exact: 48 s, 1 min 20 s, 24 min, 3 h 12 min, 11 h. */
export function roughDurationText(milliseconds: number): string {
	const unit =
		milliseconds < 10 * minuteMs ? secondMs : milliseconds < 10 * hourMs ? minuteMs : hourMs;
	return durationText(Math.round(milliseconds / unit) * unit);
}

type Unit = readonly [size: number, name: string];

function textInTwoUnits(durationMs: number, [large, name]: Unit, [small, smallName]: Unit): string {
	const smallCount = Math.floor((durationMs % large) / small);
	return `${Math.floor(durationMs / large)} ${name}${smallCount > 0 ? ` ${smallCount} ${smallName}` : ''}`;
}

const msByUnit: Readonly<Record<string, number>> = {
	s: secondMs,
	m: minuteMs,
	h: hourMs,
	d: dayMs,
	w: 7 * dayMs,
};

export function parseDuration(text: string): number | undefined {
	const [, digits, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)([smhdw])$/.exec(text) ?? [];
	return digits === undefined ? undefined : Number(digits) * (msByUnit[unit] ?? Number.NaN);
}

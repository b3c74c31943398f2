import { spacedAgeText } from '../lines/time-text.ts';

/** Newer data needs no word. */
const saidAfterMs = 10_000;

/** Says how old data is that comes from a running monitor, unless it is new. */
export function sayAgeOfSharedData(
	notify: (line: string) => void,
	ageMs: number,
	subject = '',
): void {
	if (ageMs > saidAfterMs)
		notify(`${subject}Read ${spacedAgeText(ageMs)} ago by a monitor. --fresh asks the platform.`);
}

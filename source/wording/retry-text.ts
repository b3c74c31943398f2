import type { Theme } from '../drawing/theme.ts';

const second = 1000;

type NextTryOptions = { now: number; width: number; theme: Theme };

/**
 * ", next try in 12 s": when something that failed is tried again. Always of one width, so that nothing
 * before it moves; in few columns it says so shortly, or not at all.
 */
export function nextTryText(
	nextAt: number | undefined,
	{ now, width, theme }: NextTryOptions,
): string {
	if (nextAt === undefined || width < 56) return '';
	const left = nextAt - now;
	const age = theme.times.age(Math.ceil(Math.max(0, left) / second) * second);
	const time = age.replace(/(\d)([a-z])$/, '$1 $2');
	if (width < 90) return (left > 0 ? `, try in ${time}` : ', trying').padEnd(13);
	return (left > 0 ? `, next try in ${time}` : ', trying now').padEnd(18);
}

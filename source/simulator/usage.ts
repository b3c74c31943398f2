import type { Computer } from './computer.ts';
import { fraction, salts } from './random.ts';

/** In percent of what the plan gives; nothing is measured while it does not run. */
export type Usage = { cpu: number | null; memory: number | null; storage: number };

const minute = 60_000;
const day = 86_400_000;

/** Glides from one chance to the next, so that whoever looks often sees it drift. */
function drift(seed: number, computer: number, kind: number, step: number, now: number): number {
	const place = Math.floor(now / step);
	const part = now / step - place;
	const from = fraction(seed, salts.load, computer, kind, place);
	const to = fraction(seed, salts.load, computer, kind, place + 1);
	return from + (to - from) * part;
}

const percent = (part: number) => Math.round(1000 * Math.min(1, Math.max(0, part))) / 10;

export function usageAt(seed: number, computer: Computer, now: number): Usage {
	const { number, state, busyUntil, isSteady, createdAt } = computer;
	const size = fraction(seed, salts.load, number);
	const storage = percent(0.08 + 0.5 * size + 0.2 * (1 - Math.exp((createdAt - now) / (60 * day))));
	if (state !== 'active') return { cpu: null, memory: null, storage };

	const isBusy = isSteady || now < busyUntil;
	const cpu = drift(seed, number, 1, minute, now) * (isBusy ? 0.08 + 0.7 * size * size : 0.012);
	const memory = 0.1 + 0.45 * size + 0.25 * drift(seed, number, 2, 20 * minute, now);
	return { cpu: percent(cpu), memory: percent(isBusy ? memory : memory * 0.7), storage };
}

import type { Capability } from './matrix-facts.ts';

const finals: Readonly<Record<string, Capability>> = {
	H: 'cup',
	A: 'cuu',
	B: 'cud',
	C: 'cuf',
	D: 'cub',
	G: 'hpa',
	K: 'el',
	J: 'ed',
	X: 'ech',
	b: 'rep',
	L: 'il',
	M: 'dl',
	m: 'sgr',
	c: 'question',
	n: 'question',
	q: 'question',
	t: 'title stack',
	u: 'keyboard',
};

// Matches CSI, OSC and DCS sequences up to their ends, and anything else that begins with an escape.
const sequences =
	/\x1b\[([?>=<]?)([\d;:]*)[ -/]*([@-~])|\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1bP(?:\x1b\x1b|[^\x1b]|\x1b(?!\\))*\x1b\\|\x1b([\s\S])?/g;

/**
 * Returns the capabilities that the sequences need, each once. A sequence without a name stands for itself.
 */
export function neededCapabilities(received: string): ReadonlySet<Capability> {
	const asked = new Set<Capability>();
	for (const [all, prefix, parameters = '', final, osc] of received.matchAll(sequences)) {
		if (final === undefined) {
			if (osc !== undefined) asked.add('osc');
			else if (all === '\x1b>') asked.add('keypad');
			else asked.add(all.startsWith('\x1bP') ? 'dcs' : `unknown ${JSON.stringify(all)}`);
		} else if (prefix === '?' && /[hl]/.test(final)) {
			for (const mode of parameters.split(';')) asked.add(`mode ${Number(mode)}`);
		} else asked.add(finals[final] ?? `unknown ${JSON.stringify(all)}`);
	}
	return asked;
}

/** Returns how many colours a terminal needs to show the output: 0, 16, 256, or Infinity. */
export function neededColours(received: string): number {
	let most = 0;
	for (const [, codes = ''] of received.matchAll(/\x1b\[([\d;:]*)m/g)) {
		if (/\b[345]8[;:]2\b/.test(codes)) most = Number.POSITIVE_INFINITY;
		else if (/\b[345]8[;:]5\b/.test(codes)) most = Math.max(most, 256);
		else if (/(^|;)(3[0-7]|4[0-7]|9[0-7]|10[0-7])(;|$)/.test(codes)) most = Math.max(most, 16);
	}
	return most;
}

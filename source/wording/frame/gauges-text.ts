import { fitToWidth, partsThatFit, type Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { ScopeUsage } from '../../fleet/fact.ts';
import type { JointAccount } from '../../store/state.ts';

// reads ▮▮▮▯▯ 16/30  status ▮▯▯▯▯  9/60       used by everyone in this minute
// reads ▮▮▮▯▯  status ▮▯▯▯▯
// reads frozen 12s  status ▮▯▯▯▯  9/60        the platform refuses reads for another 12 seconds
// reads 3/7 this process only                 the requests of other processes cannot be counted

/** The rate limits that have a gauge, in the order in which they are shown. */
const gauges = [
	{ scope: 'other', label: 'reads' },
	{ scope: 'status', label: 'status' },
] as const;

const cells = 5;

/** The possible widths of the slot: two gauges with numbers, two gauges without numbers, and one gauge. */
export const gaugesWidths: readonly number[] = [37, 25, 17];

type GaugesOptions = {
	account: JointAccount;
	isLowBandwidth: boolean;
	now: number;
	theme: Theme;
};

/**
 * Draws the gauges of the rate limits in a slot of this width. On a slow line, the number of requests would change
 * the screen all the time, so a gauge is shown only while it explains why nothing is read.
 */
export function gaugesSpans(options: GaugesOptions, width: number): readonly Span[] {
	const { account, isLowBandwidth, now, theme } = options;
	const { standings } = account;
	if (!standings || width === 0) return fitToWidth([], width, theme);
	const usages = gauges.map(({ scope, label }) => ({ label, usage: standings[scope] }));
	const alone = usages.find(({ usage }) => usage.isAlone && !isFrozen(usage, now));
	if (alone) return fitToWidth(aloneSpans(alone.label, alone.usage, width), width, theme);
	const shown = usages.filter(({ usage }) => !isLowBandwidth || isFrozen(usage, now));
	const hasNumbers = width !== gaugesWidths[1];
	const parts = shown
		.toSorted((a, b) => Number(isFrozen(b.usage, now)) - Number(isFrozen(a.usage, now)))
		.map(({ label, usage }) =>
			isFrozen(usage, now)
				? frozenSpans(label, usage, options)
				: barSpans(label, usage, hasNumbers, options),
		);
	return fitToWidth(partsThatFit(parts, '  ', width, theme), width, theme);
}

/** Whether the gauges explain why nothing is read, or that other processes are not counted. */
export const areGaugesNeeded = ({ standings }: Pick<JointAccount, 'standings'>, now: number) =>
	standings !== undefined &&
	gauges.some(({ scope }) => standings[scope].isAlone || isFrozen(standings[scope], now));

const isFrozen = ({ frozenUntil }: ScopeUsage, now: number) =>
	frozenUntil !== undefined && frozenUntil > now;

function aloneSpans(label: string, { spent, limit }: ScopeUsage, width: number): readonly Span[] {
	const note = 'this process only';
	const text = `${label} ${spent}/${limit} ${note}`;
	return [[text.length <= width ? text : note, 'busy']];
}

function frozenSpans(
	label: string,
	{ frozenUntil = 0 }: ScopeUsage,
	{ now, theme }: GaugesOptions,
): readonly Span[] {
	const left = Math.ceil((frozenUntil - now) / 1000) * 1000;
	return [[`${label} frozen ${theme.times.age(left)}`, 'busy']];
}

function barSpans(
	label: string,
	{ spent, limit }: ScopeUsage,
	hasNumbers: boolean,
	{ theme: { glyphs } }: GaugesOptions,
): readonly Span[] {
	const share = limit > 0 ? Math.min(1, spent / limit) : 1;
	// A gauge is full only at the limit, and empty only if nothing was sent.
	const used = share === 1 ? cells : Math.min(cells - 1, Math.ceil(share * cells));
	const bar = glyphs.gauge.used.repeat(used) + glyphs.gauge.free.repeat(cells - used);
	const numbers = hasNumbers ? ` ${String(spent).padStart(2)}/${limit}` : '';
	return [[`${label} ${bar}${numbers}`, share === 1 ? 'busy' : 'faint']];
}

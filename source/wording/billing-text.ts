import { chartLines } from '../drawing/chart.ts';
import { type LabelledValue, labelValueLines } from '../drawing/label-value.ts';
import type { QrRenderer } from '../drawing/qr.ts';
import { type Section, sectionsHeight } from '../drawing/section.ts';
import type { Span } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import { timeText } from '../drawing/time-text.ts';
import type { Credits } from '../fleet/account.ts';
import { durationText } from '../fleet/duration.ts';
import type { Runway } from '../fleet/runway.ts';
import type { Payment } from '../screen/screen.ts';
import type { AccountState } from '../store/state.ts';
import { readAgeSpans } from './freshness-text.ts';
import { paymentSection } from './payment-text.ts';
import { plansTable } from './plan-text.ts';
import { failingReadLines } from './trouble-text.ts';

type BillingOptions = {
	account: AccountState;
	runway: Runway | null;
	payment?: Payment | undefined;
	qrOf: QrRenderer;
	now: number;
	width: number;
	lines: number;
	theme: Theme;
};

export function billingTitle(options: BillingOptions): readonly [Span[], readonly Span[]] {
	return [[['Billing', 'strong']], readAgeSpans(options, 'credits')];
}

const minChartHeight = 6;
const maxChartHeight = 16;

/**
 * Builds the sections of the billing view. The chart of the balance gets the lines that the other sections
 * leave free.
 */
export function billingSections(options: BillingOptions): readonly Section[] {
	const { account, payment, now, width, lines, theme } = options;
	const { samples, subscription } = account;
	const room = lines - 1;
	const paymentPage = payment ? paymentSection({ ...options, payment, maxLines: room }) : [];
	const values = accountBlocks(options);
	const plans: Section = [plansTable(subscription, width, theme)];
	const others = [paymentPage, values, plans].filter(section => section.length > 0);
	const left = room - sectionsHeight(others) - others.length;
	const height = Math.max(minChartHeight, Math.min(maxChartHeight, left));
	const chart = chartLines(samples, now, { width, height }, theme);
	return [paymentPage, values, chart.length > 0 ? [{ type: 'chart', lines: chart }] : [], plans];
}

function accountBlocks(options: BillingOptions): Section {
	const { account, runway, now, width, theme } = options;
	const { credits, reads } = account;
	const values: readonly LabelledValue[] = [
		...(credits ? creditValues(account, credits, runway, now) : []),
		...planValues(options),
	];
	const cannotRun: readonly Span[] = [
		[` ${theme.glyphs.error} The remaining credits are not enough to run a computer.`, 'bad'],
	];
	const failures = [
		...failingReadLines('credits', reads.credits?.failing),
		...failingReadLines('subscription', reads.subscription?.failing),
	];
	return [
		{ type: 'lines', lines: credits?.canRun === false ? [cannotRun] : [] },
		{ type: 'values', values, lines: labelValueLines(values, width, theme) },
		{ type: 'lines', lines: failures },
	];
}

function creditValues(
	account: AccountState,
	credits: Credits,
	runway: Runway | null,
	now: number,
): readonly LabelledValue[] {
	const { balance } = credits;
	const parts = breakdownText(credits);
	return [
		['Credits', [balance === null ? ['not reported', 'faint'] : [balance.toFixed(2), 'strong']]],
		['Lasts', runwaySpans(runway, now)],
		['Burn rate', burnSpans(runway, account.samples)],
		...(parts === '' ? [] : [['Breakdown', [[parts]]] as const]),
	];
}

const hoursPerDay = 24;
const hourMs = 3_600_000;

function burnSpans(runway: Runway | null, samples: AccountState['samples']): readonly Span[] {
	if (!runway) {
		const [first] = samples;
		const last = samples.at(-1);
		const minutes = first && last ? Math.floor((last.at - first.at) / 60_000) : undefined;
		const progressNote = minutes === undefined ? '' : ` (${minutes} so far)`;
		return [[`needs 10 min of readings${progressNote}`, 'faint']];
	}
	if (runway.burnPerHour <= 0) return [['none']];
	const { burnPerHour } = runway;
	return [[`${burnPerHour.toFixed(2)} an hour, ${(burnPerHour * hoursPerDay).toFixed(2)} a day`]];
}

function runwaySpans(runway: Runway | null, now: number): readonly Span[] {
	if (!runway) return [['not known yet', 'faint']];
	const { timeLeftMs: timeLeft } = runway;
	if (timeLeft === null) return [['no credits are being spent']];
	const isShort = timeLeft < hoursPerDay * hourMs;
	return [
		[durationText(timeLeft), isShort ? 'busy' : undefined],
		[`, until ${timeText(now + timeLeft, now)} at this pace`, 'faint'],
	];
}

function breakdownText({ daily, monthly, extra, expiring, nonExpiring }: Credits): string {
	const parts = { daily, monthly, bought: extra, expiring, 'without expiry': nonExpiring };
	return Object.entries(parts)
		.flatMap(([name, value]) => (value === undefined ? [] : `${name} ${value.toFixed(2)}`))
		.join(' + ');
}

function planValues(options: BillingOptions): readonly LabelledValue[] {
	const { account, now, theme } = options;
	const { subscription } = account;
	const age = readAgeSpans(options, 'subscription');
	if (subscription === undefined) return [['Plan', age]];
	if (subscription === null) {
		return [['Plan', [['none; billing is not set up', 'busy'], [' '], ...age]]];
	}
	const { planName, status, periodEndsAt, endsWithPeriod } = subscription;
	const words = status ? `${planName}, ${status}` : planName;
	const plan: LabelledValue = ['Plan', [[words], [' '], ...age]];
	if (periodEndsAt === undefined) return [plan];
	const left = periodEndsAt - now;
	const dateSpans: readonly Span[] = [
		[timeText(periodEndsAt, now), endsWithPeriod ? 'busy' : undefined],
		[left > 0 ? ` (in ${theme.times.duration(left)})` : ' (past)', 'faint'],
	];
	return [plan, [endsWithPeriod ? 'Ends' : 'Renews', dateSpans]];
}

import {
	type Credits,
	readOnlyMark,
	renewsAtOf,
	type Subscription,
} from '../fleet/computers/account.ts';
import { type CreditSample, type Runway, runwayOf } from '../fleet/computers/runway.ts';
import { autoSleepText, plans } from '../fleet/computers/stop-reason.ts';
import { durationText, hourMs } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { decimalText } from '../foundation/number-text.ts';
import { chart } from '../lines/chart.ts';
import {
	drawing,
	type LabelledValue,
	type Line,
	line,
	paragraph,
	parted,
	valueLines,
} from '../lines/line.ts';
import { qrCode } from '../lines/qr.ts';
import { type Span, slice, type Tone, wrapText } from '../lines/span.ts';
import { type Column, table } from '../lines/table.ts';
import { aboutSign, forecastTimeText, timeText, weekdayTimeText } from '../lines/time-text.ts';
import { outageOf } from '../store/freshness.ts';
import type { AccountState } from '../store/state.ts';
import { sentOutcomeUnknownText } from './phrases/outcome.ts';
import { failureLines, readAge, troubleLabel } from './phrases/reads.ts';
import type { NamedView, Scene } from './scene.ts';

//  Billing                                                              read 12 s ago
//  Credits   41.50                       Lasts     2 d 2 h, until Mon 10:00 at this rate
//  Burn rate 0.82 an hour, 19.68 a day   Plan      Pro, active
//   80.12 │ ───────╮
//   41.50 │             ╰─────╌╌╌╌╌
//  PLAN    AUTO-SLEEP
//  Pro     after 30 min idle    ← your plan

export const billing: NamedView = {
	read: 'credits',
	title: () => [[['Billing', 'strong']]],
	lines(scene) {
		const above = [paymentLines(scene), accountLines(scene), accountsTable(scene)];
		const below = plansTable(scene);
		const left = scene.height - 2 - parted(...above, below).length;
		return parted(...above, balanceLines(scene, left), below);
	},
	records: () => [],
};

function accountLines(scene: Scene): readonly Line[] {
	const { account, accounts, runway, now } = scene;
	const { subscription, reads } = account;
	const values = creditsValues(moneyIn(scene), runway, now);
	const isPlanUnknown = reads.subscription?.failing && subscription === undefined;
	return [
		// With several accounts, the table below names the plan of each.
		...valueLines(accounts.length === 1 ? [...values, ...planValues(scene)] : values),
		...failureLines(scene, 'credits'),
		...failureLines(scene, 'subscription'),
		...(isPlanUnknown
			? [line(['Starting billing is offered once the plan is read: it may have started.', 'faint'])]
			: []),
	];
}

function planValues(scene: Scene): readonly LabelledValue[] {
	const { runway, now } = scene;
	const { subscription, reads } = scene.account;
	const age = readAge(scene, 'subscription');
	if (subscription === undefined) return [['Plan', slice(age, 1)]];
	const known = subscriptionValues(subscription, now);
	// The plan hardly ever changes, so its age is said only while it cannot be read.
	const values = reads.subscription?.failing
		? known.map(([label, plan], at): LabelledValue => {
				return [label, at === 0 ? [...plan, [' '] as const, ...age] : plan];
			})
		: known;
	// The time that the credits last tells the renewal if it comes first.
	return isRenewedFirst(renewsAtOf(subscription), runway, now) ? values.slice(0, 1) : values;
}

export function subscriptionValues(
	subscription: Subscription | null | undefined,
	now: number,
): readonly LabelledValue[] {
	if (subscription === undefined) return [];
	if (subscription === null) return [['Plan', [['none; billing is not set up', 'busy']]]];
	const { planName, status, periodEndsAt, endsWithPeriod } = subscription;
	const plan: LabelledValue = ['Plan', [[status ? `${planName}, ${status}` : planName]]];
	if (periodEndsAt === undefined) return [plan];
	const left = periodEndsAt - now;
	const when = left > 0 ? ` (in ${durationText(left)})` : ' (past)';
	const date: Span = [timeText(periodEndsAt, now), endsWithPeriod ? 'busy' : undefined];
	return [plan, [endsWithPeriod ? 'Ends' : 'Renews', [date, [when, 'faint']]]];
}

type Money = Pick<AccountState, 'credits' | 'samples' | 'subscription'>;

const moneyIn = ({ accounts, account }: Scene): Money =>
	accounts.length === 1 ? account : { credits: creditsIn(accounts), samples: samplesIn(accounts) };

export function creditsIn(accounts: Scene['accounts']): Credits | undefined {
	const [only] = accounts;
	if (only && accounts.length === 1) return only.state.credits;
	const balances = accounts.flatMap(({ state }) => state.credits?.balance ?? []);
	if (balances.length === 0) return undefined;
	const isTooLow = accounts.some(({ state }) => state.credits?.canRun === false);
	return {
		balance: balances.reduce((sum, balance) => sum + balance),
		canRun: isTooLow ? false : undefined,
	};
}

/** Begins once a balance of every account is known; accounts without any balance are left out. */
function samplesIn(accounts: Scene['accounts']): readonly CreditSample[] {
	const all = accounts.map(({ state }) => state.samples).filter(samples => samples.length > 0);
	const begin = Math.max(...all.map(([first]) => first?.at ?? 0));
	const balances = all.map(() => 0);
	const sums = new Map<number, number>();
	const inOrder = all.flatMap((samples, place) => samples.map(each => ({ ...each, place })));
	for (const { at, balance, place } of inOrder.sort((a, b) => a.at - b.at)) {
		balances[place] = balance;
		if (at >= begin)
			sums.set(
				at,
				balances.reduce((sum, each) => sum + each),
			);
	}
	return Array.from(sums, ([at, balance]) => ({ at, balance }));
}

export function creditsValues(
	{ credits, subscription }: Money,
	runway: Runway | null,
	now: number,
): readonly LabelledValue[] {
	if (!credits) return [];
	const { balance } = credits;
	const left: Span =
		balance === null ? ['not reported', 'faint'] : [decimalText(balance), 'strong'];
	return [
		['Credits', [left, [partsText(credits)]]],
		['Burn rate', burnSpans(runway)],
		['Lasts', lastsSpans(credits, runway, renewsAtOf(subscription), now)],
	];
}

/** As in ": 5.00 daily + 6.50 bought"; nothing if the balance is all bought. */
function partsText({ daily, monthly, extra, expiring, nonExpiring }: Credits): string {
	const known = { daily, monthly, bought: extra, expiring, 'without expiry': nonExpiring };
	const parts = Object.entries(known).flatMap(([name, value]) =>
		value ? `${decimalText(value)} ${name}` : [],
	);
	const isAllBought = parts.length === 1 && extra;
	return parts.length === 0 || isAllBought ? '' : `: ${parts.join(' + ')}`;
}

function burnSpans(runway: Runway | null): readonly Span[] {
	if (!runway) return [['needs 10 min of readings', 'faint']];
	const { burnPerHour, measuredMs = 0, isEstimate } = runway;
	if (burnPerHour <= 0) return [['none']];
	const anHour = `${decimalText(burnPerHour)} an hour`;
	if (!isEstimate) return [[`${anHour}, ${decimalText(burnPerHour * 24)} a day`]];
	const measured = `, estimated from ${durationText(measuredMs)} of readings`;
	return [[`${aboutSign} ${anHour}`], [measured, 'faint']];
}

function lastsSpans(
	credits: Credits,
	runway: Runway | null,
	renewsAt: number | undefined,
	now: number,
): readonly Span[] {
	if (credits.canRun === false) return [['too few to run a computer', 'bad']];
	const { timeLeftMs: left = null, isEstimate = false } = runway ?? {};
	if (left === null) {
		if (credits.balance === null) return [['not reported', 'faint']];
		return [runway ? ['not being spent'] : ['burn rate not known yet', 'faint']];
	}
	const about = isEstimate ? `${aboutSign} ` : '';
	const lasts: Span = [`${about}${durationText(left)}`, toneOfLevel(runway)];
	const end = isRenewedFirst(renewsAt, runway, now)
		? `; renews ${weekdayTimeText(renewsAt, now)}, amount unknown`
		: `, until ${forecastTimeText(now + left, now, isEstimate)} at this rate`;
	return [lasts, [end, 'faint']];
}

function isRenewedFirst(
	renewsAt: number | undefined,
	runway: Runway | null,
	now: number,
): renewsAt is number {
	const emptyAt = now + (runway?.timeLeftMs ?? 0);
	return renewsAt !== undefined && renewsAt > now && renewsAt < emptyAt;
}

const levelTones = { low: 'busy', enough: undefined } as const;

export const toneOfLevel = (runway: Runway | null): Tone | undefined =>
	runway?.level && levelTones[runway.level];

export const billingRequestTexts = {
	pay: {
		title: 'Open a payment page?',
		lines: ['Opens a page at the payment service.', 'Nothing is paid until you pay there.'],
		prompt: 'Open the page?',
		verbInHelp: 'opens the page',
		doing: 'Opening a payment page',
		failed: 'Cannot open a payment page',
		command: ['checkout'],
	},
	billing: {
		title: 'Start billing?',
		lines: ['Sets up billing for this account, as the platform does for a new user.'],
		prompt: 'Start billing?',
		verbInHelp: 'starts billing',
		doing: 'Starting billing',
		failed: 'Cannot start billing',
		command: ['billing', 'setup'],
	},
};

export type BillingRequest = keyof typeof billingRequestTexts;

export const billingStartedText = 'Billing has started';

/** A request whose outcome is unknown may have changed the account. */
export function billingFailureText(
	request: BillingRequest,
	{ message, advice, isOutcomeUnknown }: Failure,
): { message: string; advice: string } {
	const { failed } = billingRequestTexts[request];
	if (!isOutcomeUnknown) return { message: `${failed}: ${message}`, advice };
	return {
		message: `${sentOutcomeUnknownText}: ${message}`,
		advice: 'Check the account before you try again.',
	};
}

const minChartHeight = 6;
const maxChartHeight = 16;
const maxForecastMs = 72 * hourMs;

function balanceLines(scene: Scene, room: number): readonly Line[] {
	const { runway, now, width } = scene;
	const { samples, subscription } = moneyIn(scene);
	const [first, last] = [samples[0], samples.at(-1)];
	// Without a width, as for speech, there is nothing to draw.
	if (!first || !last || width === Infinity) return [];
	const { burnPerHour = 0, isEstimate = false } = runway ?? {};
	const until = Math.max(now, last.at);
	const emptyAt = burnPerHour > 0 ? until + (last.balance / burnPerHour) * hourMs : Infinity;
	const renewsAt = renewsAtOf(subscription) ?? 0;
	// What the renewal adds is not told, so the forecast ends there.
	const renewal = renewsAt > until ? renewsAt : Infinity;
	const end = Math.min(emptyAt, renewal, until + Math.max(until - first.at, maxForecastMs));
	const hasForecast = Number.isFinite(emptyAt) && emptyAt > until;
	const endText =
		end === emptyAt
			? `empty ${forecastTimeText(end, now, isEstimate)}`
			: end === renewal
				? 'renewal'
				: timeText(end, now);
	return chart({
		points: samples.map(({ at, balance }) => ({ at, value: balance })),
		until,
		forecast: hasForecast
			? { end, valueAt: at => last.balance - (burnPerHour * (at - until)) / hourMs }
			: undefined,
		// Old samples are thinned out, so there only a longer gap means that nothing was read.
		maxGapMs: age => (age > 72 * hourMs ? 6 * hourMs : hourMs),
		marks: [
			...(hasForecast ? [{ at: end, text: endText }] : []),
			{ at: until, text: 'now' },
			{ at: first.at, text: timeText(first.at, now) },
		],
		labelOf: decimalText,
		width,
		height: Math.max(minChartHeight, Math.min(maxChartHeight, room)),
	});
}

//  ACCOUNT   CREDITS   AN HOUR   LASTS     PLAN   RENEWS             PROBLEM
//  work        41.50      0.82   2 d 2 h   Pro    2026-12-01 00:00

function accountsTable({ accounts, now, width }: Scene): readonly Line[] {
	if (accounts.length < 2) return [];
	const profiles = accounts.map(({ profile }) => profile);
	const rows = accounts.map(({ profile, state }) => {
		const { balance = null } = state.credits ?? {};
		const { planName = '', periodEndsAt, endsWithPeriod } = state.subscription ?? {};
		const runway = runwayOf(state);
		const outage = outageOf(state, now);
		const renewal = periodEndsAt === undefined ? '' : timeText(periodEndsAt, now);
		return {
			name: `${profile.name}${readOnlyMark(profile, profiles)}`,
			credits: balance === null ? '–' : decimalText(balance),
			anHour: runway ? decimalText(runway.burnPerHour) : '',
			lasts: typeof runway?.timeLeftMs === 'number' ? durationText(runway.timeLeftMs) : '',
			plan: planName,
			renews: endsWithPeriod && renewal ? `ends ${renewal}` : renewal,
			problem: outage ? troubleLabel(outage) : '',
		};
	});
	const columns: readonly Column<(typeof rows)[number]>[] = [
		{ title: 'ACCOUNT', min: 8, cell: ({ name }) => [[name]] },
		{ title: 'CREDITS', align: 'right', cell: ({ credits }) => [[credits]] },
		{ title: 'AN HOUR', align: 'right', drop: 3, cell: ({ anHour }) => [[anHour]] },
		{ title: 'LASTS', min: 6, drop: 1, cell: ({ lasts }) => [[lasts]] },
		{ title: 'PLAN', drop: 2, cell: ({ plan }) => [[plan]] },
		{ title: 'RENEWS', drop: 4, cell: ({ renews }) => [[renews]] },
		{ title: 'PROBLEM', min: 8, drop: 1, cell: ({ problem }) => [[problem]] },
	];
	return table(columns, rows, width, () => ({}));
}

function plansTable({ account, accounts, width }: Scene): readonly Line[] {
	const own = accounts.length > 1 ? undefined : account.subscription;
	const all = new Map(Array.from(plans, ([id, { name }]) => [id, name]));
	if (own && !all.has(own.plan)) all.set(own.plan, own.planName);
	const columns: readonly Column<readonly [id: string, name: string]>[] = [
		{ title: 'PLAN', min: 6, cell: ([, name]) => [[name]] },
		{ title: 'AUTO-SLEEP', min: 12, drop: 2, cell: ([id]) => [[autoSleepText(id)]] },
		{ title: '', min: 11, drop: 1, cell: ([id]) => [[id === own?.plan ? '← your plan' : '']] },
	];
	return table(columns, [...all], width, () => ({}));
}

//  Payment page  opened 4 s ago   y copies the address   Esc closes
//  https://pay.example.com/c/cs_test_a1B2c3
//  █▀▀▀▀▀█ ▄▀ █▀▀▀▀▀█

export function paymentLines({ screen, now, width, height, hasUnicode, times }: Scene) {
	const { payment } = screen;
	if (!payment) return [];
	if (payment.state === 'opening') {
		const opening: Line = { spans: [[`  ${billingRequestTexts.pay.doing}`]], isWaiting: true };
		return [opening];
	}
	if (payment.state === 'failed') {
		const { message, advice } = billingFailureText('pay', payment.failure);
		return [...paragraph(`✖ ${message}`, width, 'bad'), ...paragraph(advice, width, 'faint')];
	}
	const { url, openedAt } = payment;
	const head = [
		line(
			['Payment page', 'strong'],
			[`  opened ${times.ago(now - openedAt)}`, 'faint'],
			['   y', 'accent'],
			[' copies the address', 'faint'],
			['   Esc', 'accent'],
			[' closes', 'faint'],
		),
		...wrapText(url, width - 2).map((piece): Line => ({ ...line([piece, 'accent']), url })),
	];
	const code = hasUnicode ? (qrCode(url) ?? []) : [];
	const columns = code[0]?.length ?? 0;
	if (columns < width && head.length + code.length < height)
		return [...head, ...code.map(row => drawing([[' '], [row, 'paper']]))];
	const size = `${columns} columns and ${code.length} lines`;
	return [...head, line([`No room for the QR code, which needs ${size}.`, 'faint'])];
}

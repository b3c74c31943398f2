import type { LabelledValue } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Credits } from '../../fleet/computers/account.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import { decimalText } from '../../foundation/number-text.ts';
import { aboutSign, forecastTimeText, weekdayTimeText } from '../../lines/time-text.ts';
import type { JointAccount } from '../../store/state.ts';
import { spellOut } from '../../views/phrases/words.ts';

const hoursPerDay = 24;

/** The possible states of the credits, from the most urgent to the least. */
export type CreditsState =
	| 'tooFew'
	| 'low'
	| 'enough'
	| 'unspent'
	| 'unmeasured'
	| 'unreported'
	| 'unread';

type CreditsOptions = {
	credits: Credits | undefined;
	runway: Runway | null;
};

function creditsStateOf({ credits, runway }: CreditsOptions): CreditsState {
	if (!credits) return 'unread';
	if (credits.canRun === false) return 'tooFew';
	if (runway && runway.timeLeftMs !== null) return runway.isLow ? 'low' : 'enough';
	if (credits.balance === null) return 'unreported';
	return runway ? 'unspent' : 'unmeasured';
}

type CreditsWords = { screen: string; line: string; speech: string; state: CreditsState };

/** Says how many credits are left, and how long they last. On the screen, the balance stands before this text. */
export function creditsWords(options: CreditsOptions): CreditsWords {
	const state = creditsStateOf(options);
	const { credits, runway } = options;
	const timeLeftMs = runway?.timeLeftMs ?? 0;
	const { balance: left = null } = credits ?? {};
	const balance = left === null ? undefined : decimalText(left);
	const begin = balance === undefined ? 'Credits' : `Credits ${balance}`;
	const wordsWith = (time: (ms: number) => string): readonly [screen: string, line: string] => {
		switch (state) {
			case 'tooFew':
				return ['too few to run a computer', `${begin}: too few to run a computer`];
			case 'low':
				return [
					`${time(timeLeftMs)} left`,
					`Credits run low: ${balance ?? 'few'} left, enough for ${time(timeLeftMs)}`,
				];
			case 'enough':
				return [`${time(timeLeftMs)} left`, `${begin}, enough for ${time(timeLeftMs)}`];
			case 'unspent':
				return ['not being spent', `${begin}, not being spent`];
			case 'unmeasured':
				return ['burn rate not known yet', `${begin}, burn rate not known yet`];
			case 'unreported':
				return ['not reported', 'The platform does not report credits'];
			case 'unread':
				return ['not read yet', 'Credits not read yet'];
		}
	};
	const [screen, line] = wordsWith(durationText);
	return { screen, line, speech: `${wordsWith(ms => spellOut(durationText(ms)))[1]}.`, state };
}

/** When the plan of an account renews; undefined if it does not, or if the platform does not tell. */
export const renewsAtOf = ({ subscription }: Pick<JointAccount, 'subscription'>) =>
	subscription?.endsWithPeriod ? undefined : subscription?.periodEndsAt;

/** Lists the credits with their labels, for the billing view and for the command `credits`. */
export function creditsValues(
	account: Pick<JointAccount, 'credits' | 'samples' | 'subscription'>,
	runway: Runway | null,
	now: number,
): readonly LabelledValue[] {
	const { credits, samples } = account;
	if (!credits) return [];
	const { balance } = credits;
	return [
		[
			'Credits',
			[
				balance === null ? ['not reported', 'faint'] : [decimalText(balance), 'strong'],
				[partsText(credits)],
			],
		],
		['Burn rate', burnSpans(runway, samples)],
		['Lasts', lastsSpans(credits, runway, renewsAtOf(account), now)],
	];
}

function lastsSpans(
	credits: Credits,
	runway: Runway | null,
	renewsAt: number | undefined,
	now: number,
): readonly Span[] {
	const { screen, state } = creditsWords({ credits, runway });
	if (state === 'tooFew') return [[screen, 'bad']];
	const left = runway?.timeLeftMs ?? null;
	if (left === null) return [[screen, runway ? undefined : 'faint']];
	const isEstimate = runway?.isEstimate === true;
	const lasts: Span = [
		`${aboutIf(runway)}${durationText(left)}`,
		state === 'low' ? 'busy' : undefined,
	];
	// What the renewal adds is not told, so no end is promised after it.
	if (renewsAt !== undefined && renewsAt > now && renewsAt < now + left)
		return [
			lasts,
			[`; before that, the plan renews ${weekdayTimeText(renewsAt, now)}, amount unknown`, 'faint'],
		];
	return [
		lasts,
		[`, until ${forecastTimeText(now + left, now, isEstimate)} at this rate`, 'faint'],
	];
}

/** The sign before a value that is only an estimate. */
const aboutIf = (runway: Runway | null) => (runway?.isEstimate ? `${aboutSign} ` : '');

function burnSpans(runway: Runway | null, samples: JointAccount['samples']): readonly Span[] {
	if (!runway) {
		const [first] = samples;
		const last = samples.at(-1);
		const minutes = first && last ? Math.floor((last.at - first.at) / 60_000) : undefined;
		const progressNote = minutes === undefined ? '' : ` (${minutes} so far)`;
		return [[`needs 10 min of readings${progressNote}`, 'faint']];
	}
	const { burnPerHour, measuredMs = 0, isEstimate } = runway;
	if (burnPerHour <= 0) return [['none']];
	if (isEstimate)
		return [
			[`${aboutSign} ${decimalText(burnPerHour)} an hour`],
			[`, estimated from ${durationText(measuredMs)} of readings`, 'faint'],
		];
	const rates = `${decimalText(burnPerHour)} an hour, ${decimalText(burnPerHour * hoursPerDay)} a day`;
	return [[rates]];
}

/** Says what the balance consists of, as in ": 5.00 daily + 6.50 bought"; nothing if it is all bought. */
function partsText({ balance, daily, monthly, extra, expiring, nonExpiring }: Credits): string {
	const known = { daily, monthly, bought: extra, expiring, 'without expiry': nonExpiring };
	const parts = Object.entries(known).flatMap(([name, value]) => (value ? { name, value } : []));
	const [first, ...others] = parts;
	if (!first) return '';
	if (others.length === 0 && first.value === balance)
		return first.name === 'bought' ? '' : `, all ${first.name}`;
	return `: ${parts.map(({ name, value }) => `${decimalText(value)} ${name}`).join(' + ')}`;
}

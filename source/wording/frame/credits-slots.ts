import { fitToWidth, type Span } from '../../drawing/span.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import { amountText, amountWidth, rateText, rateWidth } from '../../foundation/number-text.ts';
import type { Theme } from '../../lines/theme.ts';
import { aboutSign } from '../../lines/time-text.ts';
import type { JointAccount } from '../../store/state.ts';
import { creditsWords } from '../phrases/credits-words.ts';

//  credits 38.75    −0.90/h   2 d 2 h left
//  38.75   2 d 2 h left
//  38.75        credits                     while nobody knows how long they last

export type CreditsOptions = {
	account: JointAccount;
	runway: Runway | null;
	now: number;
	theme: Theme;
};

export type CreditsParts = readonly (keyof typeof creditsParts)[];

/** A part of the credits in the first line. */
type CreditsPart = {
	width: number;
	align?: 'right';
	spans: (options: CreditsOptions) => readonly Span[];
};

/** The parts of the credits, each with the width of its slot. Slots are separated by a blank. */
const creditsParts = {
	label: { width: 7, spans: ({ account }) => (hasBalance(account) ? [['credits', 'faint']] : []) },
	balance: {
		width: amountWidth,
		spans({ account: { credits } }) {
			return typeof credits?.balance === 'number' ? [[amountText(credits.balance)]] : [];
		},
	},
	burn: {
		width: rateWidth + 3,
		spans({ account, runway, theme }) {
			if (!hasBalance(account) || !runway || runway.timeLeftMs === null) return [];
			const sign = runway.isEstimate ? aboutSign : theme.glyphs.minus;
			return [[`${sign}${rateText(runway.burnPerHour)}/h`, 'faint']];
		},
	},
	timeLeft: {
		width: '9 d 23 h left'.length,
		align: 'right',
		spans({ account, runway }) {
			if (!hasBalance(account)) return [];
			const { state } = creditsWords({ credits: account.credits, runway });
			if (state === 'tooFew') return [['used up', 'bad']];
			if (!runway || runway.timeLeftMs === null) return [];
			return [[timeLeftText(runway), state === 'low' ? 'busy' : undefined]];
		},
	},
} as const satisfies Readonly<Record<string, CreditsPart>>;

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Writes how long the credits last. The smaller unit is shown only beside a single digit, as in "2 d 2 h". An
 * estimate has no smaller unit, because it would change with every balance.
 */
function timeLeftText({ timeLeftMs, isEstimate }: Runway): string {
	const milliseconds = timeLeftMs ?? 0;
	const unit = milliseconds >= day ? day : hour;
	const name = unit === day ? 'd' : 'h';
	if (isEstimate)
		return `${aboutSign} ${Math.min(9_999, Math.round(milliseconds / unit))} ${name} left`;
	if (milliseconds < 10 * unit) return `${durationText(milliseconds).replace('min', 'm')} left`;
	const count = Math.floor(milliseconds / unit);
	return count > 9_999 ? 'years left' : `${count} ${name} left`;
}

const hasBalance = ({ credits }: JointAccount) => typeof credits?.balance === 'number';

export const creditsWidth = (parts: CreditsParts) =>
	Math.max(
		0,
		parts.reduce((sum, part) => sum + creditsParts[part].width + 1, -1),
	);

export function creditsSpans(parts: CreditsParts, options: CreditsOptions): readonly Span[] {
	return parts.flatMap((part, at): readonly Span[] => {
		const { width, align, spans }: CreditsPart = creditsParts[part];
		const own = spans(options);
		// A number alone could be anything.
		const stands = part === 'timeLeft' && own.length === 0 && !parts.includes('label');
		const shown = stands ? insteadOfTime(parts, options) : own;
		const fitted = fitToWidth(shown, width, options.theme, align);
		return at > 0 ? [[' '], ...fitted] : fitted;
	});
}

function insteadOfTime(parts: CreditsParts, options: CreditsOptions): readonly Span[] {
	if (parts.includes('balance')) return creditsParts.label.spans(options);
	return creditsParts.balance.spans(options).map(([text]): Span => [`${text.trim()} left`]);
}

import type { Credits } from '../../fleet/computers/account.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import type { Failure } from '../../foundation/failure.ts';
import { decimalText } from '../../foundation/number-text.ts';
import { sentOutcomeUnknownText } from './outcome.ts';

/** The words beside the balance on the screen, and a sentence of its own. */
type CreditsWords = { state?: 'tooFew' | 'low'; screen: string; line: string };

export function creditsWords(credits: Credits | undefined, runway: Runway | null): CreditsWords {
	if (!credits) return { screen: 'not read yet', line: 'Credits not read yet' };
	const balance = credits.balance === null ? undefined : decimalText(credits.balance);
	const begin = balance === undefined ? 'Credits' : `Credits ${balance}`;
	if (credits.canRun === false) {
		const screen = 'too few to run a computer';
		return { state: 'tooFew', screen, line: `${begin}: ${screen}` };
	}
	if (runway && runway.timeLeftMs !== null) {
		const time = durationText(runway.timeLeftMs);
		const screen = `${time} left`;
		if (!runway.isLow) return { screen, line: `${begin}, enough for ${time}` };
		const line = `Credits run low: ${balance ?? 'few'} left, enough for ${time}`;
		return { state: 'low', screen, line };
	}
	if (credits.balance === null)
		return { screen: 'not reported', line: 'The platform does not report credits' };
	const screen = runway ? 'not being spent' : 'burn rate not known yet';
	return { screen, line: `${begin}, ${screen}` };
}

/** A request about the account: `pay` opens a payment page, and `billing` starts billing. */
export type BillingRequest = 'pay' | 'billing';

export const billingRequestTexts: Readonly<
	Record<
		BillingRequest,
		{
			title: string;
			lines: readonly string[];
			prompt: string;
			verbInHelp: string;
			doing: string;
			failed: string;
		}
	>
> = {
	pay: {
		title: 'Open a payment page?',
		lines: ['Opens a page at the payment service.', 'Nothing is paid until you pay there.'],
		prompt: 'Open the page?',
		verbInHelp: 'opens the page',
		doing: 'Opening a payment page',
		failed: 'Cannot open a payment page',
	},
	billing: {
		title: 'Start billing?',
		lines: ['Sets up billing for this account, as the platform does for a new user.'],
		prompt: 'Start billing?',
		verbInHelp: 'starts billing',
		doing: 'Starting billing',
		failed: 'Cannot start billing',
	},
};

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

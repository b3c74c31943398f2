import type { Failure } from '../../foundation/failure.ts';
import { sentOutcomeUnknownText } from './outcome.ts';

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

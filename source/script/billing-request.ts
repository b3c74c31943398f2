import { CommandError } from '../foundation/error.ts';
import { yesAnswer } from '../operations/question-wording.ts';
import { PlatformError } from '../platform/decoding/platform-error.ts';
import type { RequestOptions } from '../platform/transport.ts';
import type { Host } from '../session/host.ts';
import {
	type BillingRequest,
	billingFailureText,
	billingRequestTexts,
} from '../views/phrases/billing-request.ts';
import { sentOutcomeUnknownText } from '../views/phrases/outcome.ts';
import { accountLines, askFor } from './ask.ts';
import { errorFromFailure, type ParsedArgs, readOnlyError } from './command.ts';
import type { Fleet } from './fleet.ts';
import { nothingSentText, TimedOut } from './interruption.ts';
import { createWaitNotifier, retryWhenLimited } from './read-account.ts';

export async function confirmRequest(
	{ program }: Host,
	args: ParsedArgs,
	{ session: { profile }, signal, withoutTimeout }: Fleet,
	about: BillingRequest,
): Promise<void> {
	if (profile.isReadOnly) throw readOnlyError();
	const { title, lines, prompt } = billingRequestTexts[about];
	const asked = {
		lines: [title, ...accountLines(profile), ...lines],
		steps: [{ kind: 'yes', prompt }] as const,
		given: () => (args.flag('yes') ? yesAnswer : undefined),
		missing: `${title} There is no terminal to ask on: add --yes`,
	};
	await withoutTimeout(() => askFor(program, args, asked, signal));
}

/** A request that a rate limit refused had no effect, so it is repeated. */
export async function sendAfterRateLimits<T>(
	{ clock }: Host,
	{ session, signal, notify }: Fleet,
	about: BillingRequest,
	send: (request: RequestOptions) => Promise<T>,
): Promise<T> {
	let isSent = false;
	const onSent = () => {
		isSent = true;
	};
	const retrying = { clock, session, signal, onWait: createWaitNotifier(clock, notify) };
	try {
		return await retryWhenLimited(retrying, () => {
			isSent = false;
			return send({ signal, priority: 'operation', onSent });
		});
	} catch (error) {
		const { reason } = signal;
		if (reason instanceof TimedOut) {
			throw reason.withConsequence(isSent ? sentOutcomeUnknownText : nothingSentText);
		}
		throw error instanceof PlatformError ? requestError(about, error) : error;
	}
}

function requestError(about: BillingRequest, { failure }: PlatformError): CommandError {
	if (!failure.isOutcomeUnknown) {
		return errorFromFailure(billingRequestTexts[about].failed, failure);
	}
	const { message, advice } = billingFailureText(about, failure);
	return new CommandError(failure.kind, message, advice);
}

import { rateLimitHeadersFrom } from '../../pace/rate-limit-headers.ts';
import type { Check } from './check.ts';
import type { HttpExchange } from './http-tap.ts';

/** Checks the rate limit headers and the Date header of a response. */
export function responseChecks(exchange: HttpExchange | undefined): Check[] {
	if (exchange === undefined) return [];
	return [limitCheck(exchange), clockCheck(exchange)];
}

function limitCheck({ headers, answeredAt }: HttpExchange): Check {
	const subject = 'Rate limits';
	const { limit, remaining, resetInMs } = rateLimitHeadersFrom(headers, answeredAt);
	if (limit === undefined || remaining === undefined) {
		const finding =
			'responses do not say how many requests are left; crowsnest counts only those of this host';
		const advice =
			'If other programs on this account use up the limit (status 429), crowsnest waits.';
		return { subject, status: 'unsure', finding, advice };
	}
	const seconds = resetInMs === undefined ? undefined : Math.max(0, Math.round(resetInMs / 1000));
	const resetText = seconds === undefined ? '' : `, resets in ${seconds} s`;
	return { subject, status: 'right', finding: `${remaining} of ${limit} left${resetText}` };
}

/**
 * Compares the clock of this machine with the platform's Date header. The header has whole seconds and is
 * some time on its way, so a difference of less than five seconds counts as agreement.
 */
function clockCheck({ headers, sentAt, answeredAt }: HttpExchange): Check {
	const subject = 'Clock';
	const platformTime = Date.parse(headers.get('date') ?? '');
	if (Number.isNaN(platformTime))
		return { subject, status: 'skipped', finding: 'responses have no date' };
	const marginMs = 1000 + (answeredAt - sentAt) / 2;
	const differenceMs = (sentAt + answeredAt) / 2 - (platformTime + 500);
	const seconds = Math.max(0, Math.round((Math.abs(differenceMs) - marginMs) / 1000));
	if (seconds < 5) return { subject, status: 'right', finding: "agrees with the platform's" };
	const finding = `${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the platform's`;
	const advice =
		'Set the clock of this machine: the expiry of tokens and the age of data depend on it.';
	return { subject, status: seconds < 60 ? 'unsure' : 'wrong', finding, advice };
}

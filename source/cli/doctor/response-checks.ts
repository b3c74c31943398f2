import { rateLimitHeadersFrom } from '../../pace/rate-limit-headers.ts';
import type { Check } from './check.ts';
import type { HttpExchange } from './http-tap.ts';

/** Checks what the headers of a response say about rate limits and about the clock. */
export function responseChecks(exchange: HttpExchange | undefined): Check[] {
	if (exchange === undefined) return [];
	return [limitCheck(exchange), clockCheck(exchange)];
}

function limitCheck({ headers, answeredAt }: HttpExchange): Check {
	const about = 'Rate limits';
	const { limit, remaining, resetIn } = rateLimitHeadersFrom(headers, answeredAt);
	if (limit === undefined || remaining === undefined) {
		const said =
			'responses do not say how many requests are left; crowsnest counts only those of this host';
		const advice =
			'If other programs on this account use up the limit (status 429), crowsnest waits.';
		return { about, state: 'unsure', said, advice };
	}
	const seconds = resetIn === undefined ? undefined : Math.max(0, Math.round(resetIn / 1000));
	const reset = seconds === undefined ? '' : `, resets in ${seconds} s`;
	return { about, state: 'right', said: `${remaining} of ${limit} left${reset}` };
}

/**
 * Compares the clocks. The header counts whole seconds, and the response took some time to arrive, so small
 * differences are ignored.
 */
function clockCheck({ headers, askedAt, answeredAt }: HttpExchange): Check {
	const about = 'Clock';
	const there = Date.parse(headers.get('date') ?? '');
	if (Number.isNaN(there)) return { about, state: 'skipped', said: 'responses have no date' };
	const margin = 1000 + (answeredAt - askedAt) / 2;
	const difference = (askedAt + answeredAt) / 2 - (there + 500);
	const seconds = Math.max(0, Math.round((Math.abs(difference) - margin) / 1000));
	if (seconds < 5) return { about, state: 'right', said: "agrees with the platform's" };
	const said = `${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the platform's`;
	const advice =
		'Set the clock of this machine: the expiry of tokens and the age of data depend on it.';
	return { about, state: seconds < 60 ? 'unsure' : 'wrong', said, advice };
}

import { rateLimitHeadersFrom } from '../../pace/rate-limit-headers.ts';
import type { Check } from './check.ts';
import type { HttpExchange } from './http-tap.ts';

/** What an answer tells beside its content: the rate limits, and the time there. */
export function responseChecks(seen: HttpExchange | undefined): Check[] {
	if (seen === undefined) return [];
	return [limitCheck(seen), clockCheck(seen)];
}

function limitCheck({ headers, answeredAt }: HttpExchange): Check {
	const about = 'Rate limits';
	const { limit, remaining, resetIn } = rateLimitHeadersFrom(headers, answeredAt);
	if (limit === undefined || remaining === undefined) {
		const said = 'the answers do not tell what is left; only what is spent here is counted';
		const advice = 'Other programs on this account may lead to 429s. They are waited for.';
		return { about, state: 'unsure', said, advice };
	}
	const seconds = resetIn === undefined ? undefined : Math.max(0, Math.round(resetIn / 1000));
	const reset = seconds === undefined ? '' : `, anew in ${seconds} s`;
	return { about, state: 'right', said: `${remaining} of ${limit} left${reset}` };
}

/** The platform's clock stands in whole seconds in the header; the answer was on its way meanwhile. */
function clockCheck({ headers, askedAt, answeredAt }: HttpExchange): Check {
	const about = 'Clock';
	const there = Date.parse(headers.get('date') ?? '');
	if (Number.isNaN(there)) return { about, state: 'skipped', said: 'the answers tell no time' };
	const margin = 1000 + (answeredAt - askedAt) / 2;
	const difference = (askedAt + answeredAt) / 2 - (there + 500);
	const seconds = Math.max(0, Math.round((Math.abs(difference) - margin) / 1000));
	if (seconds < 5) return { about, state: 'right', said: "agrees with the platform's" };
	const said = `${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the platform's`;
	const advice = 'Set the clock of this machine: tokens and ages are told by it.';
	return { about, state: seconds < 60 ? 'unsure' : 'wrong', said, advice };
}

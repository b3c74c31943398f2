import { expect, test } from 'vitest';
import { failureFrom } from '../../../source/platform/decoding/decode-failure.ts';

const now = Date.UTC(2026, 10, 21, 8);

function failure(status: number, body: unknown, headers: Record<string, string> = {}) {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const json = typeof body === 'string' ? undefined : body;
	return failureFrom({ status, headers: new Headers(headers), json, text, now });
}

test.each([
	[
		400,
		{ error: { message: 'bad port', code: 'invalid_port' } },
		'invalid',
		'bad port',
		'invalid_port',
	],
	[403, { success: false, error: 'not yours' }, 'denied', 'not yours', undefined],
	[
		402,
		{ success: false, error: 'add a card', code: 'no_payment_method' },
		'payment',
		'add a card',
		'no_payment_method',
	],
	[
		404,
		{ status: 'not_found', error: 'no such computer' },
		'missing',
		'no such computer',
		undefined,
	],
	[
		409,
		{ error: 'already in progress', status: 'stopping' },
		'conflict',
		'already in progress',
		undefined,
	],
	[
		400,
		{ error: 'invalid_grant', error_description: 'Invalid login credentials' },
		'invalid',
		'Invalid login credentials',
		undefined,
	],
	[
		400,
		{ code: 400, error_code: 'invalid_credentials', msg: 'Invalid login' },
		'invalid',
		'Invalid login',
		'invalid_credentials',
	],
	[500, { message: 'internal' }, 'server', 'internal', undefined],
	[
		502,
		'<html><head><title>502 Bad Gateway</title>',
		'server',
		'a web page instead of an answer: 502 Bad Gateway (status 502)',
		undefined,
	],
	[503, '', 'server', 'no reason given (status 503)', undefined],
	[418, 'short and stout', 'invalid', 'status 418', undefined],
])(
	'the client reads the failure in a response of status %i with the body %j',
	(status, body, kind, message, code) => {
		expect(failure(status, body)).toMatchObject({ kind, message, status });
		expect(failure(status, body).code).toBe(code);
	},
);

test('the client keeps the address of a payment page in a failure only if the address is safe', () => {
	const body = { error: 'pay', portal_url: 'https://pay.example/portal' };
	expect(failure(402, body).url).toBe('https://pay.example/portal');
	expect(failure(402, { ...body, portal_url: 'javascript:0' }).url).toBeUndefined();
});

test.each([
	['120', 120_000],
	['0', 0],
	['Sat, 21 Nov 2026 08:01:00 GMT', 60_000],
	['Sat, 21 Nov 2026 07:00:00 GMT', 0],
	['soon', undefined],
	['999999999', 86_400_000],
])('the client reads the wait from the header “Retry-After: %s”', (header, wait) => {
	expect(failure(429, {}, { 'retry-after': header }).retryAfter).toBe(wait);
});

test('the client compares a Retry-After date with the Date header of the response', () => {
	const headers = {
		date: 'Sat, 21 Nov 2026 11:00:00 GMT',
		'retry-after': 'Sat, 21 Nov 2026 11:00:07 GMT',
	};
	expect(failure(429, {}, headers).retryAfter).toBe(7_000);
});

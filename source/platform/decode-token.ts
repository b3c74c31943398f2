import type { AccessToken } from '../fleet/access-token.ts';
import { numberFrom, timeFrom } from './decode.ts';
import { unwrapped } from './decode-envelope.ts';
import { fieldsFrom, isObject } from './fields.ts';
import { unreadable } from './platform-error.ts';

export function tokenFrom(body: unknown, now: number): AccessToken {
	const { value, path } = unwrapped(body);
	const fields = fieldsFrom(value, path);
	const accessToken = fields.get('accesstoken');
	// Reject line breaks: they would inject a second header.
	if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,16000}$/.test(accessToken)) {
		throw unreadable('access_token', 'a token');
	}
	const seconds = numberFrom(fields.get('expiresin'));
	const endsAt =
		typeof seconds === 'number' && seconds > 0
			? now + seconds * 1000
			: (timeFrom(fields.get('expiresat')) ?? endOf(accessToken));
	return { accessToken, ...(endsAt && { endsAt }) };
}

/** The `exp` claim of a JSON Web Token. */
function endOf(token: string): number | undefined {
	try {
		const claims: unknown = JSON.parse(
			Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
		);
		return isObject(claims) ? (timeFrom(claims['exp']) ?? undefined) : undefined;
	} catch {
		return undefined;
	}
}

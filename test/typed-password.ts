import type { PasswordRequest } from '../source/accounts/password-request.ts';
import { createFailure, PlatformError } from '../source/platform/decoding/platform-error.ts';
import type { PasswordCredentials } from '../source/platform/sign-in.ts';

/** Returns a password that is known until it is forgotten, and from then on has to be typed. */
export function typedOnceForgotten(
	known: () => Promise<string>,
	request: Pick<PasswordRequest, 'ask'>,
): Pick<PasswordCredentials, 'password' | 'forgetPassword'> {
	let isForgotten = false;
	return {
		async password(signal) {
			if (!isForgotten) return known();
			return request.ask(signal).catch(() => {
				throw new PlatformError(createFailure('auth', 'no password was given'));
			});
		},
		forgetPassword() {
			isForgotten = true;
		},
	};
}

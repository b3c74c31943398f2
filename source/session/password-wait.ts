import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import type { Credentials } from '../platform/sign-in.ts';

// If the password takes longer than this, a person types it, or a command waits for a touch of a security key. A
// configured password arrives at once.
const maxPromptWaitMs = 1_000;

/** While a sign-in waits for its password, the account counts as signed out. */
export function withWaitReported(
	credentials: Credentials,
	clock: Clock,
	onWait: (failure: Failure) => void,
): Credentials {
	if (credentials.kind === 'token') return credentials;
	return {
		...credentials,
		password(signal, refused) {
			const cancel = clock.after(maxPromptWaitMs, () =>
				onWait(createFailure('auth', 'the sign-in waits for the password')),
			);
			return credentials.password(signal, refused).finally(cancel);
		},
	};
}

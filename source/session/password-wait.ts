import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import type { Credentials } from '../platform/sign-in.ts';

// A configured password comes at once. A person who types one, or a command that waits for a touch, takes longer.
const maxPromptWaitMs = 1_000;

/** Returns credentials that report a sign-in that waits for its password. Meanwhile, the account is signed out. */
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

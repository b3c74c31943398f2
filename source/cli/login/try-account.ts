import type { AccessToken } from '../../foundation/access-token.ts';
import { PlatformError } from '../../platform/decoding/platform-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RequestOptions } from '../../platform/transport.ts';
import type { ReachableAccount } from '../../session/access.ts';
import { createConnection } from '../../session/connection.ts';
import type { Host } from '../../session/host.ts';
import type { LoginAnswers } from './fields.ts';
import { type LoginRefusal, type LoginStep, loginRefusalFrom } from './refusal.ts';

export type AcceptedTrial = {
	isAccepted: true;
	computerCount: number;
	token: AccessToken | undefined;
};

type LoginTrial = AcceptedTrial | ({ isAccepted: false } & LoginRefusal);

export function accountFromAnswers(
	name: string,
	answers: LoginAnswers,
	tokenPath: string,
): ReachableAccount {
	const { url, authUrl, anonKey, email, password } = answers;
	return {
		name,
		baseUrl: url,
		user: email,
		tokenPath,
		credentials: {
			kind: 'password',
			authUrl,
			anonKey: () => anonKey,
			email,
			password: () => password,
			passwordTimeout: 0,
		},
	};
}

/** Tests the answers of a sign-in: signs in, and reads the list of computers with the new token. */
export async function tryAccount(
	host: Host,
	account: ReachableAccount,
	answers: LoginAnswers,
	signal = new AbortController().signal,
): Promise<LoginTrial> {
	let step: LoginStep = 'identity';
	let token: AccessToken | undefined;
	const connection = await createConnection(host, account, {
		onProblem: () => {},
		onSignedIn: () => {
			step = 'platform';
		},
		// A stored token would let the trial succeed although the answers are wrong.
		tokenCache: {
			load: () => undefined,
			save: received => {
				token = received;
			},
			remove: () => {},
		},
	});
	try {
		const requestOptions = { signal, priority: 'operation' } as const;
		const { computers } = await connection.platform.listComputers(requestOptions);
		if (computers.length === 0) await refuseOtherServer(connection.platform, requestOptions);
		return { isAccepted: true, computerCount: computers.length, token };
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		const { message, advice, fields } = loginRefusalFrom(error.failure, step, answers);
		return { isAccepted: false, message: connection.redaction.redact(message), advice, fields };
	} finally {
		await connection.close();
	}
}

/**
 * Throws if the server is not the platform. A list without computers proves nothing: some platforms answer a
 * request for an empty list with 404, but a server that is not a platform answers 404 as well. Only the
 * platform answers at least one of the two reads below.
 */
async function refuseOtherServer(
	platform: Platform,
	requestOptions: RequestOptions,
): Promise<void> {
	const results = await Promise.allSettled([
		platform.latestRelease(requestOptions),
		platform.credits(requestOptions),
	]);
	const missingErrors = results.flatMap(result =>
		result.status === 'rejected' && isNotFoundError(result.reason) ? [result.reason] : [],
	);
	if (missingErrors.length === results.length) throw missingErrors[0];
}

const isNotFoundError = (error: unknown): error is PlatformError =>
	error instanceof PlatformError && error.failure.kind === 'missing';

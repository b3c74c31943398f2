import type { AccessToken } from '../../fleet/access-token.ts';
import type { Platform } from '../../platform/platform.ts';
import { PlatformError } from '../../platform/platform-error.ts';
import type { RequestOptions } from '../../platform/transport.ts';
import type { ReachableAccount } from '../../session/access.ts';
import { createConnection } from '../../session/connection.ts';
import type { Host } from '../../session/host.ts';
import type { Answers } from './fields.ts';
import { type LoginRefusal, loginRefusalFrom, type Step } from './refusal.ts';

export type AcceptedTrial = { isGood: true; computers: number; token: AccessToken | undefined };

export type LoginTrial = AcceptedTrial | ({ isGood: false } & LoginRefusal);

export function accountFromAnswers(
	name: string,
	answers: Answers,
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

/** Signs in and reads the list. If both succeed, both addresses and all credentials are right. */
export async function tryAccount(
	host: Host,
	account: ReachableAccount,
	answers: Answers,
	signal = new AbortController().signal,
): Promise<LoginTrial> {
	let step: Step = 'identity';
	let token: AccessToken | undefined;
	const connection = await createConnection(host, account, {
		onTrouble: () => {},
		onSignedIn: () => {
			step = 'platform';
		},
		// A stored token would make the trial succeed even if these answers were wrong.
		tokens: {
			load: () => undefined,
			keep: received => {
				token = received;
			},
			drop: () => {},
		},
	});
	try {
		const asking = { signal, priority: 'operation' } as const;
		const { computers } = await connection.platform.listComputers(asking);
		if (computers.length === 0) await refuseOtherServer(connection.platform, asking);
		return { isGood: true, computers: computers.length, token };
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		const { message, advice, fields } = loginRefusalFrom(error.failure, step, answers);
		return { isGood: false, message: connection.redaction.clean(message), advice, fields };
	} finally {
		await connection.close();
	}
}

/**
 * Throws if the server is not the platform. An empty list is no proof, because a 404 may mean an empty list
 * too, and any other server would send a 404. Only the platform answers at least one of these two paths.
 */
async function refuseOtherServer(platform: Platform, asking: RequestOptions): Promise<void> {
	const answers = await Promise.allSettled([
		platform.latestRelease(asking),
		platform.credits(asking),
	]);
	const missing = answers.flatMap(answer =>
		answer.status === 'rejected' && isMissing(answer.reason) ? [answer.reason] : [],
	);
	if (missing.length === answers.length) throw missing[0];
}

const isMissing = (error: unknown): error is PlatformError =>
	error instanceof PlatformError && error.failure.kind === 'missing';

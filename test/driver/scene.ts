import { onTestFinished } from 'vitest';
import { createPasswordSource } from '../../source/accounts/password-source.ts';
import type { QuestionStrictness } from '../../source/fleet/operations/operation-row.ts';
import { type Activity, createActivity } from '../../source/foundation/activity.ts';
import { createFailure, PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createDirectFetch } from '../../source/platform/http.ts';
import type { AccountSession } from '../../source/session/session.ts';
import { createSignInRequest } from '../../source/session/sign-in-request.ts';
import { createSimulator, type SimulatorOptions } from '../../source/simulator/simulator.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';
import { openOnlySession } from '../open-session.ts';
import { profileOf } from '../opened-account.ts';
import { liveClock } from '../processes/live-clock.ts';

/** The HTTP client that the program uses, with one connection pool for all tests of a process. */
const shippedFetch = createDirectFetch(liveClock, 'crowsnest/test');

export type SendRequest = typeof shippedFetch;

export type SceneOptions = Partial<SimulatorOptions> & {
	/** The password to sign in with, instead of the right one. */
	password?: string;
	/** Whether the monitor asks for the password. */
	asksForPassword?: boolean;
	isReadOnly?: boolean;
	/** Milliseconds without a key after which the monitor locks. */
	lockAfterMs?: number;
	/** The strictness of questions in the configuration. */
	confirm?: QuestionStrictness;
	/** The address at which the program sees the platform, where the number of the real port must not be on screen. */
	origin?: string;
	/** Sees each request before it is sent, and its answer. */
	watchRequests?: (send: SendRequest) => SendRequest;
	/** The name of the profile; by default the key of the account. */
	profile?: string;
};

/** Opens a platform and a session on it, which share one held clock. */
export async function openScene(sceneOptions: SceneOptions) {
	const {
		password: usedPassword,
		asksForPassword: isAsking = false,
		isReadOnly = false,
		lockAfterMs,
		confirm = {},
		origin,
		watchRequests = send => send,
		profile = 'environment',
		...options
	} = sceneOptions;
	const clock: HeldClock = createHeldClock();
	const requests: Activity = createActivity();
	const simulator = await createSimulator({ clock, computers: 7, ...options });
	const { anonKey, email } = simulator;
	const account = { profile: 'test', email, host: 'id.example' };
	const passwordRequest = isAsking
		? createSignInRequest(account, () => session, { now: clock.now })
		: undefined;
	let passwordSource = createPasswordSource({});
	const password: typeof passwordSource = async (signal, refused) => {
		if (!passwordRequest) return usedPassword ?? simulator.password;
		// A typed password is forgotten after the sign-in, so that each new sign-in asks for it.
		if (!refused) passwordSource = createPasswordSource({ ask: passwordRequest.ask });
		return passwordSource(signal, refused).catch((error: Error) => {
			throw new PlatformError(createFailure('auth', error.message));
		});
	};
	let accessToken = '';
	let isTokenStored = false;
	const session: AccountSession = openOnlySession(
		{ clock, msSinceBoot: clock.now, random: () => 0.5, activity: requests },
		{
			profile: profileOf(profile, { account: 'test', isReadOnly }),
			baseUrl: origin ? `${origin}/v1` : simulator.baseUrl,
			credentials: {
				kind: 'password',
				authUrl: origin ?? simulator.authUrl,
				anonKey,
				email,
				password,
			},
			fetch: watchRequests(origin ? fetchAt(origin, simulator.authUrl) : shippedFetch),
			preferences: { confirm },
			passwordRequest,
			tokenCache: {
				load: () => undefined,
				save(token) {
					accessToken = token.accessToken;
					isTokenStored = true;
				},
				remove() {},
				forget() {
					isTokenStored = false;
				},
			},
		},
		{ lockAfterMs },
	);
	onTestFinished(async () => {
		await session.close();
		await simulator.close();
	});
	return {
		clock,
		requests,
		simulator,
		session,
		/** Whether the token of the last sign-in is still stored. */
		isTokenStored: () => isTokenStored,
		/** Makes the platform refuse the current token. */
		async revoke() {
			const headers = { apikey: anonKey, authorization: `Bearer ${accessToken}` };
			await fetch(`${simulator.authUrl}/auth/v1/logout`, { method: 'POST', headers });
		},
	};
}

/** Sends the requests for one address to another, which sees the first in its `Host` header. */
export function fetchAt(origin: string, target: string): typeof shippedFetch {
	return (address, request) =>
		shippedFetch(address.replace(origin, target), {
			...request,
			headers: {
				...request.headers,
				host: new URL(origin).host,
				'x-forwarded-proto': new URL(origin).protocol.slice(0, -1),
			},
		});
}

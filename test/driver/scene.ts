import { onTestFinished } from 'vitest';
import { type Activity, createActivity } from '../../source/fleet/activity.ts';
import { failureOf, PlatformError } from '../../source/platform/platform-error.ts';
import { type AccountSession, openSession } from '../../source/session/session.ts';
import { createSignInRequest } from '../../source/session/sign-in-request.ts';
import { createSimulator, type SimulatorOptions } from '../../source/simulator/simulator.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';

export type SceneOptions = Partial<SimulatorOptions> & {
	/** Another than the right one. */
	password?: string;
	/** The password has to be typed. */
	asksForPassword?: boolean;
	isReadOnly?: boolean;
};

/** A platform and a lookout over it, on one held clock. */
export async function openScene(wish: SceneOptions) {
	const { password, asksForPassword: isAsking = false, isReadOnly = false, ...options } = wish;
	const clock: HeldClock = createHeldClock();
	const requests: Activity = createActivity();
	const simulator = await createSimulator({ clock, computers: 7, ...options });
	const { baseUrl, authUrl, anonKey, email } = simulator;
	const desk = isAsking
		? createSignInRequest({ profile: 'test', email, host: 'id.example' }, () => session)
		: undefined;
	const host = { clock, elapsed: clock.now, random: () => 0.5, activity: requests };
	let accessToken = '';
	const session: AccountSession = openSession(host, {
		account: 'test',
		baseUrl,
		credentials: {
			kind: 'password',
			authUrl,
			anonKey,
			email,
			password: desk
				? (signal, refused) =>
						desk.ask(signal, refused?.message).catch((error: unknown) => {
							const message = error instanceof Error ? error.message : 'no password';
							throw new PlatformError(failureOf('auth', message));
						})
				: () => Promise.resolve(password ?? simulator.password),
		},
		fetch,
		isReadOnly,
		tokens: {
			load: () => undefined,
			keep(token) {
				accessToken = token.accessToken;
			},
			drop() {},
		},
	});
	onTestFinished(async () => {
		await session.close();
		await simulator.close();
	});
	return {
		clock,
		requests,
		simulator,
		session,
		desk,
		/** The platform no longer takes the token, as after a restart of it. */
		async revoke() {
			const headers = { apikey: anonKey, authorization: `Bearer ${accessToken}` };
			await fetch(`${authUrl}/auth/v1/logout`, { method: 'POST', headers });
		},
	};
}

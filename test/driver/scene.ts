import { onTestFinished } from 'vitest';
import { createPasswordDesk } from '../../source/accounts/password-desk.ts';
import { openLookout } from '../../source/commands/lookout.ts';
import { type Activity, createActivity } from '../../source/fleet/activity.ts';
import { createSimulator, type SimulatorOptions } from '../../source/simulator/simulator.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';

export type SceneWish = Partial<SimulatorOptions> & {
	/** Another than the right one. */
	password?: string;
	/** The password has to be typed. */
	isAsking?: boolean;
	isReadOnly?: boolean;
};

/** A platform and a lookout over it, on one held clock. */
export async function openScene(wish: SceneWish) {
	const { password, isAsking = false, isReadOnly = false, ...options } = wish;
	const clock: HeldClock = createHeldClock();
	const requests: Activity = createActivity();
	const simulator = await createSimulator({ clock, computers: 7, ...options });
	const { baseUrl, authUrl, anonKey, email } = simulator;
	const desk = isAsking
		? createPasswordDesk({ profile: 'test', email, host: 'id.example' })
		: undefined;
	const host = { clock, elapsed: clock.now, random: () => 0.5, activity: requests };
	const lookout = openLookout(host, {
		account: 'test',
		baseUrl,
		credentials: {
			kind: 'password',
			authUrl,
			anonKey,
			email,
			password: desk
				? signal => desk.ask(signal)
				: () => Promise.resolve(password ?? simulator.password),
		},
		fetch,
		isReadOnly,
	});
	onTestFinished(async () => {
		await lookout.close();
		await simulator.close();
	});
	return { clock, requests, simulator, lookout, desk };
}

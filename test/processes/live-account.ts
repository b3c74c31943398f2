import { afterAll, beforeAll } from 'vitest';
import { createSimulator, type Simulator } from '../../source/simulator/simulator.ts';
import { liveClock } from '../live-clock.ts';

/** Starts one simulator on the real clock, which all tests of the file share. */
export function registerLiveAccount({ computers }: { computers: number }) {
	let simulator: Simulator;
	beforeAll(async () => {
		simulator = await createSimulator({ clock: liveClock, computers });
	});
	afterAll(() => simulator.close());

	return {
		simulator: () => simulator,
		/** The environment that names the account, without its password. */
		env: () => ({
			CROWSNEST_URL: simulator.baseUrl,
			CROWSNEST_AUTH_URL: simulator.authUrl,
			CROWSNEST_ANON_KEY: simulator.anonKey,
			CROWSNEST_EMAIL: simulator.email,
		}),
	};
}

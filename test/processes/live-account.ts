import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

	/** The environment that names the account, without its password. */
	const env = () => ({
		CROWSNEST_URL: simulator.baseUrl,
		CROWSNEST_AUTH_URL: simulator.authUrl,
		CROWSNEST_ANON_KEY: simulator.anonKey,
		CROWSNEST_EMAIL: simulator.email,
	});

	return {
		simulator: () => simulator,
		env,
		signedIn: () => ({ ...env(), CROWSNEST_PASSWORD: simulator.password }),
	};
}

export type LiveAccount = ReturnType<typeof registerLiveAccount>;

/** Writes a configuration with a profile for each account, and more lines below them. */
export function writeConfig(
	folder: string,
	accounts: Readonly<Record<string, { account: LiveAccount; passwordCommand: readonly string[] }>>,
	more: readonly string[] = [],
) {
	const profiles = Object.entries(accounts).flatMap(([name, { account, passwordCommand }]) => {
		const { baseUrl: url, authUrl, anonKey, email } = account.simulator();
		const values = Object.entries({ url, authUrl, anonKey, email, passwordCommand });
		return [
			`[profiles.${name}]`,
			...values.map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
		];
	});
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'config.toml'), [...profiles, ...more, ''].join('\n'));
}

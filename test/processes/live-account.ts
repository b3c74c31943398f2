import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { liveClock } from './live-clock.ts';

export type LiveAccount = Awaited<ReturnType<typeof startLiveAccount>>;

/** Starts a simulator on the real clock, which all tests of the file share. */
export async function startLiveAccount({ computers }: { computers: number }) {
	const simulator = await createSimulator({ clock: liveClock, computers });
	afterAll(simulator.close);
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	return {
		simulator,
		/** The environment that names the account. */
		signedIn: {
			CROWSNEST_URL: baseUrl,
			CROWSNEST_AUTH_URL: authUrl,
			CROWSNEST_ANON_KEY: anonKey,
			CROWSNEST_EMAIL: email,
			CROWSNEST_PASSWORD: password,
		},
	};
}

/** Writes a configuration with a profile for each account, and more lines below them. */
export function writeConfig(
	folder: string,
	accounts: Readonly<Record<string, { account: LiveAccount; passwordCommand: readonly string[] }>>,
	more: readonly string[] = [],
) {
	const profiles = Object.entries(accounts).flatMap(([name, { account, passwordCommand }]) => {
		const { baseUrl: url, authUrl, anonKey, email } = account.simulator;
		const values = Object.entries({ url, authUrl, anonKey, email, passwordCommand });
		return [
			`[profiles.${name}]`,
			...values.map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
		];
	});
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'config.toml'), [...profiles, ...more, ''].join('\n'));
}

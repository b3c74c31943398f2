import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { environmentOf, profileTable } from '../driver/account.ts';
import { liveClock } from './live-clock.ts';

export type LiveAccount = Awaited<ReturnType<typeof startLiveAccount>>;

/** Starts a simulator on the real clock, which all tests of the file share. */
export async function startLiveAccount({ computers }: { computers: number }) {
	const simulator = await createSimulator({ clock: liveClock, computers });
	afterAll(simulator.close);
	return { simulator, signedIn: environmentOf(simulator) };
}

/** Writes a configuration with a profile for each account, and more lines below them. */
export function writeConfig(
	folder: string,
	accounts: Readonly<Record<string, { account: LiveAccount; passwordCommand: readonly string[] }>>,
	more: readonly string[] = [],
) {
	const profiles = Object.entries(accounts).map(([name, { account, passwordCommand }]) => {
		const command = `passwordCommand = ${JSON.stringify(passwordCommand)}`;
		return profileTable(name, account.simulator) + command;
	});
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'config.toml'), [...profiles, ...more, ''].join('\n'));
}

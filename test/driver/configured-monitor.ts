import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { parseWords } from '../../source/cli/arguments.ts';
import { monitor as monitorCommand } from '../../source/cli/commands/monitor.ts';
import { createActivity } from '../../source/foundation/activity.ts';
import { hostMemory } from '../../source/monitor/memory.ts';
import { openMonitor } from '../../source/monitor/open-monitor.ts';
import type { LendTerminal } from '../../source/operations/command-runner.ts';
import { bootIdentity, createSeveralAccountsHost, type ProfileOnSimulator } from '../cli/host.ts';
import { openOnScreen, operationRequestsOf, partsOf } from './monitor.ts';

type ConfiguredOptions = {
	profiles: Readonly<Record<string, ProfileOnSimulator>>;
	/** The command line, such as `--profile work`. */
	words?: readonly string[];
	/** Lines of the configuration above its profiles, such as own commands, which then really run. */
	top?: readonly string[];
	/** The profiles that were open at the end of an earlier run. */
	remembered?: readonly string[];
	/** The profiles that an earlier run added to those of the configuration. */
	added?: readonly string[];
	/** No profile is signed in, and none has a password. */
	isSignedOut?: boolean;
	/** Other processes of this machine can connect to the monitor. */
	isShared?: boolean;
	/** Changes the files of the host before the monitor opens. */
	prepare?: (folder: string) => void;
};

/** Opens the monitor as the program does: with a configuration, its profiles, and the files of the state folder. */
export async function openConfiguredMonitor({
	profiles,
	words = [],
	remembered,
	added,
	prepare,
	isShared = false,
	...more
}: ConfiguredOptions) {
	const several = await createSeveralAccountsHost(profiles, { ...more, isTerminal: true });
	const { folder, clock } = several;
	const requests = createActivity();
	const host = {
		...several.host,
		activity: requests,
		spawn,
		bootIdentity: isShared ? bootIdentity : undefined,
	};
	if (remembered ?? added)
		hostMemory(host).update(() => ({ profiles: remembered, addedProfiles: added }));
	prepare?.(folder);
	const args = parseWords(monitorCommand, words, []);
	const troubles: string[] = [];
	/** The times at which the terminal was lent to another program. */
	const lent: string[] = [];
	const opened = await openMonitor(host, args, { onTrouble: text => troubles.push(text) });
	let isClosed = false;
	async function closeAccounts() {
		if (!isClosed) await opened.close();
		isClosed = true;
	}
	onTestFinished(closeAccounts);
	const simulators = Object.values(profiles).map(({ simulator }) => simulator);
	const lendTerminal: LendTerminal = async work => {
		lent.push('lent');
		await work(() => lent.push('restored'));
		lent.push('taken back');
	};
	const parts = partsOf({ clock, requests }, simulators);
	const onScreen = await openOnScreen({}, { ...opened, lendTerminal, folder: () => folder }, parts);
	return {
		...onScreen,
		host,
		folder,
		troubles,
		lent,
		sessions: opened.sessions,
		/** Closes the monitor and its accounts before the end of the test, for tests that open many. */
		async closeAll() {
			onScreen.close();
			await closeAccounts();
		},
		/** Returns the requests that change a computer, as the platform of the profile received them. */
		operationRequests(name: string) {
			const { simulator } = profiles[name] ?? {};
			if (!simulator) throw new Error(`no profile ${name}`);
			return operationRequestsOf(simulator);
		},
	};
}

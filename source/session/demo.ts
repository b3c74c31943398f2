import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountKey } from '../accounts/credentials.ts';
import { folderVariables } from '../accounts/paths.ts';
import { accountVariables } from '../accounts/settings.ts';
import { demoAccount } from '../fleet/computers/account.ts';
import type { Fact, RestoredComputer } from '../fleet/fact.ts';
import { keepFleet } from '../journal/fleet-file.ts';
import { appendLines, logLine } from '../journal/log-files.ts';
import {
	acceleratedClock,
	createSimulator,
	type Simulator,
	type SimulatorOptions,
} from '../simulator/simulator.ts';
import { usageAt } from '../simulator/world/simulated-computer.ts';
import { emptyAccount } from '../store/state.ts';
import { createStore } from '../store/store.ts';
import { slotCount, slotMs, type UsageHistory, usageAfter } from '../store/usage-history.ts';
import { type Host, programWith } from './host.ts';
import { logPath } from './state-folder.ts';

export type DemoOptions = Omit<SimulatorOptions, 'clock'> & { speed?: number };

function simulatorFor(host: Host, { speed = 1, ...options }: DemoOptions): Promise<Simulator> {
	const clock = speed === 1 ? host.clock : acceleratedClock(host.clock, speed);
	return createSimulator({ ...options, clock, isLivedIn: true });
}

export async function startDemo(host: Host, options: DemoOptions) {
	const simulator = await simulatorFor(host, options);
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	const account = { authUrl, anonKey, email, password: async () => password };
	return {
		baseUrl,
		credentials: { kind: 'password', ...account } as const,
		fleet: fleetFact(simulator, demoAccount),
		/** It takes a while with many computers. */
		past: () => pastFacts(simulator, demoAccount),
		close: simulator.close,
	};
}

/** The state is in a temporary folder, so that the command neither reads nor changes the accounts of the person. */
export async function openDemoHost(
	host: Host,
	options: DemoOptions,
): Promise<{ host: Host; close(): Promise<void> }> {
	const simulator = await simulatorFor(host, options);
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-demo-'));
	const others = Object.entries(host.program.env).filter(
		([name]) => !name.startsWith('CROWSNEST_'),
	);
	const env = {
		...Object.fromEntries(others),
		[folderVariables.config]: join(folder, 'config'),
		[folderVariables.state]: join(folder, 'state'),
		[accountVariables.url.name]: baseUrl,
		[accountVariables.authUrl.name]: authUrl,
		[accountVariables.anonKey.name]: anonKey,
		[accountVariables.email.name]: email,
		[accountVariables.password.name]: password,
	};
	const demoHost = { ...host, program: programWith(host.program, { env }) };
	writeStory(demoHost, simulator);
	return {
		host: demoHost,
		async close() {
			await simulator.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function writeStory(host: Host, simulator: Simulator): void {
	const { email, baseUrl } = simulator;
	const account = accountKey({ baseUrl, user: email });
	const directory = logPath(host);
	const at = host.clock.now();
	const store = createStore();
	store.receive([...pastFacts(simulator, account), fleetFact(simulator, account)]);
	const state = store.getState().accounts.get(account) ?? emptyAccount;
	const lines = state.changes.map(change => logLine(account, change));
	appendLines(directory, lines, at);
	keepFleet(directory, account, state, at);
}

export function fleetFact({ world }: Simulator, account: string): Fact {
	const at = world.now();
	const computers = world.computers().map((computer): RestoredComputer => {
		const { id, name, state, version, createdAt, startedAt, error } = computer;
		const { stateSince, stoppedBy, unreachableSince } = computer;
		const reading = { id, name, status: state, version, createdAt, startedAt };
		return {
			reading: error === null ? reading : { ...reading, error },
			seenAt: unreachableSince ?? at,
			since: { at: stateSince, isLowerBound: false },
			stopReason: stoppedBy === 'idleness' ? 'asleep' : undefined,
		};
	});
	return { account, at, type: 'recalled', computers };
}

/** As a monitor would have kept it that has watched all the time. */
export function pastFacts(simulator: Simulator, account: string): readonly Fact[] {
	const { past, world } = simulator;
	if (!past) throw new Error('Only a world in the middle of its story has a past.');
	const changes = past.changes.slice(-1_000);
	const usage = recentUsageOf(simulator);
	return [{ account, at: world.now(), type: 'recalled', changes, samples: past.samples, usage }];
}

/** More of them would hold up the first screen. */
const maxSampledComputers = 2_000;

function recentUsageOf({ world }: Simulator) {
	const now = world.now();
	const computers = world.computers().slice(0, maxSampledComputers);
	// In a small fleet, a person sees at once which computers have been idle for hours.
	const count = computers.length <= 100 ? 4 * slotCount : slotCount;
	const times = Array.from({ length: count }, (_, slot) => now - (count - 1 - slot) * slotMs);
	const history = times.reduce((earlier: UsageHistory, at) => {
		const reached = computers.filter(
			({ startedAt, unreachableSince = at }) =>
				startedAt !== null && startedAt <= at && at <= unreachableSince,
		);
		const readings = reached.map(each => ({ id: each.id, ...usageAt(world.seed, each, at) }));
		return usageAfter(earlier, readings, at);
	}, new Map());
	return [...history.values()];
}

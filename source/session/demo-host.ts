import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountSecrets, accountSettings } from '../accounts/account-setting-table.ts';
import { accountKey } from '../accounts/credentials.ts';
import type { Environment } from '../accounts/environment.ts';
import { folderVariables } from '../accounts/paths.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { finish } from '../foundation/steps.ts';
import { writeSnapshot } from '../journal/snapshot-file.ts';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import { fleetOfWorld } from './demo-fleet.ts';
import { storyOfWorld } from './demo-story.ts';
import { type Host, pathsOf } from './host.ts';

/** A host whose only account is that of the demo platform. */
export type DemoHost = { host: Host; close(): Promise<void> };

/**
 * Starts the demo platform within this process, for a command that ends soon. The host has no configuration, and its
 * state is in a temporary folder, so that the command neither reads nor changes the accounts of the person.
 */
export async function openDemoHost(host: Host): Promise<DemoHost> {
	const simulator = await createSimulator({ clock: host.clock, isLivedIn: true });
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-demo-'));
	const demoHost = {
		...host,
		program: programWith(host.program, environmentFor(simulator, folder, host.program.env)),
	};
	await writeStory(demoHost, simulator);
	return {
		host: demoHost,
		async close() {
			await simulator.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function environmentFor(
	{ baseUrl, authUrl, anonKey, email, password }: Simulator,
	folder: string,
	environment: Environment,
): Environment {
	const others = Object.entries(environment).filter(([name]) => !name.startsWith('CROWSNEST_'));
	return {
		...Object.fromEntries(others),
		[folderVariables.config]: join(folder, 'config'),
		[folderVariables.state]: join(folder, 'state'),
		[accountSettings.url.variable]: baseUrl,
		[accountSettings.authUrl.variable]: authUrl,
		[accountSettings.anonKey.variable]: anonKey,
		[accountSettings.email.variable]: email,
		[accountSecrets.password.variable]: password,
	};
}

/** Returns a copy of the program with another environment. The methods stay bound to the process. */
function programWith(program: Host['program'], env: Environment): Host['program'] {
	return new Proxy(program, {
		get(target, name) {
			if (name === 'env') return env;
			const value: unknown = Reflect.get(target, name);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}

/**
 * Writes the past of the demo as the journal, so that the log and the credits begin with a week of history, and its
 * computers as the last known fleet.
 */
async function writeStory(host: Host, { world, email, baseUrl }: Simulator): Promise<void> {
	const account = accountKey({ baseUrl, user: email });
	const [story, fleet] = [storyOfWorld(world, email, account), fleetOfWorld(world)];
	if (!story || !fleet) return;
	const journalFolder = join(pathsOf(host).statePath, 'journal');
	makeFolder(journalFolder);
	const write = (name: string, lines: readonly string[]) =>
		writeFileSync(join(journalFolder, name), lines.map(line => `${line}\n`).join(''), {
			mode: 0o600,
		});
	write('journal.jsonl', story.changes);
	write('credits.jsonl', story.credits);
	const { computers } = fleet;
	const fact = { account, at: host.clock.now(), type: 'fleetRecalled', computers } as const;
	finish(writeSnapshot({ directory: journalFolder, account }, [fact]));
}

import { basename } from 'node:path';
import { createStore } from 'zustand/vanilla';
import type { ChosenAccounts, LoadedSettings } from '../accounts/account-settings.ts';
import { accountKey } from '../accounts/credentials.ts';
import type { HookSettings } from '../accounts/hook-settings.ts';
import { defaultNotices, type Preferences, preferencesFrom } from '../accounts/settings.ts';
import { demoAccount } from '../fleet/computers/account.ts';
import { createCommandRunner } from '../operations/command-runner.ts';
import type { Operations } from '../operations/operations.ts';
import { addOwnCommands, shellCommand } from '../operations/own-commands.ts';
import { displayOptionsFrom } from '../script/display-options.ts';
import { openHooks } from '../script/open-hooks.ts';
import type { ParsedArgs } from '../script/parsed-args.ts';
import { openRequestCap } from '../session/access.ts';
import { childEffectsOf, type Host, pathsOf } from '../session/host.ts';
import {
	createSharedParts,
	openSession,
	type Sessions,
	type SharedParts,
} from '../session/session.ts';
import { createSessionTable, type SessionTable } from '../session/session-table.ts';
import {
	type LoadedCommands,
	loadOwnCommands,
	loadSettings,
	problemLines,
	requireAccounts,
} from '../session/settings.ts';
import type { Store } from '../store/store.ts';
import type { TerminalPreferences } from '../terminal/features/environment.ts';
import { keyHint } from '../views/keys.ts';
import type { Action } from '../views/scene.ts';
import { withOwnCommands } from './actions/table.ts';
import { actionsFor, rereadConfiguration } from './configuration.ts';
import { demoOptionsFrom } from './demo-options.ts';
import { configuredSettingWords, settingWordsFromOptions } from './live-settings.ts';
import { existingNames, hostMemory, type Memory, tableMemory } from './memory.ts';
import type { MonitorContents } from './monitor-data.ts';
import { openAccount } from './open-account.ts';
import { chooseProfiles } from './profile-chooser.ts';
import { createTableAccounts } from './table-accounts.ts';

export type OpenedMonitor = MonitorContents & {
	terminalPreferences?: TerminalPreferences;
	/** Remembers whether the welcome was shown; undefined if an account is configured. */
	welcomed?: Memory | undefined;
	isSpoken?: boolean | undefined;
	hasMouse?: boolean | undefined;
	close(): Promise<void>;
};

type OpenMonitorOptions = {
	onTrouble: (message: string) => void;
	/** Called before the first fact, for a recording. If this is set, the accounts of the table are fixed. */
	onOpening?: (store: Store, accounts: readonly [OpeningAccount, ...OpeningAccount[]]) => void;
};

type OpeningAccount = { account: string; label: string; baseUrl: string };

// Hooks have this long to end when asked. Then they are killed, because the monitor exits within a second.
const maxClosingMs = 300;

/** Opens the configured accounts, or the demo with --demo, and on a terminal also if there is no account. */
export async function openMonitor(
	host: Host,
	args: ParsedArgs,
	options: OpenMonitorOptions,
): Promise<OpenedMonitor> {
	const { onTrouble, onOpening } = options;
	const settings = args.flag('demo') ? undefined : await chosenSettings(host, args);
	const isWelcoming = settings?.kind === 'none';
	const accounts = settings && !isWelcoming ? requireAccounts(host, settings) : undefined;
	// The demo that was asked for is the same for everyone.
	const general = isWelcoming
		? settings
		: { preferences: preferencesFrom([]), maxRequestsPerMinute: undefined };
	const [{ maxRequestsPerMinute }, ...others] = accounts ?? [general];
	const configured = configuredBy(host, args, accounts ?? [general]);
	const shared = createSharedParts(host, {
		lockAfterMs: lockAfterOf(accounts ?? [general]),
		requestCap: openRequestCap(host, maxRequestsPerMinute, onTrouble),
	});
	let table: SessionTable | undefined;
	const accountCount = () => table?.all().length ?? others.length + 1;
	const sessions = createSessionTable(
		accounts ? await openAccounts(accounts) : await openDemo(host, args, shared, options),
	);
	table = sessions;
	const commands = openOwnCommands(host, {
		onTrouble,
		operations: sessions.operations,
		barredBecause: accounts ? undefined : 'Shells and own commands do not run in the demo',
	});
	const withOwn = (next: typeof configured) => ({ ...next, actions: commands.load(next.actions) });
	const reread = createStore(() => withOwn(configured));
	let hooks = startHooks(settings?.kind === 'accounts' ? settings.hooks : undefined);
	await hooks;

	function openAccounts([first, ...others]: ChosenAccounts): Promise<Sessions> {
		const opening = (account: ChosenAccounts[0]): OpeningAccount => {
			return { account: accountKey(account), label: account.name, baseUrl: account.baseUrl };
		};
		onOpening?.(shared.store, [opening(first), ...others.map(opening)]);
		const open = (account: ChosenAccounts[0]) =>
			openAccount(host, account, shared, { onTrouble, accountCount });
		return Promise.all([open(first), ...others.map(open)]);
	}

	async function startHooks(settings: HookSettings | undefined) {
		const opened = settings && (await openHooks(host, settings, onTrouble));
		const stop = opened && sessions.follow(opened.attach);
		return async () => {
			stop?.();
			await opened?.close(maxClosingMs);
		};
	}

	// The demo takes nothing from the configuration while it is open, and runs no hooks.
	const stopRereading =
		accounts &&
		rereadConfiguration(host, args, {
			sessions,
			say: onTrouble,
			apply(next, hasNewHooks) {
				shared.operations.lockAfter(lockAfterOf(next.accounts));
				reread.setState(withOwn(configuredBy(host, args, next.accounts)), true);
				if (hasNewHooks) hooks = hooks.then(close => close()).then(() => startHooks(next.hooks));
			},
		});
	const signIn = isWelcoming && keyHint(configured, 'signIn', 'signs in to your own account');
	return {
		...reread.getState(),
		reread,
		sessions,
		tableAccounts:
			settings && !onOpening
				? createTableAccounts(host, args, { onTrouble, sessions, shared })
				: undefined,
		greeting: accounts
			? undefined
			: `Demo data: ${signIn || '`crowsnest login` shows your own fleet'}`,
		memory: tableMemory(host, sessions),
		welcomed: isWelcoming ? hostMemory(host) : undefined,
		commandRunner: commands.runner,
		async close() {
			stopRereading?.();
			await commands.close();
			await (await hooks)();
			shared.operations.quit();
			await Promise.all(sessions.all().map(each => each.close()));
			shared.requestCap?.close();
		},
	};
}

type Owners = readonly [Owner, ...Owner[]];

type Owner = { preferences: Preferences };

const lockAfterOf = (owners: Owners) =>
	Math.min(...owners.map(({ preferences }) => preferences.lockAfter));

/** What the first account says counts for the screen. */
function configuredBy(host: Host, args: ParsedArgs, owners: Owners) {
	const [{ preferences: first }] = owners;
	return {
		...displayOptionsFrom(host, first),
		actions: actionsFor(host, first),
		announcementSettings: first.notify,
		settingSources: {
			configured: configuredSettingWords(owners.map(({ preferences }) => preferences)),
			fixed: settingWordsFromOptions(args),
		},
	};
}

/** If several profiles exist and nothing chooses, a person chooses once. A flag or the environment excludes added profiles. */
async function chosenSettings(host: Host, args: ParsedArgs): Promise<LoadedSettings> {
	const settings = loadSettings(host, args);
	if (settings.kind === 'accounts' && settings.isDefault)
		return withAddedProfiles(host, args, settings);
	if (settings.kind !== 'choice') return settings;
	const { stdin, stdout } = host.program;
	const remembered = existingNames(hostMemory(host).read().profiles, settings.profiles);
	if (remembered.length > 0) return loadSettings(host, args, remembered);
	if (!stdin.isTTY || !stdout.isTTY) return settings;
	return loadSettings(host, args, await chooseProfiles(host, settings.profiles));
}

function withAddedProfiles(
	host: Host,
	args: ParsedArgs,
	settings: Extract<LoadedSettings, { kind: 'accounts' }>,
): LoadedSettings {
	const added = existingNames(hostMemory(host).read().addedProfiles, settings.profiles);
	const names = new Set([...settings.accounts.map(({ name }) => name), ...added]);
	if (names.size === settings.accounts.length) return settings;
	const all = loadSettings(host, { list: () => [...names], flag: args.flag });
	// If an added profile is invalid by now, the other profiles are opened without the added ones.
	return all.kind === 'accounts' ? all : settings;
}

/** The first rows are shown before the history of the week is loaded. */
const pastDelayMs = 250;

async function openDemo(
	host: Host,
	args: ParsedArgs,
	shared: SharedParts,
	{ onOpening }: OpenMonitorOptions,
): Promise<Sessions> {
	const { startDemo } = await import('../session/demo.ts');
	const demo = await startDemo(host, demoOptionsFrom(args));
	onOpening?.(shared.store, [{ account: demoAccount, label: 'demo', baseUrl: demo.baseUrl }]);
	const session = openSession(
		host,
		{
			profile: {
				account: demoAccount,
				name: 'demo',
				shortName: 'demo',
				isReadOnly: args.flag('read-only'),
				isProduction: false,
				lowCreditsMs: defaultNotices.creditsLeft,
			},
			baseUrl: demo.baseUrl,
			credentials: demo.credentials,
			fetch: host.fetch,
			isUncapped: true,
		},
		shared,
	);
	session.store.receive([demo.fleet]);
	const cancel = host.clock.after(pastDelayMs, () => session.store.receive(demo.past()));
	async function close() {
		cancel();
		await session.close();
		await demo.close();
	}
	return [{ ...session, close }];
}

/** `barredBecause` says why commands cannot run here. Their keys then say it. */
export function openOwnCommands(
	host: Host,
	options: {
		operations: Pick<Operations, 'setCommandRuns'>;
		barredBecause?: string;
		onTrouble: (message: string) => void;
	},
) {
	const effects = { ...childEffectsOf(host), activity: host.activity };
	const runner = createCommandRunner(effects, host.program.env, options.operations.setCommandRuns);
	let remove = () => {};
	return {
		runner,
		load(builtIn: readonly Action[]): readonly Action[] {
			const loaded = loadOwnCommands(host);
			const barredBecause = options.barredBecause ?? loaded.barredBecause;
			remove();
			remove = addOwnCommands([shellCommand, ...loaded.commands], { runner, barredBecause });
			const { actions, problems } = withOwnCommands(builtIn, loaded.commands);
			const trouble = troubleText(host, { ...loaded, problems: [...loaded.problems, ...problems] });
			if (trouble !== undefined) options.onTrouble(trouble);
			return actions;
		},
		async close() {
			await runner.close();
			remove();
		},
	};
}

function troubleText(host: Host, { problems, barredBecause }: LoadedCommands): string | undefined {
	const { configPath } = pathsOf(host);
	const [first, ...others] = [
		...(barredBecause === undefined ? [] : [barredBecause]),
		...problems.map(problem => problemLines([problem], basename(configPath))),
	];
	if (first === undefined || others.length === 0) return first;
	return `${first} (and ${others.length} more: see crowsnest doctor)`;
}

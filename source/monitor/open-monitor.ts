import type { LoadedSettings } from '../accounts/account-settings.ts';
import { type Preferences, preferencesFrom } from '../accounts/settings.ts';
import { UsageError } from '../foundation/error.ts';
import type { ParsedArgs } from '../script/command.ts';
import { displayOptionsFrom } from '../script/display-options.ts';
import { openHooks } from '../script/open-hooks.ts';
import { openRequestCap } from '../session/access.ts';
import { type Host, pathsOf } from '../session/host.ts';
import { createSharedParts, openSession } from '../session/session.ts';
import { loadSettings, problemLines, requireAccounts } from '../session/settings.ts';
import { KeyOverrideError, withKeyOverrides } from '../views/actions/dispatcher.ts';
import { shownKeyOf } from '../views/actions/shown-keys.ts';
import { actions as allActions, playerActions } from '../views/actions/table.ts';
import type { Action } from '../views/scene.ts';
import { demoOptionsFrom } from './demo-options.ts';
import { configuredSettingWords, settingWordsFromOptions } from './live-settings.ts';
import { existingNames, hostMemory } from './memory.ts';
import {
	type OpenedMonitor,
	type OpenMonitorOptions,
	openAccounts,
	tableFromAccounts,
} from './open-accounts.ts';
import { openOwnCommands } from './own-commands.ts';
import { chooseProfiles } from './profile-chooser.ts';
import { createTableAccounts, type TableAccountsOptions } from './table-accounts.ts';

/** Opens the configured accounts, or the demo with --demo, and on a terminal also if there is no account. */
export async function openMonitor(
	host: Host,
	args: ParsedArgs,
	options: OpenMonitorOptions,
): Promise<OpenedMonitor> {
	const settings = args.flag('demo') ? undefined : await chosenSettings(host, args);
	if (settings?.kind === 'wrong') {
		throw new UsageError(problemLines(settings.problems, pathsOf(host).configPath));
	}
	const fixed = settingWordsFromOptions(args);
	if (settings?.kind === 'accounts' || settings?.kind === 'choice') {
		const accounts = requireAccounts(host, settings);
		const keys = actionsFor(host, accounts[0].preferences);
		const opened = await openAccounts(host, accounts, options);
		return withCommands(host, keys, options, {
			...opened,
			...changeable(host, args, opened, options),
			settingSources: { ...opened.settingSources, fixed },
			close: await withHooks(host, settings, opened, options),
		});
	}
	const { preferences, maxRequestsPerMinute } = settings ?? defaultSettings;
	const requestCap = openRequestCap(host, maxRequestsPerMinute, options.onTrouble);
	const limits = { lockAfterMs: preferences.lockAfter, requestCap };
	const demo = await openDemo(host, args, options, limits);
	const actions = actionsFor(host, preferences);
	const contents = {
		...demo,
		...displayOptionsFrom(host, preferences),
		announcementSettings: preferences.notify,
		settingSources: { configured: configuredSettingWords([preferences]), fixed },
	};
	if (!settings) return withCommands(host, actions, options, contents, notInDemo);
	const signInKey = shownKeyOf(actions, 'signIn');
	const greeting =
		signInKey === undefined
			? demo.greeting
			: `Demo data: ${signInKey} signs in to your own account`;
	const changes = changeable(host, args, demo, options);
	const replaceable = { ...contents, ...changes, greeting, welcomed: hostMemory(host) };
	return withCommands(host, actions, options, replaceable, notInDemo);
}

/** The demo that was asked for is the same for everyone. */
const defaultSettings = { preferences: preferencesFrom([]), maxRequestsPerMinute: undefined };

const notInDemo = 'Own commands do not run in the demo';

function withCommands(
	host: Host,
	actions: readonly Action[],
	{ onTrouble }: OpenMonitorOptions,
	opened: OpenedMonitor,
	barredBecause?: string,
): OpenedMonitor {
	const commands = openOwnCommands(host, actions, {
		onTrouble,
		operations: opened.sessions.operations,
		...(barredBecause !== undefined && { barredBecause }),
	});
	return {
		...opened,
		actions: commands.actions,
		commandRunner: commands.runner,
		async close() {
			await commands.close();
			await opened.close();
		},
	};
}

// Hooks have this long to end when asked. Then they are killed, because the monitor exits within a second.
const maxClosingMs = 300;

async function withHooks(
	host: Host,
	settings: LoadedSettings,
	{ sessions, close }: Pick<OpenedMonitor, 'sessions' | 'close'>,
	{ onTrouble }: OpenMonitorOptions,
): Promise<() => Promise<void>> {
	if (settings.kind !== 'accounts') return close;
	const hooks = await openHooks(host, settings.hooks, onTrouble);
	if (!hooks) return close;
	const stop = sessions.follow(hooks.attach);
	return async () => {
		stop();
		await hooks.close(maxClosingMs);
		await close();
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
	options: OpenMonitorOptions,
	limits: Parameters<typeof createSharedParts>[1],
) {
	const { onOpening } = options;
	// The demo is imported only here, so that it does not delay the start with an account.
	const { startDemo } = await import('../session/demo.ts');
	const demo = await startDemo(host, demoOptionsFrom(args));
	const shared = createSharedParts(host, limits);
	onOpening?.(shared.store, [{ account: 'demo', label: 'demo', baseUrl: demo.baseUrl }]);
	const session = openSession(
		host,
		{
			profile: {
				account: 'demo',
				name: 'demo',
				shortName: 'demo',
				isReadOnly: args.flag('read-only'),
				isProduction: false,
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
	return {
		...tableFromAccounts(host, [{ ...session, close }], shared),
		greeting: 'Demo data: `crowsnest login` shows your own fleet',
	};
}

function changeable(
	host: Host,
	args: ParsedArgs,
	opened: Pick<TableAccountsOptions, 'sessions' | 'shared'>,
	options: OpenMonitorOptions,
): Pick<OpenedMonitor, 'tableAccounts'> {
	if (options.onOpening) return {};
	return { tableAccounts: createTableAccounts(host, args, { ...options, ...opened }) };
}

/** A replay ignores keys for actions that only a live monitor has, and a live monitor those of a replay. */
export function actionsFor(
	host: Host,
	{ keys }: Pick<Preferences, 'keys'>,
	table = allActions,
): readonly Action[] {
	const unavailableActions = new Set([...allActions, ...playerActions].map(({ id }) => id));
	for (const { id } of table) unavailableActions.delete(id);
	const ownKeys = keys.filter(({ action }) => !unavailableActions.has(action));
	try {
		return withKeyOverrides(table, ownKeys);
	} catch (error) {
		if (!(error instanceof KeyOverrideError)) throw error;
		const problem = { message: `keys: ${error.message}`, isInFile: true };
		throw new UsageError(problemLines([problem], pathsOf(host).configPath));
	}
}

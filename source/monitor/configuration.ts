import { basename } from 'node:path';
import type { LoadedSettings } from '../accounts/account-settings.ts';
import { type Config, configFrom } from '../accounts/config-text.ts';
import { accountSettings, type Preferences, programSettings } from '../accounts/settings.ts';
import { UsageError } from '../foundation/error.ts';
import { displayOptionsFrom } from '../script/display-options.ts';
import type { ParsedArgs } from '../script/parsed-args.ts';
import { type Host, pathsOf } from '../session/host.ts';
import type { SessionTable } from '../session/session-table.ts';
import { loadSettings, problemLines, readConfig, readConfigText } from '../session/settings.ts';
import type { Action } from '../views/scene.ts';
import { KeyOverrideError, withKeyOverrides } from './actions/dispatcher.ts';
import { actions as allActions, playerActions, withOwnCommands } from './actions/table.ts';

const checkEveryMs = 2_000;

const atStartOnly = [
	...Object.keys({ ...accountSettings, ...programSettings }),
	...['signIn', 'glyphs', 'screenReader', 'alone'],
];

type AccountSettings = Extract<LoadedSettings, { kind: 'accounts' }>;

type RereadOptions = {
	sessions: SessionTable;
	apply: (settings: AccountSettings, hasNewHooks: boolean) => void;
	say: (message: string) => void;
};

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

/** Applies a changed file as a whole or not at all. */
export function rereadConfiguration(host: Host, args: ParsedArgs, options: RereadOptions) {
	const { sessions, apply, say } = options;
	const { configPath } = pathsOf(host);
	let handled = readConfigText(configPath) ?? '';
	let seen = handled;
	let problem: string | undefined;
	let inForce = configFrom(handled).config;
	let readOnlyNow: readonly string[] = [];
	let cancel = () => {};

	function check() {
		cancel = host.clock.after(checkEveryMs, check);
		const [before, problemBefore] = [seen, problem];
		try {
			seen = readConfigText(configPath) ?? '';
			problem = undefined;
			// A file that has just changed may be written further.
			if (seen === before && seen !== handled && reread()) handled = seen;
		} catch (error) {
			if (!(error instanceof UsageError)) throw error;
			problem = error.message;
			if (problem !== problemBefore) say(`${problem}. The old settings stay`);
		}
	}

	/** Returns false if it has to be tried again. */
	function reread(): boolean {
		const names = sessions.profiles().map(({ name }) => name);
		const open = names.filter(name => inForce.profiles.has(name));
		const { config, problems } = configFrom(seen);
		if (problems.length === 0 && textOfOpen(config, open) === textOfOpen(inForce, open)) {
			inForce = config;
			return true;
		}
		const settings = loadSettings(host, {
			flag: name => name !== 'all-profiles' && args.flag(name),
			list: () => open,
		});
		const [mistake] = mistakesIn(host, settings);
		if (mistake !== undefined)
			say(`${mistake.replace(configPath, basename(configPath))}. The old settings stay`);
		if (mistake !== undefined || settings.kind !== 'accounts') return true;
		const { accounts } = settings;
		const readOnlyUntilRestart = sessions.all().filter(session => {
			const account = accounts.find(({ name }) => name === session.profile.name);
			const wasReadOnly = session.profile.isReadOnly;
			if (account) session.changeRules(account);
			if (session.profile.isReadOnly && !wasReadOnly)
				readOnlyNow = [...readOnlyNow, session.profile.name];
			return session.profile.isReadOnly && account?.preferences.readOnly === false;
		});
		sessions.refresh();
		// An own command that is asked for or under way stays as it is, and what else has changed waits for it.
		const { running, dropped } = sessions.operations.exitSummary();
		if (sessions.operations.state().question || running.length + dropped.length > 0) return false;
		const later = [
			...namesChanged(inForce, config, open),
			...(readOnlyUntilRestart.length > 0 ? ['readOnly = false'] : []),
		];
		const after = later.length > 0 ? `. After a restart: ${later.join(', ')}` : '';
		// It has closed questions and cancelled countdowns.
		const changed = readOnlyNow.length > 0 ? `. Read-only now: ${readOnlyNow.join(', ')}` : '';
		say(`Read the configuration again${changed}${after}`);
		readOnlyNow = [];
		apply(settings, JSON.stringify(inForce.hooks) !== JSON.stringify(config.hooks));
		inForce = config;
		return true;
	}

	cancel = host.clock.after(checkEveryMs, check);
	return () => cancel();
}

/** Without the profiles that are not open. */
const textOfOpen = (config: Config, open: readonly string[]) =>
	JSON.stringify({ ...config, profiles: open.map(name => config.profiles.get(name)) });

/** The settings that count when an account is opened, and that have changed for an account that is open. */
function namesChanged(before: Config, now: Config, profiles: readonly string[]): readonly string[] {
	function settingText(config: Config, profile: string, name: string) {
		const values = { ...config, ...config.profiles.get(profile) };
		return JSON.stringify(new Map<string, unknown>(Object.entries(values)).get(name));
	}
	return atStartOnly.filter(name =>
		['', ...profiles].some(
			profile => settingText(before, profile, name) !== settingText(now, profile, name),
		),
	);
}

/** Also those that leave an account usable, but not its hooks, its own commands or the monitor. */
export function mistakesIn(
	host: Host,
	settings: LoadedSettings,
	checkKeys: (host: Host, preferences: Preferences) => unknown = actionsFor,
): readonly string[] {
	const { configPath } = pathsOf(host);
	if (settings.kind === 'wrong') return [problemLines(settings.problems, configPath)];
	const owners = settings.kind === 'accounts' ? settings.accounts : [settings];
	const refused = owners.flatMap(({ preferences }) =>
		[displayOptionsFrom, checkKeys].flatMap(read => {
			try {
				read(host, preferences);
				return [];
			} catch (error) {
				if (error instanceof UsageError) return [error.message];
				throw error;
			}
		}),
	);
	const { commands, hooks } = readConfig(host).config;
	const problems = [...commands.problems, ...hooks.problems];
	return [...new Set([...refused, ...problems.map(each => problemLines([each], configPath))])];
}

/** Also those of own commands, which run without a key that is taken. */
export function checkAllKeys(host: Host, preferences: Preferences) {
	const { commands } = readConfig(host).config.commands;
	const { problems } = withOwnCommands(actionsFor(host, preferences), commands);
	if (problems.length > 0) throw new UsageError(problemLines(problems, pathsOf(host).configPath));
}

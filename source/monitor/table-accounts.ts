import { accountKey } from '../accounts/credentials.ts';
import { createListeners } from '../foundation/listeners.ts';
import type { AccountChoice } from '../keys/account-bindings.ts';
import { cleanLine } from '../platform/decoding/clean.ts';
import { type Host, pathsOf } from '../session/host.ts';
import type { SharedParts } from '../session/session.ts';
import type { SessionTable } from '../session/session-table.ts';
import type { ParsedArgs } from '../shell/command.ts';
import { loadProfile, loadProfiles, loadSettings, problemLines } from '../shell/load-settings.ts';
import type { TableAccounts } from './intents/intent-handlers.ts';
import { type OpenedParts, type OpenMonitorOptions, openAccount } from './open-accounts.ts';
import { rememberProfiles } from './profile-chooser.ts';

export type TableAccountsOptions = OpenMonitorOptions & {
	sessions: SessionTable;
	parts: OpenedParts;
	shared: SharedParts;
};

/** Creates the object that changes which accounts the table has. One change begins after another has ended. */
export function createTableAccounts(
	host: Host,
	args: ParsedArgs,
	options: TableAccountsOptions,
): TableAccounts {
	const { sessions, parts, shared } = options;
	const listeners = createListeners();
	let choices: readonly AccountChoice[] = [];
	let lastChange: Promise<unknown> = Promise.resolve();

	const sessionNamed = (name: string) =>
		sessions.all().find(({ profile }) => profile.name === name);

	function inTurn(change: () => Promise<string>): Promise<string> {
		const result = lastChange.then(change);
		lastChange = result.catch(() => undefined);
		return result;
	}

	function refresh() {
		const next = loadProfiles(host, args).map(({ name, email, baseUrl, problem }) => {
			const account = problem?.message ?? [email, baseUrl].filter(Boolean).join(' at ');
			return { name, isOpen: sessionNamed(name) !== undefined, description: cleanLine(account) };
		});
		if (JSON.stringify(next) === JSON.stringify(choices)) return;
		choices = next;
		listeners.notify();
	}

	/** Saves which profiles are open, for starts at which nothing else chooses. */
	function afterChange() {
		refresh();
		if (loadSettings(host, args).kind === 'choice')
			rememberProfiles(
				host,
				sessions.profiles().map(({ name }) => name),
			);
	}

	async function add(name: string): Promise<string> {
		if (sessionNamed(name)) return `${name} is in the table already`;
		const account = loadProfile(host, args, name);
		if ('message' in account) return problemLines([account], pathsOf(host).configPath);
		const key = accountKey(account);
		const other = sessions.all().find(each => each.account === key);
		if (other) return `${name} is the same account as ${other.profile.name}`;
		const opened = await openAccount(host, account, shared, options);
		const { session } = opened;
		parts.set(session, opened);
		sessions.add(session);
		afterChange();
		return `Added ${name}`;
	}

	async function remove(name: string): Promise<string> {
		const session = sessionNamed(name);
		if (!session) return `${name} is not in the table`;
		if (!sessions.remove(session)) return `${name} is the only account here: add another one first`;
		const { account, store } = session;
		const closing = parts.get(session)?.close();
		parts.delete(session);
		await closing;
		store.fold({ account, at: host.clock.now(), type: 'accountClosed' });
		afterChange();
		return `Took ${name} out of the table`;
	}

	refresh();

	return {
		choices: () => choices,
		refresh,
		subscribe: listeners.subscribe,
		add: name => inTurn(() => add(name)),
		remove: name => inTurn(() => remove(name)),
	};
}

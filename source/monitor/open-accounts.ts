import { createStore } from 'zustand/vanilla';
import type { AccountSettings, ChosenAccounts } from '../accounts/account-settings.ts';
import { accountKey } from '../accounts/credentials.ts';
import { type GlobalId, splitGlobalId } from '../fleet/computers/global-id.ts';
import type { Badge } from '../lines/theme.ts';
import { displayOptionsFrom } from '../script/display-options.ts';
import { openRequestCap, passwordCommandRunner } from '../session/access.ts';
import { followLog } from '../session/follow-log.ts';
import type { Host } from '../session/host.ts';
import {
	type AccountSession,
	createSharedParts,
	openConfigured,
	type Sessions,
	type SharedParts,
} from '../session/session.ts';
import { createSessionTable, type SessionTable } from '../session/session-table.ts';
import { createSignInRequest } from '../session/sign-in-request.ts';
import { reportEarlierPane } from '../session/state-folder.ts';
import type { Store } from '../store/store.ts';
import type { TerminalPreferences } from '../terminal/features/environment.ts';
import { configuredSettingWords } from './live-settings.ts';
import { type Memory, tableMemory } from './memory.ts';
import type { BadgeStore, MonitorContents } from './monitor-state.ts';

export type OpenedMonitor = MonitorContents & {
	terminalPreferences?: TerminalPreferences;
	/** Remembers whether the welcome was shown; undefined if an account is configured. */
	welcomed?: Memory;
	isSpoken?: boolean | undefined;
	hasMouse?: boolean | undefined;
	close(): Promise<void>;
};

export type OpenMonitorOptions = {
	onTrouble: (message: string) => void;
	accountCount?: () => number;
	/** Called before the first fact, for a recording. If this is set, the accounts of the table are fixed. */
	onOpening?: (store: Store, accounts: readonly [OpeningAccount, ...OpeningAccount[]]) => void;
};

type OpeningAccount = { account: string; label: string; baseUrl: string };

export async function openAccounts(
	host: Host,
	accounts: ChosenAccounts,
	options: OpenMonitorOptions,
): Promise<OpenedMonitor & { shared: SharedParts }> {
	const [{ preferences, maxRequestsPerMinute }, ...others] = accounts;
	const lockAfterMs = Math.min(...accounts.map(account => account.preferences.lockAfter));
	const requestCap = openRequestCap(host, maxRequestsPerMinute, options.onTrouble);
	const shared = createSharedParts(host, { lockAfterMs, requestCap });
	const opening = (account: AccountSettings): OpeningAccount => {
		return { account: accountKey(account), label: account.name, baseUrl: account.baseUrl };
	};
	options.onOpening?.(shared.store, [opening(accounts[0]), ...others.map(opening)]);
	let table: ReturnType<typeof tableFromAccounts> | undefined;
	const accountCount = () => table?.sessions.all().length ?? accounts.length;
	const open = (account: AccountSettings) =>
		openAccount(host, account, shared, { ...options, accountCount });
	const [first, ...rest] = await Promise.all([open(accounts[0]), ...others.map(open)]);
	table = tableFromAccounts(host, [first, ...rest], shared);
	return {
		...table,
		announcementSettings: preferences.notify,
		settingSources: {
			configured: configuredSettingWords(accounts.map(each => each.preferences)),
		},
		...displayOptionsFrom(host, preferences),
	};
}

export function tableFromAccounts(host: Host, opened: Sessions, shared: SharedParts) {
	const sessions = createSessionTable(opened);
	return {
		sessions,
		shared,
		badge: badgeOf(sessions),
		memory: tableMemory(host, sessions),
		loadHistory(globalId: GlobalId) {
			const { account, id } = splitGlobalId(globalId);
			const session = sessions.all().find(each => each.account === account);
			session?.journal?.loadHistory(id);
		},
		async close() {
			shared.operations.quit();
			await Promise.all(sessions.all().map(each => each.close()));
			shared.requestCap?.close();
		},
	};
}

/** With several profiles, each has a badge of its own. */
function badgeOf(sessions: SessionTable): BadgeStore {
	const badgeNow = (): Badge | undefined => {
		const [profile, ...others] = sessions.profiles();
		const isUnnamed = !profile || profile.name === 'environment' || others.length > 0;
		return isUnnamed ? undefined : { text: profile.name, colour: profile.colour };
	};
	const badge = createStore(badgeNow);
	sessions.subscribe(() => badge.setState(badgeNow(), true));
	return badge;
}

/** Opens the account of a profile, and loads what earlier runs saved about it. */
export async function openAccount(
	host: Host,
	account: AccountSettings,
	shared: SharedParts,
	{ onTrouble, accountCount = () => 1 }: OpenMonitorOptions,
): Promise<AccountSession> {
	const { name, credentials } = account;
	const onProblem = (message: string) =>
		onTrouble(accountCount() > 1 ? `${name}: ${message}` : message);
	const passwordRequest =
		credentials.kind === 'password'
			? createSignInRequest(
					{
						profile: name === 'environment' ? undefined : name,
						email: credentials.email,
						host: new URL(credentials.authUrl).host,
					},
					() => session,
					{ runPasswordCommand: passwordCommandRunner(host, account), now: host.clock.now },
				)
			: undefined;
	const session = await openConfigured(host, account, shared, {
		askForPassword: passwordRequest?.ask,
		passwordCommandTerminal: 'none',
		onProblem,
		sharing: { hasScreen: true },
		passwordRequest,
	});
	followLog(host, session);
	reportEarlierPane(host, session.account, onProblem);
	return session;
}

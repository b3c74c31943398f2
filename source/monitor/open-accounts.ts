import { createStore } from 'zustand/vanilla';
import type { AccountSettings, ChosenAccounts } from '../accounts/account-settings.ts';
import { accountKey } from '../accounts/credentials.ts';
import { splitGlobalId } from '../fleet/computers/global-id.ts';
import type { Badge } from '../lines/theme.ts';
import { displayOptionsFrom } from '../script/display-options.ts';
import { buildAccess, openRequestCap, passwordCommandRunner } from '../session/access.ts';
import { followLog } from '../session/follow-log.ts';
import type { Host } from '../session/host.ts';
import {
	type AccountSession,
	createSharedParts,
	openJournalOf,
	openSession,
	type SharedParts,
	sessionOptionsFrom,
} from '../session/session.ts';
import { createSessionTable, type SessionTable } from '../session/session-table.ts';
import { createSignInRequest } from '../session/sign-in-request.ts';
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

export type OpenedAccountParts = {
	session: AccountSession;
	/** The account of the saved screen and history; undefined for the demo, which saves nothing. */
	owner: string | undefined;
	loadHistory(id: string): Promise<void>;
	close(): Promise<void>;
};

/** The accounts of the table, keyed by session. The map is empty while the program ends. */
export type OpenedAccounts = Map<AccountSession, OpenedAccountParts>;

export async function openAccounts(
	host: Host,
	accounts: ChosenAccounts,
	options: OpenMonitorOptions,
): Promise<OpenedMonitor & { parts: OpenedAccounts; shared: SharedParts }> {
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

export function tableFromAccounts(
	host: Host,
	opened: readonly [OpenedAccountParts, ...OpenedAccountParts[]],
	shared: SharedParts,
) {
	const [first, ...rest] = opened;
	const parts: OpenedAccounts = new Map(opened.map(each => [each.session, each]));
	const sessions = createSessionTable([first.session, ...rest.map(({ session }) => session)]);
	return {
		sessions,
		parts,
		shared,
		badge: badgeOf(sessions),
		memory: tableMemory(host, parts),
		async loadHistory(globalId: Parameters<NonNullable<MonitorContents['loadHistory']>>[0]) {
			const { account, id } = splitGlobalId(globalId);
			const found = [...parts.values()].find(({ session }) => session.account === account);
			await found?.loadHistory(id);
		},
		async close() {
			shared.operations.quit();
			await Promise.all([...parts.values()].map(each => each.close()));
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
): Promise<OpenedAccountParts> {
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
	const access = await buildAccess(host, account, {
		askForPassword: passwordRequest?.ask,
		passwordCommandTerminal: 'none',
		onProblem,
	});
	const sharing = account.preferences.alone ? undefined : { hasScreen: true };
	const session = openSession(
		host,
		{ ...access, ...sessionOptionsFrom(host, account), passwordRequest, sharing },
		shared,
	);
	const journal = openJournalOf(host, session, onProblem);
	followLog(host, session);
	return {
		session,
		owner: session.account,
		async loadHistory(id) {
			journal.loadHistory(id);
		},
		async close() {
			await session.close(journal.close);
		},
	};
}

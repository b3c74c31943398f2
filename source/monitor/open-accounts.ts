import { createStore } from 'zustand/vanilla';
import type { AccountSettings, ChosenAccounts } from '../accounts/account-settings.ts';
import type { PasswordRequest } from '../accounts/password-request.ts';
import { partsOf } from '../fleet/computers/global-id.ts';
import type { LinesOwner } from '../journal/file-version.ts';
import type { Journal } from '../journal/journal.ts';
import { buildAccess, passwordCommandRunner } from '../session/access.ts';
import type { Host } from '../session/host.ts';
import { journalOwnerOf, journalPath, openJournal } from '../session/open-journal.ts';
import {
	type AccountSession,
	createSharedParts,
	openSession,
	type SharedParts,
} from '../session/session.ts';
import { createSignInRequest } from '../session/sign-in-request.ts';
import { displayOptionsFrom } from '../shell/display-options.ts';
import type { TerminalPreferences } from '../terminal/features/environment.ts';
import type { MonitorContents } from './monitor-state.ts';
import { createScreenKeeper, type Welcome } from './screen-persistence.ts';

/** An opened monitor, with the display options of the configuration. */
export type OpenedMonitor = MonitorContents & {
	/** The theme and the character set of the configuration. */
	terminalPreferences?: TerminalPreferences;
	/** The welcome; undefined if an account is configured. */
	welcome?: Welcome;
	/** Whether to print plain lines for a screen reader instead of drawing a screen. */
	isSpoken?: boolean | undefined;
	hasMouse?: boolean | undefined;
	close(): Promise<void>;
};

export type OpenMonitorOptions = {
	onTrouble: (message: string) => void;
	/** Called before the first fact, so that a recording contains the snapshot of an earlier run. */
	onOpened?: (session: AccountSession) => void;
	/** Whether several accounts are refused. A recording has the facts of one account. */
	isForOneAccount?: boolean;
};

/** Opens accounts in one table. The preferences of the first one decide how the table looks. */
export async function openAccounts(
	host: Host,
	accounts: ChosenAccounts,
	maxRequestsPerMinute: number | undefined,
	options: OpenMonitorOptions,
): Promise<OpenedMonitor> {
	const [{ name, preferences }, ...others] = accounts;
	const lockAfterMs = Math.min(...accounts.map(account => account.preferences.lockAfter));
	const shared = createSharedParts(host, { lockAfterMs, maxRequestsPerMinute });
	const [first, ...rest] = await Promise.all([
		openAccount(host, accounts[0], shared, options),
		...others.map(account => openAccount(host, account, shared, options)),
	]);
	const opened = [first, ...rest];
	const isNamed = others.length > 0 || name === 'environment';
	return {
		sessions: [first.session, ...rest.map(({ session }) => session)],
		passwordRequests: new Map(
			opened.flatMap(({ session, passwordRequest }) =>
				passwordRequest ? [[session.account, passwordRequest] as const] : [],
			),
		),
		announcementSettings: preferences.notify,
		...displayOptionsFrom(host, preferences),
		badge: isNamed ? undefined : createStore(() => ({ text: name, colour: preferences.colour })),
		screenKeeper: createScreenKeeper(
			journalPath(host),
			screenOwner(opened.map(({ owner }) => owner)),
			options.onTrouble,
		),
		async loadHistory(globalId) {
			const { account, id } = partsOf(globalId);
			const journal = opened.find(({ session }) => session.account === account)?.journal;
			if (journal) shared.store.foldAll((await journal.recallHistory(account, id)).facts);
		},
		async close() {
			shared.operations.quit();
			await Promise.all(
				opened.map(async ({ session, journal }) => {
					await session.close();
					await journal.close();
				}),
			);
		},
	};
}

/** Returns the owner of the saved screen. Several accounts together have a screen of their own. */
function screenOwner(owners: readonly LinesOwner[]): LinesOwner {
	const [owner, ...others] = owners;
	if (owner && others.length === 0) return owner;
	const account = owners.map(each => each.account).sort();
	return { account: account.join(' '), unversionedLines: undefined };
}

type OpenedAccountParts = {
	session: AccountSession;
	journal: Journal;
	owner: LinesOwner;
	passwordRequest: PasswordRequest | undefined;
};

async function openAccount(
	host: Host,
	account: AccountSettings,
	shared: SharedParts,
	{ onTrouble, onOpened }: OpenMonitorOptions,
): Promise<OpenedAccountParts> {
	const { name, credentials } = account;
	const passwordRequest =
		credentials.kind === 'password'
			? createSignInRequest(
					{
						profile: name === 'environment' ? undefined : name,
						email: credentials.email,
						host: new URL(credentials.authUrl).host,
					},
					() => session,
					passwordCommandRunner(host, account),
				)
			: undefined;
	// `journalOwnerOf` inspects the stored token, so it runs before a sign-in replaces that token.
	const owner = journalOwnerOf(account);
	const access = await buildAccess(host, account, {
		askForPassword: passwordRequest?.ask,
		passwordCommandTerminal: 'none',
		onProblem: onTrouble,
	});
	const session = openSession(host, access, shared);
	onOpened?.(session);
	const journal = await openJournal(host, session, owner, onTrouble);
	return { session, journal, owner, passwordRequest };
}

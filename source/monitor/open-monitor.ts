import { createStore } from 'zustand/vanilla';
import type { AccountSettings } from '../accounts/account-settings.ts';
import type { Preferences } from '../accounts/setting-table.ts';
import { partsOf } from '../fleet/computers/global-id.ts';
import type { Binding } from '../keys/binding.ts';
import { bindings } from '../keys/bindings.ts';
import { KeyOverrideError, withKeyOverrides } from '../keys/key-overrides.ts';
import { playerBindings } from '../keys/replay-bindings.ts';
import { buildAccess, passwordCommandRunner } from '../session/access.ts';
import { type Host, pathsOf } from '../session/host.ts';
import { journalOwnerOf, journalPath, openJournal } from '../session/open-journal.ts';
import { type AccountSession, openSession } from '../session/session.ts';
import { createSignInRequest } from '../session/sign-in-request.ts';
import type { ParsedArgs } from '../shell/command.ts';
import { displayOptionsFrom } from '../shell/display-options.ts';
import { UsageError } from '../shell/errors.ts';
import { loadSettings, problemLines, requireAccount } from '../shell/load-settings.ts';
import type { TerminalPreferences } from '../terminal/features/environment.ts';
import type { MonitorContents } from './monitor-state.ts';
import { createScreenKeeper, type Welcome, welcomeFrom } from './screen-persistence.ts';

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
};

/** Opens the configured account, or the demo if there is no account or with --demo. */
export async function openMonitor(
	host: Host,
	args: ParsedArgs,
	options: OpenMonitorOptions,
): Promise<OpenedMonitor> {
	const settings = args.flag('demo') ? undefined : loadSettings(host, args);
	if (settings?.kind === 'wrong') {
		throw new UsageError(problemLines(settings.problems, pathsOf(host).configPath));
	}
	if (settings?.kind === 'accounts' || settings?.kind === 'choice')
		return openAccount(host, requireAccount(host, settings), options);
	if (!settings) return openDemo(host, args, options);
	const display = displayOptionsFrom(host, settings.preferences);
	const welcome = welcomeFrom(pathsOf(host).statePath);
	return { ...(await openDemo(host, args, options)), ...display, welcome };
}

async function openDemo(
	host: Host,
	args: ParsedArgs,
	{ onTrouble, onOpened }: OpenMonitorOptions,
): Promise<OpenedMonitor> {
	// The code of the demo is imported only here, so that it does not delay the start with an account.
	const { demoArguments } = await import('../shell/demo-options.ts');
	const { startDemo } = await import('../session/demo-process.ts');
	const demo = await startDemo(host, demoArguments(args), onTrouble);
	const session = openSession(host, {
		account: 'demo',
		baseUrl: demo.baseUrl,
		credentials: demo.credentials,
		fetch: demo.fetch,
		isReadOnly: args.flag('read-only'),
	});
	onOpened?.(session);
	return {
		sessions: [session],
		badge: createStore(() => ({ text: 'demo', colour: undefined })),
		greeting: 'Demo data: `crowsnest login` shows your own fleet',
		async close() {
			await session.close();
			demo.close();
		},
	};
}

async function openAccount(
	host: Host,
	account: AccountSettings,
	{ onTrouble, onOpened }: OpenMonitorOptions,
): Promise<OpenedMonitor> {
	const { name, credentials, preferences } = account;
	const keys = bindingsFor(host, preferences);
	const display = displayOptionsFrom(host, preferences);
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
	const session = openSession(host, access);
	onOpened?.(session);
	const journal = await openJournal(host, session, owner, onTrouble);
	return {
		sessions: [session],
		passwordRequests: new Map(passwordRequest && [[session.account, passwordRequest]]),
		announcementSettings: preferences.notify,
		...display,
		badge:
			name === 'environment'
				? undefined
				: createStore(() => ({ text: name, colour: preferences.colour })),
		bindings: keys,
		screenKeeper: createScreenKeeper(journalPath(host), owner, onTrouble),
		async loadHistory(globalId) {
			const { facts } = await journal.recallHistory(session.account, partsOf(globalId).id);
			session.store.foldAll(facts);
		},
		async close() {
			await session.close();
			await journal.close();
		},
	};
}

/**
 * Returns the bindings with the keys of the configuration. A replay ignores keys for actions that only a live
 * monitor has, and the reverse.
 */
export function bindingsFor(
	host: Host,
	{ keys }: Pick<Preferences, 'keys'>,
	table = bindings,
): readonly Binding[] {
	const unavailableActions = new Set([...bindings, ...playerBindings].map(({ action }) => action));
	for (const { action } of table) unavailableActions.delete(action);
	const ownKeys = keys.filter(({ action }) => !unavailableActions.has(action));
	try {
		return withKeyOverrides(table, ownKeys);
	} catch (error) {
		if (!(error instanceof KeyOverrideError)) throw error;
		throw new UsageError(problemLines([error], pathsOf(host).configPath));
	}
}

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AccountSettings } from '../accounts/account-settings.ts';
import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Badge } from '../drawing/badge.ts';
import type { Preferences } from '../fleet/preferences.ts';
import type { Binding } from '../keys/binding.ts';
import { bindings } from '../keys/bindings.ts';
import { KeysError, withOwnKeys } from '../keys/own-keys.ts';
import { playerBindings } from '../keys/replay-bindings.ts';
import { accessTo, lentPasswordCommand } from '../session/access.ts';
import { type Lookout, openLookout } from '../session/lookout.ts';
import { journalPath, ownerOf, remember } from '../session/open-journal.ts';
import { createSignInDesk } from '../session/sign-in-desk.ts';
import { type Given, UsageError } from '../shell/command.ts';
import { screenWishes } from '../shell/display-options.ts';
import type { Host } from '../shell/host.ts';
import { pathsOf, problemLines, settingsOf } from '../shell/load-settings.ts';
import type { Looks } from '../terminal/environment.ts';
import type { Player } from './replay-player.ts';
import { createScreenKeeper, type ScreenKeeper } from './screen-persistence.ts';
import { type Welcome, welcomeFrom } from './welcome.ts';

/** What the monitor watches, and what goes with it. */
export type Monitored = {
	lookout: Lookout;
	/** Where a password is asked for while the monitor runs. */
	desk?: PasswordRequest;
	/** What the account is called in the header, which a recording changes when it ends. */
	badge?: StoreApi<Badge>;
	/** Said once, when the monitor opens. */
	greeting?: string;
	/** Where order, filter and view are kept for the next time. */
	keeper?: ScreenKeeper;
	/** Reads what was kept of a computer. */
	recallHistory?: (id: string) => void;
	/** All keys, a person's own among them. */
	bindings?: readonly Binding[];
	/** What a person wants to be told of, and how. */
	notify?: Preferences['notify'];
	/** What a person wants the screen to look like. */
	looks?: Looks;
	/** The names of the table's columns until others are chosen. */
	columns?: readonly string[];
	/** Nothing is configured yet. */
	welcome?: Welcome;
	/** Lines of plain words, and nothing drawn. */
	isSpoken?: boolean;
	hasMouse?: boolean;
	/** It shows a recording, and this moves through it. */
	player?: Player;
	close(): Promise<void>;
};

export type MonitoredOptions = {
	onTrouble: (message: string) => void;
	/** Before anything is known: a recording begins with what an earlier run has left. */
	onOpened?: (lookout: Lookout) => void;
};

/** The account that is configured, or the embedded demo where none is or the demo is asked for. */
export async function openMonitored(
	host: Host,
	given: Given,
	options: MonitoredOptions,
): Promise<Monitored> {
	const settings = given.flag('demo') ? undefined : settingsOf(host, given);
	if (settings?.kind === 'wrong') {
		throw new UsageError(problemLines(settings.problems, pathsOf(host).configPath));
	}
	if (settings?.kind === 'account') return openAccount(host, settings.account, options);
	if (!settings) return openDemo(host, given, options);
	const wishes = screenWishes(host, settings.preferences);
	const welcome = welcomeFrom(pathsOf(host).statePath);
	return { ...(await openDemo(host, given, options)), ...wishes, welcome };
}

async function openDemo(
	host: Host,
	given: Given,
	{ onTrouble, onOpened }: MonitoredOptions,
): Promise<Monitored> {
	// Whoever has an account does not wait for the demo's code.
	const { openDemoChild } = await import('../session/demo-child.ts');
	const demo = await openDemoChild(host, given, onTrouble);
	const lookout = openLookout(host, {
		account: 'demo',
		baseUrl: demo.baseUrl,
		credentials: demo.credentials,
		fetch: demo.fetch,
		isReadOnly: given.flag('read-only'),
	});
	onOpened?.(lookout);
	return {
		lookout,
		badge: createStore(() => ({ text: 'demo', colour: undefined })),
		greeting: 'the demo platform; `crowsnest login` for your own',
		async close() {
			await lookout.close();
			demo.close();
		},
	};
}

async function openAccount(
	host: Host,
	account: AccountSettings,
	{ onTrouble, onOpened }: MonitoredOptions,
): Promise<Monitored> {
	const { name, credentials, preferences } = account;
	const keys = bindingsFor(host, preferences);
	const wishes = screenWishes(host, preferences);
	const desk =
		credentials.kind === 'password'
			? createSignInDesk(
					{
						...(name !== 'environment' && { profile: name }),
						email: credentials.email,
						host: new URL(credentials.authUrl).host,
					},
					() => lookout,
					lentPasswordCommand(host, account),
				)
			: undefined;
	// Before signing in replaces the proof of it.
	const owner = ownerOf(account);
	const access = await accessTo(host, account, { ask: desk?.ask, terminal: 'none', onTrouble });
	const lookout = openLookout(host, access);
	onOpened?.(lookout);
	const journal = await remember(host, lookout, owner, onTrouble);
	return {
		lookout,
		...(desk && { desk }),
		notify: preferences.notify,
		...wishes,
		...(name !== 'environment' && {
			badge: createStore(() => ({ text: name, colour: preferences.colour })),
		}),
		bindings: keys,
		keeper: createScreenKeeper(journalPath(host), owner, onTrouble),
		async recallHistory(id) {
			const { facts } = await journal.recallHistory(lookout.account, id);
			lookout.store.foldAll(facts);
		},
		async close() {
			await lookout.close();
			await journal.close();
		},
	};
}

/** A table with a person's own keys in it. A replay has actions of its own, and lacks others. */
export function bindingsFor(
	host: Host,
	{ keys }: Pick<Preferences, 'keys'>,
	table = bindings,
): readonly Binding[] {
	const elsewhere = new Set([...bindings, ...playerBindings].map(({ action }) => action));
	for (const { action } of table) elsewhere.delete(action);
	const own = keys.filter(({ action }) => !elsewhere.has(action));
	try {
		return withOwnKeys(table, own);
	} catch (error) {
		if (!(error instanceof KeysError)) throw error;
		const { message, line } = error;
		const problem = { message, ...(line !== undefined && { line }) };
		throw new UsageError(problemLines([problem], pathsOf(host).configPath));
	}
}

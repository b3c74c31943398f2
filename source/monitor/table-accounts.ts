import { join } from 'node:path';
import type { AccountSettings } from '../accounts/account-settings.ts';
import { configFrom, saveProfile } from '../accounts/config-text.ts';
import { accountKey } from '../accounts/credentials.ts';
import type { SignInAnswers } from '../accounts/sign-in-fields.ts';
import { createTokenCache } from '../accounts/token-cache.ts';
import { createListeners } from '../foundation/listeners.ts';
import type { ParsedArgs } from '../script/parsed-args.ts';
import { type Host, pathsOf } from '../session/host.ts';
import type { AccountSession, SharedParts } from '../session/session.ts';
import type { SessionTable } from '../session/session-table.ts';
import {
	loadPreferences,
	loadProfile,
	loadProfiles,
	loadSettings,
	problemLines,
	readConfigText,
} from '../session/settings.ts';
import { accountFromAnswers, tryAccount } from '../session/try-account.ts';
import { pluralize } from '../views/phrases/words.ts';
import type { AccountChoice, SignInResult, TableAccounts } from '../views/scene.ts';
import { hostMemory } from './memory.ts';
import { openAccount } from './open-account.ts';
import { profileText } from './profile-chooser.ts';

type TableAccountsOptions = {
	onTrouble: (message: string) => void;
	sessions: SessionTable;
	shared: SharedParts;
};

/** A change of the accounts begins only after the previous one has ended. */
export function createTableAccounts(
	host: Host,
	args: ParsedArgs,
	options: TableAccountsOptions,
): TableAccounts {
	const { onTrouble, sessions, shared } = options;
	const listeners = createListeners();
	let choices: readonly AccountChoice[] = [];
	let lastChange: Promise<unknown> = Promise.resolve();

	const sessionNamed = (name: string) =>
		sessions.all().find(({ profile }) => profile.name === name);

	const sessionOf = (account: AccountSettings) =>
		sessions.all().find(each => each.account === accountKey(account));

	function inTurn<T>(change: () => Promise<T>): Promise<T> {
		const end = host.activity?.begin();
		const result = lastChange.then(change);
		lastChange = result.catch(() => undefined).finally(end);
		return result;
	}

	function refresh() {
		const next = loadProfiles(host, args).map(profile => {
			const { name } = profile;
			return { name, isOpen: sessionNamed(name) !== undefined, description: profileText(profile) };
		});
		if (JSON.stringify(next) === JSON.stringify(choices)) return;
		choices = next;
		listeners.notify();
	}

	/** If the configuration names profiles, only those that were added to them are saved. */
	function saveOpenProfiles() {
		const settings = loadSettings(host, args);
		const open = sessions.profiles().map(({ name }) => name);
		const memory = hostMemory(host);
		if (settings.kind === 'choice') memory.update(saved => ({ ...saved, profiles: open }));
		if (settings.kind !== 'accounts' || !settings.isDefault) return;
		const defaults = settings.accounts.map(({ name }) => name);
		const addedProfiles = open.filter(name => !defaults.includes(name));
		memory.update(saved => ({ ...saved, addedProfiles }));
	}

	async function add(name: string): Promise<string> {
		if (sessionNamed(name)) return `${name} is in the table already`;
		const account = loadProfile(host, args, name);
		if ('message' in account) return problemLines([account], pathsOf(host).configPath);
		const other = sessionOf(account);
		if (other) return `${name} is the same account as ${other.profile.name}`;
		await open(account);
		return `Added ${name}`;
	}

	async function open(account: AccountSettings) {
		const opened = await openAccount(host, account, shared, {
			onTrouble,
			accountCount: () => sessions.all().length,
		});
		sessions.add(opened);
		// The demo, which keeps nothing, leaves the table when the first account is added.
		for (const session of sessions.all()) if (!session.journal) await takeOut(session);
		saveOpenProfiles();
	}

	async function signIn(answers: SignInAnswers, signal: AbortSignal): Promise<SignInResult> {
		const { profile: name } = answers;
		if (sessionNamed(name)) {
			return refusal(`${name} is taken.`, 'Choose another one.', ['profile']);
		}
		const result = await signInToAccount(host, args, answers, signal);
		if (!result.isSignedIn) return result;
		const { account, computerCount } = result;
		const other = sessionOf(account);
		// If the account is already open under another name, its rows are in the table.
		if (!other) await open(account);
		const fleet = pluralize(computerCount, 'computer');
		const where = other ? `, in the table as ${other.profile.name}` : '';
		return { isSignedIn: true, notice: `Signed in as ${account.user}: ${fleet}${where}` };
	}

	/** Returns false for the only session, which stays. */
	async function takeOut(session: AccountSession): Promise<boolean> {
		if (!sessions.remove(session)) return false;
		const { account, store } = session;
		await session.close();
		const accounts = new Map(store.getState().accounts);
		accounts.delete(account);
		store.restore({ accounts });
		return true;
	}

	async function remove(name: string): Promise<string> {
		const session = sessionNamed(name);
		if (!session) return `${name} is not in the table`;
		if (!(await takeOut(session))) return `${name} is the only account here: add another one first`;
		saveOpenProfiles();
		return `Took ${name} out of the table`;
	}

	return {
		choices: () => choices,
		refresh,
		subscribe: listeners.subscribe,
		add: name => inTurn(() => add(name)),
		remove: name => inTurn(() => remove(name)),
		newProfileName() {
			refresh();
			const taken = new Set(choices.map(({ name }) => name));
			const names = ['default', ...Array.from(taken, (_, at) => `account${at + 2}`)];
			return names.find(name => !taken.has(name)) ?? '';
		},
		stayingNames: () =>
			sessions
				.all()
				.filter(({ journal }) => journal !== undefined)
				.map(({ profile }) => profile.name),
		signIn: (answers, signal) => inTurn(() => signIn(answers, signal)),
	};
}

type Refused = Extract<SignInResult, { isSignedIn: false }>;

type SignedIn = { isSignedIn: true; account: AccountSettings; computerCount: number };

/** A sign-in with a token saves nothing, because only the environment may contain tokens. */
async function signInToAccount(
	host: Host,
	args: Pick<ParsedArgs, 'flag'>,
	answers: SignInAnswers,
	signal: AbortSignal,
): Promise<SignedIn | Refused> {
	const { configPath, tokensPath } = pathsOf(host);
	const configText = readConfigText(configPath) ?? '';
	const { config, problems } = configFrom(configText);
	const { profile: name } = answers;
	if (problems.length > 0) return refusal(problemLines(problems, configPath));
	if (config.profiles.has(name)) {
		const advice = `Choose another name, or run \`crowsnest login --profile ${name}\`.`;
		return refusal(`There is a profile ${name} already.`, advice, ['profile']);
	}
	const tokenPath = join(tokensPath, `${name}.json`);
	const account = accountFromAnswers(name, answers, tokenPath);
	const trial = await tryAccount(host, account, signal);
	if (!trial.isAccepted) return refusal(trial.message, trial.advice, trial.fields);
	if (signal.aborted) return refusal('The sign-in was stopped.');
	const { computerCount } = trial;
	if (answers.way === 'token') {
		const preferences = loadPreferences(host, args);
		const settings = { ...account, shortName: name, isProduction: false, preferences };
		return { isSignedIn: true, account: settings, computerCount };
	}
	const { url, authUrl, anonKey, email } = answers;
	const failure = saveProfile(configPath, configText, name, { url, authUrl, anonKey, email });
	if (failure !== undefined)
		return refusal(`The sign-in worked, but the profile is not saved: ${failure}`);
	if (trial.token) createTokenCache(account, () => {}).save(trial.token);
	const saved = loadProfile(host, args, name);
	if ('message' in saved) return refusal(problemLines([saved], configPath));
	return { isSignedIn: true, account: saved, computerCount };
}

const refusal = (message: string, advice = '', fields: Refused['fields'] = []): Refused => ({
	isSignedIn: false,
	fields,
	message,
	advice,
});

import { join } from 'node:path';
import type { Environment } from '../foundation/children.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import { type Config, configFrom } from './config-text.ts';
import {
	type AccountValues,
	accountKey,
	type ConfiguredCredentials,
	credentialsFrom,
	userOf,
} from './credentials.ts';
import type { HookSettings } from './hook-settings.ts';
import type { Paths } from './paths.ts';
import {
	environmentAccount,
	readSetting,
	type SettingProblem,
	splitNames,
	tomlKeyText,
} from './setting-values.ts';
import {
	accountVariables,
	type Preferences,
	type ProfileValues,
	preferencesFrom,
	profileVariable,
} from './settings.ts';
import { shortNamesOf } from './short-names.ts';
import { storedTokenAt } from './token-cache.ts';

export type AccountSettings = {
	name: string;
	shortName: string;
	isProduction: boolean;
	baseUrl: string;
	credentials: ConfiguredCredentials;
	/** Whose rate limits apply: an e-mail address, or the subject of a token. */
	user: string;
	preferences: Preferences;
	tokenPath: string;
	maxRequestsPerMinute?: number;
};

export type ProfileChoice = Pick<AccountSettings, 'name' | 'shortName'> & {
	baseUrl: string | undefined;
	email: string | undefined;
	problem?: SettingProblem;
};

export type ChosenAccounts = readonly [AccountSettings, ...AccountSettings[]];

export type LoadedSettings =
	| {
			kind: 'accounts';
			accounts: ChosenAccounts;
			profiles: readonly Pick<AccountSettings, 'name' | 'shortName'>[];
			isDefault: boolean;
			hooks: HookSettings;
	  }
	| { kind: 'choice'; profiles: readonly ProfileChoice[]; preferences: Preferences }
	| { kind: 'none'; preferences: Preferences; maxRequestsPerMinute: number | undefined }
	| { kind: 'wrong'; problems: readonly SettingProblem[] };

export type AccountFlags = {
	profiles?: readonly string[];
	isForAllProfiles?: boolean;
	preferences?: { readOnly?: true; alone?: true };
};

export type ConfigurationSources = {
	flags: AccountFlags;
	environment: Environment;
	configText: string | undefined;
	paths: Paths;
};

/**
 * Chooses the accounts. A flag wins over the environment, and the environment over the file:
 *
 * ```
 *   --profile NAME,…           these profiles; if it is one, the environment adds settings that the profile lacks
 *   --all-profiles             all profiles
 *   a complete environment     the environment alone
 *   CROWSNEST_PROFILE,         the profiles; if it is one, the environment replaces settings of the profile
 *   `profile =`, or the only
 *   profile there is
 * ```
 */
export function settingsFrom(sources: ConfigurationSources): LoadedSettings {
	const { flags, environment } = sources;
	const { config, own, problems } = contentsOf(sources);
	if (problems.length > 0) return { kind: 'wrong', problems };
	const { profiles: flagged = [], isForAllProfiles = false } = flags;
	const existing = [...config.profiles.keys()];
	if (isForAllProfiles && flagged.length > 0)
		return wrong('use either --profile or --all-profiles');
	if (isForAllProfiles && existing.length === 0)
		return wrong('there are no profiles; `crowsnest login` creates one');
	const byFlag = isForAllProfiles ? existing : flagged;
	const byVariable = splitNames([environment[profileVariable] ?? '']);
	const requested = byFlag.length > 0 ? byFlag : byVariable;
	const isRequested = requested.length > 0;
	const isOwnComplete = missingSettings(own).length === 0;
	const names = isRequested ? requested : isOwnComplete ? [] : (config.profile ?? existing);
	const preferences = preferencesFrom([config, flags.preferences ?? {}]);
	if (names.length === 0 && Object.keys(own).length === 0)
		return { kind: 'none', preferences, maxRequestsPerMinute: config.maxRequestsPerMinute };
	if (!isRequested && !config.profile && names.length > 1)
		return { kind: 'choice', profiles: profilesFrom(sources), preferences };
	const unknown = names
		.filter(name => !existing.includes(name))
		.map(name => ({ message: unknownProfileText(name, existing), isInFile: !isRequested }));
	if (unknown.length > 0) return { kind: 'wrong', problems: unknown };
	const found = names.map(name => {
		const profile = config.profiles.get(name) ?? {};
		// The password in the environment may belong to another account.
		const values = names.length === 1 ? merged(profile, own, byFlag.length > 0) : profile;
		return accountFrom(name, values, config, sources);
	});
	if (names.length === 0) found.push(accountFrom(undefined, own, config, sources));
	const accounts = found.filter(each => 'name' in each);
	const incomplete = found.filter(each => 'message' in each);
	const wrongAccounts = [...incomplete, ...repeatedAccounts(accounts)];
	const [first, ...others] = accounts;
	if (wrongAccounts.length > 0 || !first) return { kind: 'wrong', problems: wrongAccounts };
	return {
		kind: 'accounts',
		accounts: [first, ...others],
		isDefault: names.length > 0 && !isRequested && config.profile !== undefined,
		profiles: shortNamesOf(config.profiles),
		hooks: config.hooks,
	};
}

export function profilesFrom(sources: ConfigurationSources): readonly ProfileChoice[] {
	const { config, own } = contentsOf(sources);
	return shortNamesOf(config.profiles).map(({ name, shortName }) => {
		const profile = config.profiles.get(name) ?? {};
		const found = accountFrom(name, merged(profile, own, true), config, sources);
		const choice = { name, shortName, baseUrl: profile.url, email: profile.email };
		return 'message' in found ? { ...choice, problem: found } : choice;
	});
}

export const preferencesWithoutProfile = (sources: ConfigurationSources): Preferences =>
	preferencesFrom([contentsOf(sources).config, sources.flags.preferences ?? {}]);

/** Without the environment, whose password may belong to another account. */
export function accountOfProfile(
	name: string,
	sources: ConfigurationSources,
): AccountSettings | SettingProblem {
	const { config, problems } = configFrom(sources.configText ?? '');
	const profile = config.profiles.get(name);
	return (
		problems[0] ??
		(profile
			? accountFrom(name, profile, config, sources)
			: { message: `there is no profile ${tomlKeyText(name)}` })
	);
}

const wrong = (message: string): LoadedSettings => ({ kind: 'wrong', problems: [{ message }] });

function contentsOf({ configText = '', environment }: ConfigurationSources) {
	const { config, problems } = configFrom(configText);
	const { own, problems: ownProblems } = accountIn(environment);
	return { config, own, problems: [...problems, ...ownProblems] };
}

function accountIn(environment: Environment) {
	const problems: SettingProblem[] = [];
	const entries = Object.entries(accountVariables).flatMap(([key, { name, schema }]) => {
		const text = environment[name];
		if (!text?.trim()) return [];
		const { value, problems: found } = readSetting(schema, text, [name], false);
		problems.push(...found);
		if (value === undefined) return [];
		return [[key, key === 'password' || key === 'token' ? () => value : value]];
	});
	const own: AccountValues = Object.fromEntries(entries);
	return { own, problems };
}

type Values = AccountValues & ProfileValues;

/** The password of a profile is for its identity provider only. */
function merged(profile: ProfileValues, own: AccountValues, isNamedByOption: boolean): Values {
	const differs = (name: 'url' | 'authUrl' | 'email') =>
		own[name] !== undefined && profile[name] !== own[name];
	if (isNamedByOption) {
		const isOtherAccount = (['url', 'authUrl', 'email'] as const).some(
			name => profile[name] !== undefined && differs(name),
		);
		return isOtherAccount ? profile : { ...own, ...profile };
	}
	const { anonKey: _, passwordCommand: __, ...profileWithoutPassword } = profile;
	return { ...(differs('authUrl') ? profileWithoutPassword : profile), ...own };
}

function accountFrom(
	profileName: string | undefined,
	values: Values,
	config: Config,
	{ flags, paths }: ConfigurationSources,
): AccountSettings | SettingProblem {
	const name = profileName ?? environmentAccount;
	const tokenPath = join(paths.tokensPath, `${name}.json`);
	let { token } = values;
	if (values.signIn === 'token' && !token) {
		const stored = storedTokenAt(tokenPath, values.url ?? '');
		if (!stored) {
			const message = `profiles.${tomlKeyText(name)} has no stored token for its url; run \`crowsnest login --token --profile ${name}\``;
			return { message, isInFile: true };
		}
		token = () => stored;
	}
	const missing = missingSettings({ ...values, token });
	if (missing.length > 0) return missingSettingsProblem(missing, profileName);
	const credentials = credentialsFrom({ ...values, token });
	const profile = config.profiles.get(profileName ?? '') ?? {};
	return {
		name,
		shortName: shortNamesOf(config.profiles).find(each => each.name === name)?.shortName ?? name,
		isProduction: values.production ?? false,
		baseUrl: values.url ?? '',
		credentials,
		user: userOf(credentials),
		preferences: preferencesFrom([config, profile, flags.preferences ?? {}]),
		tokenPath,
		maxRequestsPerMinute: config.maxRequestsPerMinute,
	};
}

function missingSettings(values: AccountValues) {
	const needed = values.token
		? (['url'] as const)
		: (['url', 'authUrl', 'anonKey', 'email'] as const);
	return needed.filter(name => values[name] === undefined);
}

function missingSettingsProblem(
	missing: ReturnType<typeof missingSettings>,
	profileName: string | undefined,
): SettingProblem {
	const variables = missing.map(name => accountVariables[name].name).join(', ');
	if (profileName === undefined)
		return { message: `the environment is incomplete: set ${variables} as well, or use a profile` };
	return {
		isInFile: true,
		message: `profiles.${tomlKeyText(profileName)} has no ${missing.join(', no ')}; add what is missing, or set ${variables} in the environment`,
	};
}

function unknownProfileText(name: string, existing: readonly string[]): string {
	const nearest = nearestName(name, existing);
	const hint = nearest ? `did you mean ${nearest}?` : '`crowsnest login` creates one';
	return `there is no profile ${tomlKeyText(name)}; ${hint}`;
}

// Each computer of two profiles of one account would be in the table twice.
function repeatedAccounts(accounts: readonly AccountSettings[]): readonly SettingProblem[] {
	const keys = accounts.map(accountKey);
	return accounts.flatMap(({ name }, index) => {
		const other = accounts[keys.slice(0, index).lastIndexOf(keys[index] ?? '')];
		if (!other) return [];
		const message = `the profiles ${other.name} and ${name} are the same account; open only one of them`;
		return [{ message }];
	});
}

import { join } from 'node:path';
import { type AccountFlags, chosenProfiles } from './chosen-profiles.ts';
import type { ProfileValues } from './config-table.ts';
import { type Config, configFrom } from './config-text.ts';
import {
	type AccountValues,
	accountKey,
	type ConfiguredCredentials,
	credentialsFrom,
	userOf,
} from './credentials.ts';
import {
	accountFromEnvironment,
	type Environment,
	type EnvironmentAccount,
} from './environment.ts';
import type { HookSettings } from './hook-settings.ts';
import {
	missingSettings,
	missingSettingsProblem,
	missingTokenProblem,
	profileCompletedByEnvironment,
	profileIgnoringEnvironment,
	profileOverriddenByEnvironment,
} from './merge-environment.ts';
import type { Paths } from './paths.ts';
import type { SettingProblem } from './setting-reader.ts';
import { type Preferences, preferencesFrom } from './setting-table.ts';
import { shortNamesOf } from './short-names.ts';

/** All settings of an account that the program uses. */
export type AccountSettings = {
	/** The name of the profile, or `environment` for an account without a profile. */
	name: string;
	/** The name in the column ACCOUNT. No other profile has it. */
	shortName: string;
	/** Whether a person who types a confirmation must type the profile's name, too. */
	isProduction: boolean;
	/** The base URL, which ends in /v1. */
	baseUrl: string;
	credentials: ConfiguredCredentials;
	/** The user whose rate limits apply: an e-mail address, or the subject of a token. */
	user: string;
	preferences: Preferences;
	/** The file that keeps the account's token between two runs of the program. */
	tokenPath: string;
	/** The limit for the requests of all accounts together. */
	maxRequestsPerMinute?: number | undefined;
};

/** A profile that a person can choose. */
export type ProfileChoice = Pick<AccountSettings, 'name' | 'shortName' | 'isProduction'> & {
	baseUrl: string | undefined;
	email: string | undefined;
	/** The preferences of the profile, such as its colour and whether it is read-only. */
	preferences: Preferences;
	/** Why the profile cannot be opened. */
	problem?: SettingProblem;
};

/** At least one account, in the order in which they were chosen. */
export type ChosenAccounts = readonly [AccountSettings, ...AccountSettings[]];

export type LoadedSettings =
	| {
			kind: 'accounts';
			accounts: ChosenAccounts;
			/** All profiles in the configuration. */
			profiles: readonly Pick<AccountSettings, 'name' | 'shortName'>[];
			/** Whether only the setting `profile` of the configuration chooses the accounts. */
			isDefault: boolean;
			/** The programs to run after changes, and the mistakes in the configuration of other programs. */
			hooks: HookSettings;
	  }
	/** There are several profiles, and none is chosen. The preferences are those for all profiles. */
	| { kind: 'choice'; profiles: readonly ProfileChoice[]; preferences: Preferences }
	/** No account is configured. The preferences are those for all profiles. */
	| { kind: 'none'; preferences: Preferences; maxRequestsPerMinute: number | undefined }
	| { kind: 'wrong'; problems: readonly SettingProblem[] };

/** Everything that settings are read from. */
export type ConfigurationSources = {
	flags: AccountFlags;
	environment: Environment;
	/** The text of the configuration file; undefined if there is no file. */
	configText: string | undefined;
	paths: Paths;
	/** Returns the token that a person has stored for a profile with this base URL, if there is one. */
	storedToken?: ((tokenPath: string, baseUrl: string) => string | undefined) | undefined;
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
export function settingsFrom(allSources: ConfigurationSources): LoadedSettings {
	const { flags, environment, configText = '', paths, storedToken } = allSources;
	const { config, problems: fileProblems } = configFrom(configText);
	const { account: environmentAccount, problems: environmentProblems } =
		accountFromEnvironment(environment);
	const problems = [...fileProblems, ...environmentProblems];
	if (problems.length > 0) return { kind: 'wrong', problems };
	const isEnvironmentComplete = missingSettings(environmentAccount).length === 0;
	const chosen = chosenProfiles(flags, environment, isEnvironmentComplete, config);
	const sources = { config, environmentAccount, flags, paths, storedToken };
	const preferences = preferencesOf(config, undefined, flags);
	switch (chosen.kind) {
		case 'wrong':
			return chosen;
		case 'choice':
			return {
				kind: 'choice',
				profiles: profileChoices(sources),
				preferences,
			};
		case 'environment':
			if (Object.keys(environmentAccount).length === 0)
				return { kind: 'none', preferences, maxRequestsPerMinute: config.maxRequestsPerMinute };
			return accountsOrProblems([accountNamed(undefined, environmentAccount, sources)], config);
		case 'profiles': {
			const isAlone = chosen.names.length === 1;
			const merge = !isAlone
				? profileIgnoringEnvironment
				: chosen.isChosenByFlag
					? profileCompletedByEnvironment
					: profileOverriddenByEnvironment;
			const found = chosen.names.map(name =>
				accountNamed(name, merge(profileNamed(config, name), environmentAccount), sources),
			);
			return accountsOrProblems(found, config, chosen.isDefault);
		}
	}
}

export type AccountSources = Pick<ConfigurationSources, 'storedToken'> & {
	config: Config;
	environmentAccount: EnvironmentAccount;
	flags: AccountFlags;
	paths: Paths;
};

export const profileNamed = (config: Config, name: string): ProfileValues =>
	config.profiles?.get(name) ?? {};

/** Returns the account with these values, or the problem if a setting is missing. */
export function accountNamed(
	profileName: string | undefined,
	values: AccountValues & ProfileValues,
	{ config, flags, paths, storedToken }: AccountSources,
): AccountSettings | SettingProblem {
	const name = profileName ?? 'environment';
	const tokenPath = join(paths.tokensPath, `${name}.json`);
	const needsStored = values.signIn === 'token' && !values.token;
	const stored = needsStored && storedToken?.(tokenPath, values.url ?? '');
	if (needsStored && !stored) return missingTokenProblem(name);
	const completed = stored ? { ...values, token: () => stored } : values;
	const missing = missingSettings(completed);
	if (missing.length > 0) return missingSettingsProblem(missing, profileName);
	const credentials = credentialsFrom(completed);
	return {
		name,
		shortName: shortNamesOf(config.profiles ?? new Map()).get(name) ?? name,
		isProduction: values.production ?? false,
		baseUrl: values.url ?? '',
		credentials,
		user: userOf(credentials),
		preferences: preferencesOf(config, profileName, flags),
		tokenPath,
		maxRequestsPerMinute: config.maxRequestsPerMinute,
	};
}

function accountsOrProblems(
	found: readonly (AccountSettings | SettingProblem)[],
	config: Config,
	isDefault = false,
): LoadedSettings {
	const accounts = found.filter(each => 'name' in each);
	const incomplete = found.flatMap(each => ('name' in each ? [] : each));
	const problems = [...incomplete, ...repeatedAccountProblems(accounts)];
	const [first, ...others] = accounts;
	if (problems.length > 0 || first === undefined) return { kind: 'wrong', problems };
	return {
		kind: 'accounts',
		accounts: [first, ...others],
		isDefault,
		profiles: [...shortNamesOf(config.profiles ?? new Map())].map(([name, shortName]) => {
			return { name, shortName };
		}),
		hooks: config.hooks,
	};
}

// Two profiles of the same account cannot be opened together, because each computer would be in the table twice.
function repeatedAccountProblems(accounts: readonly AccountSettings[]): readonly SettingProblem[] {
	const nameByKey = new Map<string, string>();
	return accounts.flatMap(account => {
		const { name } = account;
		const key = accountKey(account);
		const otherName = nameByKey.get(key);
		nameByKey.set(key, name);
		if (otherName === undefined) return [];
		const message = `the profiles ${otherName} and ${name} are the same account; open only one of them`;
		return [{ message }];
	});
}

export function profileChoices(sources: AccountSources): readonly ProfileChoice[] {
	const { config, environmentAccount, flags } = sources;
	const profiles = config.profiles ?? new Map<string, ProfileValues>();
	const shortNames = shortNamesOf(profiles);
	return [...profiles].map(([name, profile]) => {
		const values = profileCompletedByEnvironment(profile, environmentAccount);
		const found = accountNamed(name, values, sources);
		return {
			name,
			shortName: shortNames.get(name) ?? name,
			isProduction: profile.production ?? false,
			baseUrl: profile.url,
			email: profile.email,
			preferences: preferencesOf(config, name, flags),
			...('name' in found ? {} : { problem: found }),
		};
	});
}

export function preferencesOf(
	config: Config,
	profileName: string | undefined,
	flags: AccountFlags,
): Preferences {
	const profile = profileName === undefined ? undefined : config.profiles?.get(profileName);
	return preferencesFrom([config, profile ?? {}, flags.preferences ?? {}]);
}

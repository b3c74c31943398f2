import { join } from 'node:path';
import type { Environment } from '../children/child-environment.ts';
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
import { readSetting, type SettingProblem, splitNames, tomlKeyText } from './setting-values.ts';
import {
	accountVariables,
	type Preferences,
	type ProfileValues,
	preferencesFrom,
	profileVariable,
} from './settings.ts';
import { shortNamesOf } from './short-names.ts';

export type { Environment };

export type AccountSettings = {
	/** The name of the profile, or `environment` for an account without a profile. */
	name: string;
	/** The name in the column ACCOUNT. No other profile has it. */
	shortName: string;
	/** Whether a person who types a confirmation must type the profile's name, too. */
	isProduction: boolean;
	baseUrl: string;
	credentials: ConfiguredCredentials;
	/** The user whose rate limits apply: an e-mail address, or the subject of a token. */
	user: string;
	preferences: Preferences;
	/** The file that keeps the account's token between two runs of the program. */
	tokenPath: string;
	maxRequestsPerMinute?: number | undefined;
};

export type ProfileChoice = Pick<AccountSettings, 'name' | 'shortName' | 'isProduction'> & {
	baseUrl: string | undefined;
	email: string | undefined;
	preferences: Preferences;
	problem?: SettingProblem;
};

export type ChosenAccounts = readonly [AccountSettings, ...AccountSettings[]];

export type LoadedSettings =
	| {
			kind: 'accounts';
			accounts: ChosenAccounts;
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

	const preferences = preferencesOf(config, undefined, flags);
	if (names.length === 0) {
		if (Object.keys(own).length > 0)
			return accountsOrProblems([accountNamed(undefined, own, config, sources)], config);
		return { kind: 'none', preferences, maxRequestsPerMinute: config.maxRequestsPerMinute };
	}
	if (!isRequested && !config.profile && names.length > 1)
		return { kind: 'choice', profiles: profilesFrom(sources), preferences };
	const unknown = names
		.filter(name => !existing.includes(name))
		.map(name => ({ message: unknownProfileText(name, existing), isInFile: !isRequested }));
	if (unknown.length > 0) return { kind: 'wrong', problems: unknown };
	const found = names.map(name => {
		const profile = config.profiles.get(name) ?? {};
		// The environment describes a single account, and its password must not be sent to the identity provider of
		// another.
		const values = names.length === 1 ? merged(profile, own, byFlag.length > 0) : profile;
		return accountNamed(name, values, config, sources);
	});
	return accountsOrProblems(found, config, !isRequested && config.profile !== undefined);
}

/** Returns all profiles of the configuration, in their order; none if the configuration cannot be read. */
export function profilesFrom(sources: ConfigurationSources): readonly ProfileChoice[] {
	const { config, own } = contentsOf(sources);
	const shortNames = shortNamesOf(config.profiles);
	return [...config.profiles].map(([name, profile]) => {
		const found = accountNamed(name, merged(profile, own, true), config, sources);
		return {
			name,
			shortName: shortNames.get(name) ?? name,
			isProduction: profile.production ?? false,
			baseUrl: profile.url,
			email: profile.email,
			preferences: preferencesOf(config, name, sources.flags),
			...('name' in found ? {} : { problem: found }),
		};
	});
}

export const preferencesWithoutProfile = (sources: ConfigurationSources): Preferences =>
	preferencesOf(contentsOf(sources).config, undefined, sources.flags);

/**
 * Returns the account of a profile that is added to a table. The environment is ignored, because its password may
 * belong to another account.
 */
export function accountOfProfile(
	name: string,
	sources: ConfigurationSources,
): AccountSettings | SettingProblem {
	const { config, problems } = configFrom(sources.configText ?? '');
	const [problem] = problems;
	if (problem) return problem;
	const profile = config.profiles.get(name);
	return profile
		? accountNamed(name, profile, config, sources)
		: { message: `there is no profile ${tomlKeyText(name)}` };
}

function contentsOf({ configText = '', environment }: ConfigurationSources) {
	const { config, problems } = configFrom(configText);
	const { own, problems: ownProblems } = accountIn(environment);
	return { config, own, problems: [...problems, ...ownProblems] };
}

/** Returns the account that the environment describes. Secrets are functions, so that printing it prints none. */
function accountIn(environment: Environment) {
	const problems: SettingProblem[] = [];
	const entries = Object.entries(accountVariables).flatMap(([key, { name, schema }]) => {
		const text = environment[name];
		// An empty variable counts as unset.
		if (!text?.trim()) return [];
		const read = readSetting(schema, text, [name], false);
		problems.push(...read.problems);
		const { value } = read;
		if (value === undefined) return [];
		return [[key, key === 'password' || key === 'token' ? () => value : value]];
	});
	const own: AccountValues = Object.fromEntries(entries);
	return { own, problems };
}

const wrong = (message: string): LoadedSettings => ({ kind: 'wrong', problems: [{ message }] });

function unknownProfileText(name: string, existing: readonly string[]): string {
	const nearest = nearestName(name, existing);
	const hint = nearest ? `did you mean ${nearest}?` : '`crowsnest login` creates one';
	return `there is no profile ${tomlKeyText(name)}; ${hint}`;
}

type Values = AccountValues & ProfileValues;

/**
 * Merges a profile and the environment. The environment wins, unless an option names the profile: then it adds what the
 * profile lacks, and nothing if it describes another account. The password of a profile is for its identity provider only.
 */
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

/** Returns the account with these values, or the problem if a setting is missing. */
function accountNamed(
	profileName: string | undefined,
	values: Values,
	config: Config,
	{ flags, paths, storedToken }: ConfigurationSources,
): AccountSettings | SettingProblem {
	const name = profileName ?? 'environment';
	const tokenPath = join(paths.tokensPath, `${name}.json`);
	const needsStored = values.signIn === 'token' && !values.token;
	const stored = needsStored && storedToken?.(tokenPath, values.url ?? '');
	if (needsStored && !stored) {
		const message = `profiles.${tomlKeyText(name)} has no stored token for its url; run \`crowsnest login --token --profile ${name}\``;
		return { message, isInFile: true };
	}
	const completed = stored ? { ...values, token: () => stored } : values;
	const missing = missingSettings(completed);
	if (missing.length > 0) return missingSettingsProblem(missing, profileName);
	const credentials = credentialsFrom(completed);
	return {
		name,
		shortName: shortNamesOf(config.profiles).get(name) ?? name,
		isProduction: values.production ?? false,
		baseUrl: values.url ?? '',
		credentials,
		user: userOf(credentials),
		preferences: preferencesOf(config, profileName, flags),
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
	const profiles = [...shortNamesOf(config.profiles)];
	return {
		kind: 'accounts',
		accounts: [first, ...others],
		isDefault,
		profiles: profiles.map(([name, shortName]) => ({ name, shortName })),
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

function preferencesOf(
	config: Config,
	profileName: string | undefined,
	flags: AccountFlags,
): Preferences {
	const profile = profileName === undefined ? undefined : config.profiles.get(profileName);
	return preferencesFrom([config, profile ?? {}, flags.preferences ?? {}]);
}

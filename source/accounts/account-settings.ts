import { join } from 'node:path';
import { nearestName } from '../foundation/nearest-name.ts';
import { type AccountSetting, accountSettings } from './account-setting-table.ts';
import { type Config, configFrom } from './config-text.ts';
import {
	type AccountValues,
	type ConfiguredCredentials,
	credentialsFrom,
	userOf,
} from './credentials.ts';
import {
	accountFromEnvironment,
	type Environment,
	type EnvironmentAccount,
	type Paths,
} from './environment.ts';
import { keyText, type Problem } from './setting-reader.ts';
import {
	type Preferences,
	type ProfileValues,
	preferencesFrom,
	topSettings,
} from './setting-table.ts';

/** All settings of the account that the program uses. */
export type AccountSettings = {
	/** The name of the profile, or `environment` for an account without a profile. */
	name: string;
	/** The base URL, which ends in /v1. */
	baseUrl: string;
	credentials: ConfiguredCredentials;
	/** The user whose rate limits apply: an e-mail address, or the subject of a token. */
	user: string;
	preferences: Preferences;
	/** The file that keeps the account's token between two runs of the program. */
	tokenPath: string;
};

export type Settings =
	| { kind: 'account'; account: AccountSettings; profiles: readonly string[] }
	/** No account is configured. The preferences are those for all profiles. */
	| { kind: 'none'; preferences: Preferences }
	| { kind: 'wrong'; problems: readonly Problem[] };

export type AccountFlags = { profile?: string | undefined; readOnly?: boolean };

/**
 * Chooses the account. A flag wins over the environment, and the environment over the file:
 *
 * ```
 *   --profile NAME             the profile NAME; the environment adds settings that the profile lacks
 *   a complete environment     the environment alone
 *   CROWSNEST_PROFILE,         the profile; the environment replaces settings of the profile
 *   `profile =`, or the only
 *   profile there is
 * ```
 */
export function settingsFrom(sources: {
	flags: AccountFlags;
	environment: Environment;
	/** The text of the configuration file; undefined if there is no file. */
	configText: string | undefined;
	paths: Paths;
}): Settings {
	const { flags, environment, configText = '', paths } = sources;
	const { config, problems: fileProblems } = configFrom(configText);
	const { account: environmentAccount, problems: environmentProblems } =
		accountFromEnvironment(environment);
	const problems = [...fileProblems, ...environmentProblems];
	if (problems.length > 0) return { kind: 'wrong', problems };

	const profiles = [...(config.profiles?.keys() ?? [])];
	const profileName = chosenProfile(flags, environment, environmentAccount, config);
	if (typeof profileName === 'object') return { kind: 'wrong', problems: [profileName] };
	const profile = profileName === undefined ? {} : (config.profiles?.get(profileName) ?? {});

	const preferences = preferencesOf(config, profileName, flags);
	if (profileName === undefined && Object.keys(environmentAccount).length === 0)
		return { kind: 'none', preferences };

	const values =
		flags.profile === undefined
			? profileOverriddenByEnvironment(profile, environmentAccount)
			: profileCompletedByEnvironment(profile, environmentAccount);
	const missing = missingSettings(values);
	if (missing.length > 0) {
		return { kind: 'wrong', problems: [missingSettingsProblem(missing, profileName, config)] };
	}
	const name = profileName ?? 'environment';
	const credentials = credentialsFrom(values);
	const account: AccountSettings = {
		name,
		baseUrl: values.url ?? '',
		credentials,
		user: userOf(credentials),
		preferences,
		tokenPath: join(paths.tokensPath, `${name}.json`),
	};
	return { kind: 'account', account, profiles };
}

/**
 * Merges a profile and the environment; the environment wins. If the environment names another identity
 * provider, the profile's password settings are dropped, because that provider must not receive the profile's
 * password.
 */
function profileOverriddenByEnvironment(
	profile: ProfileValues,
	environment: EnvironmentAccount,
): AccountValues {
	const { anonKey: _, passwordCommand: __, ...profileWithoutPassword } = profile;
	const hasOtherProvider =
		environment.authUrl !== undefined && environment.authUrl !== profile.authUrl;
	return { ...(hasOtherProvider ? profileWithoutPassword : profile), ...environment };
}

/**
 * Fills in settings that the profile lacks from the environment. If the environment describes another account,
 * nothing is filled in.
 */
function profileCompletedByEnvironment(
	profile: ProfileValues,
	environment: EnvironmentAccount,
): AccountValues {
	const isOtherAccount = (['url', 'authUrl', 'email'] as const).some(name => {
		const [one, other] = [environment[name], profile[name]];
		return one !== undefined && other !== undefined && one !== other;
	});
	return isOtherAccount ? profile : { ...environment, ...profile };
}

/** Returns the names of the settings that the account lacks, each with its variable. */
function missingSettings(values: AccountValues): readonly (readonly [string, string])[] {
	const settings: Readonly<Record<string, AccountSetting>> = accountSettings;
	const present: Readonly<Record<string, unknown>> = values;
	const way = values.token ? 'token' : 'password';
	return Object.entries(settings).flatMap(([name, { neededWith, variable = '' }]) =>
		neededWith?.includes(way) && present[name] === undefined ? [[name, variable] as const] : [],
	);
}

/**
 * Returns the name of the profile to use, or undefined for no profile. If the choice is wrong or ambiguous,
 * returns the problem instead.
 */
function chosenProfile(
	flags: AccountFlags,
	environment: Environment,
	environmentAccount: EnvironmentAccount,
	config: Config,
): string | undefined | Problem {
	const profileNames = [...(config.profiles?.keys() ?? [])];
	const requestedName = flags.profile ?? (environment[topSettings.profile.variable] || undefined);
	if (requestedName === undefined && missingSettings(environmentAccount).length === 0)
		return undefined;
	const name = requestedName ?? config.profile;
	if (name === undefined) {
		if (profileNames.length < 2) return profileNames[0];
		const profileList = profileNames.map(keyText).join(', ');
		return { message: `there are several profiles; choose one with --profile: ${profileList}` };
	}
	if (profileNames.includes(name)) return name;
	const nearest = nearestName(name, profileNames);
	const hint = nearest ? `did you mean ${nearest}?` : '`crowsnest login` creates one';
	const line = requestedName === undefined ? config.lineOf(['profile']) : undefined;
	return { message: `there is no profile ${keyText(name)}; ${hint}`, ...(line && { line }) };
}

function preferencesOf(
	config: Config,
	profileName: string | undefined,
	flags: AccountFlags,
): Preferences {
	const profile = profileName === undefined ? undefined : config.profiles?.get(profileName);
	return preferencesFrom([config, profile ?? {}, flags.readOnly ? { readOnly: true } : {}]);
}

function missingSettingsProblem(
	missing: ReturnType<typeof missingSettings>,
	profileName: string | undefined,
	config: Config,
): Problem {
	const variableList = missing.map(([, variable]) => variable).join(', ');
	if (profileName === undefined) {
		return {
			message: `the environment is incomplete: set ${variableList} as well, or use a profile`,
		};
	}
	const line = config.lineOf(['profiles', profileName]);
	return {
		message: `profiles.${keyText(profileName)} has no ${missing.map(([name]) => name).join(', no ')}; add what is missing, or set ${variableList} in the environment`,
		...(line && { line }),
	};
}

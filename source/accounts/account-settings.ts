import { join } from 'node:path';
import { nearestName } from '../fleet/nearest-name.ts';
import type { Preferences } from '../fleet/preferences.ts';
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
	variables,
} from './environment.ts';
import type { Paths } from './paths.ts';
import { preferencesFrom } from './preferences.ts';
import { keyText, type Problem } from './setting-reader.ts';
import type { ProfileValues } from './setting-table.ts';

/** All settings of the account that the program uses. */
export type AccountSettings = {
	/** The name of the profile, or `environment` for an account without a profile. */
	name: string;
	/** The base URL, which ends in /v1. */
	baseUrl: string;
	credentials: ConfiguredCredentials;
	/** The user whose rate limits are spent: an e-mail address, or the subject of a token. */
	user: string;
	preferences: Preferences;
	/** The file that stores the account's token while the program is not running. */
	tokenPath: string;
};

export type Settings =
	| { kind: 'account'; account: AccountSettings; profiles: readonly string[] }
	/** No account is configured. The preferences are those for all profiles. */
	| { kind: 'none'; preferences: Preferences }
	| { kind: 'wrong'; problems: readonly Problem[] };

export type Flags = { profile?: string | undefined; readOnly?: boolean };

/**
 * Chooses the account. A flag wins over the environment, and the environment over the file:
 *
 * ```
 *   --profile NAME             that profile; the environment fills in settings that the profile lacks
 *   a complete environment     the environment alone
 *   CROWSNEST_PROFILE,         that profile; the environment replaces settings of the profile
 *   `profile =`, or the only
 *   profile there is
 * ```
 */
export function settingsFrom(sources: {
	flags: Flags;
	environment: Environment;
	/** The text of the configuration file; undefined if there is no file. */
	configText: string | undefined;
	paths: Paths;
}): Settings {
	const { flags, environment, configText = '', paths } = sources;
	const { config, problems: inFile } = configFrom(configText);
	const { account: fromEnvironment, problems: inEnvironment } = accountFromEnvironment(environment);
	const wrong = [...inFile, ...inEnvironment];
	if (wrong.length > 0) return { kind: 'wrong', problems: wrong };

	const profiles = [...(config.profiles?.keys() ?? [])];
	const chosen = chosenProfile(flags, environment, fromEnvironment, config);
	if (typeof chosen === 'object') return { kind: 'wrong', problems: [chosen] };
	const profile = chosen === undefined ? {} : (config.profiles?.get(chosen) ?? {});

	const preferences = preferencesOf(config, chosen, flags);
	if (chosen === undefined && Object.keys(fromEnvironment).length === 0)
		return { kind: 'none', preferences };

	const values =
		flags.profile === undefined
			? withEnvironment(profile, fromEnvironment)
			: completedByEnvironment(profile, fromEnvironment);
	const missing = missingFrom(values);
	if (missing.length > 0) {
		return { kind: 'wrong', problems: [missingProblem(missing, chosen, config)] };
	}
	const name = chosen ?? 'environment';
	const credentials = credentialsFrom(values);
	const account: AccountSettings = {
		name,
		baseUrl: values.url ?? '',
		credentials: credentials,
		user: userOf(credentials),
		preferences,
		tokenPath: join(paths.tokensPath, `${name}.json`),
	};
	return { kind: 'account', account, profiles };
}

/**
 * Merges a profile and the environment; the environment wins. The profile's password settings are dropped if
 * the environment names another identity provider, because they were not meant for it.
 */
function withEnvironment(profile: ProfileValues, environment: EnvironmentAccount): AccountValues {
	const { anonKey: _, passwordCommand: __, ...others } = profile;
	const isElsewhere = environment.authUrl !== undefined && environment.authUrl !== profile.authUrl;
	return { ...(isElsewhere ? others : profile), ...environment };
}

/**
 * Completes a profile from the environment; the profile wins. An environment that describes another account
 * adds nothing.
 */
function completedByEnvironment(
	profile: ProfileValues,
	environment: EnvironmentAccount,
): AccountValues {
	const isAnother = (['url', 'authUrl', 'email'] as const).some(name => {
		const [one, other] = [environment[name], profile[name]];
		return one !== undefined && other !== undefined && one !== other;
	});
	return isAnother ? profile : { ...environment, ...profile };
}

function missingFrom(values: AccountValues): readonly (keyof typeof variables)[] {
	const needed = values.token
		? (['url'] as const)
		: (['url', 'authUrl', 'anonKey', 'email'] as const);
	return needed.filter(name => values[name] === undefined);
}

/** Returns the name of the profile to use, undefined to use none, or the problem. */
function chosenProfile(
	flags: Flags,
	environment: Environment,
	fromEnvironment: EnvironmentAccount,
	config: Config,
): string | undefined | Problem {
	const names = [...(config.profiles?.keys() ?? [])];
	const requested = flags.profile ?? (environment[variables.profile] || undefined);
	if (requested === undefined && missingFrom(fromEnvironment).length === 0) return undefined;
	const name = requested ?? config.profile;
	if (name === undefined) {
		if (names.length < 2) return names[0];
		const all = names.map(keyText).join(', ');
		return { message: `there are several profiles; choose one with --profile: ${all}` };
	}
	if (names.includes(name)) return name;
	const nearest = nearestName(name, names);
	const hint = nearest ? `did you mean ${nearest}?` : '`crowsnest login` creates one';
	const line = requested === undefined ? config.lineOf(['profile']) : undefined;
	return { message: `there is no profile ${keyText(name)}; ${hint}`, ...(line && { line }) };
}

function preferencesOf(config: Config, chosen: string | undefined, flags: Flags): Preferences {
	const profile = chosen === undefined ? undefined : config.profiles?.get(chosen);
	const layers = [
		{ values: config, path: [] },
		...(profile ? [{ values: profile, path: ['profiles', chosen ?? ''] }] : []),
	];
	const preferences = preferencesFrom(layers, config.lineOf);
	return flags.readOnly ? { ...preferences, readOnly: true } : preferences;
}

function missingProblem(
	missing: readonly (keyof typeof variables)[],
	chosen: string | undefined,
	config: Config,
): Problem {
	const unset = missing.map(name => variables[name]).join(', ');
	if (chosen === undefined) {
		return { message: `the environment is incomplete: set ${unset} as well, or use a profile` };
	}
	const line = config.lineOf(['profiles', chosen]);
	return {
		message: `profiles.${keyText(chosen)} has no ${missing.join(', no ')}; add what is missing, or set ${unset} in the environment`,
		...(line && { line }),
	};
}

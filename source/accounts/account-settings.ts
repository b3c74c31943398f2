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

/** Everything that a run needs to know about the account it is for. */
export type AccountSettings = {
	/** The profile's, or `environment`. */
	name: string;
	/** Ends in /v1. */
	baseUrl: string;
	credentials: ConfiguredCredentials;
	/** Whose budget is spent: an e-mail address, or what stands for one. */
	user: string;
	preferences: Preferences;
	/** Where its token may be kept from run to run. */
	tokenPath: string;
};

export type Settings =
	| { kind: 'account'; account: AccountSettings; profiles: readonly string[] }
	/** Nothing is configured. The preferences are those for all profiles. */
	| { kind: 'none'; preferences: Preferences }
	| { kind: 'wrong'; problems: readonly Problem[] };

export type Flags = { profile?: string | undefined; readOnly?: boolean };

/**
 * The account to use. What a flag says counts most, then the environment, then the file:
 *
 * ```
 *   --profile NAME          that profile; the environment only adds what it leaves open
 *   environment in full     the environment alone
 *   CROWSNEST_PROFILE,      that profile, with what the environment sets in the place of
 *   `profile =`, or the     what stands there
 *   only one there is
 * ```
 */
export function settingsFrom(sources: {
	flags: Flags;
	environment: Environment;
	/** Undefined when there is no file. */
	configText: string | undefined;
	paths: Paths;
}): Settings {
	const { flags, environment, configText = '', paths } = sources;
	const { config, problems: inFile } = configFrom(configText);
	const { account: given, problems: inEnvironment } = accountFromEnvironment(environment);
	const wrong = [...inFile, ...inEnvironment];
	if (wrong.length > 0) return { kind: 'wrong', problems: wrong };

	const profiles = [...(config.profiles?.keys() ?? [])];
	const chosen = chosenProfile(flags, environment, given, config);
	if (typeof chosen === 'object') return { kind: 'wrong', problems: [chosen] };
	const profile = chosen === undefined ? {} : (config.profiles?.get(chosen) ?? {});

	const preferences = preferencesOf(config, chosen, flags);
	if (chosen === undefined && Object.keys(given).length === 0) return { kind: 'none', preferences };

	const values =
		flags.profile === undefined
			? withEnvironment(profile, given)
			: completedByEnvironment(profile, given);
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

// A password is only ever told to the identity provider that it was meant for.
function withEnvironment(profile: ProfileValues, given: EnvironmentAccount): AccountValues {
	const { anonKey: _, passwordCommand: __, ...others } = profile;
	const isElsewhere = given.authUrl !== undefined && given.authUrl !== profile.authUrl;
	return { ...(isElsewhere ? others : profile), ...given };
}

function completedByEnvironment(profile: ProfileValues, given: EnvironmentAccount): AccountValues {
	const isAnother = (['url', 'authUrl', 'email'] as const).some(
		name =>
			given[name] !== undefined && profile[name] !== undefined && given[name] !== profile[name],
	);
	return isAnother ? profile : { ...given, ...profile };
}

function missingFrom(values: AccountValues): readonly (keyof typeof variables)[] {
	const needed = values.token
		? (['url'] as const)
		: (['url', 'authUrl', 'anonKey', 'email'] as const);
	return needed.filter(name => values[name] === undefined);
}

/** A profile's name, undefined when none is to be used, or what is wrong. */
function chosenProfile(
	flags: Flags,
	environment: Environment,
	given: EnvironmentAccount,
	config: Config,
): string | undefined | Problem {
	const names = [...(config.profiles?.keys() ?? [])];
	const asked = flags.profile ?? (environment[variables.profile] || undefined);
	if (asked === undefined && missingFrom(given).length === 0) return undefined;
	const wanted = asked ?? config.profile;
	if (wanted === undefined) {
		if (names.length < 2) return names[0];
		const all = names.map(keyText).join(', ');
		return { message: `there are several profiles; name one with --profile: ${all}` };
	}
	if (names.includes(wanted)) return wanted;
	const nearest = nearestName(wanted, names);
	const hint = nearest ? `did you mean ${nearest}?` : '`crowsnest login` makes one';
	const line = asked === undefined ? config.lineOf(['profile']) : undefined;
	return { message: `there is no profile ${keyText(wanted)}; ${hint}`, ...(line && { line }) };
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
		return { message: `the environment alone is not enough: set ${unset} too, or use a profile` };
	}
	const line = config.lineOf(['profiles', chosen]);
	return {
		message: `profiles.${keyText(chosen)} has no ${missing.join(', no ')}: add it, or set ${unset}`,
		...(line && { line }),
	};
}

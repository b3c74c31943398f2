import { type AccountSetting, accountSettings } from './account-setting-table.ts';
import type { ProfileValues } from './config-table.ts';
import type { AccountValues } from './credentials.ts';
import type { EnvironmentAccount } from './environment.ts';
import { type SettingProblem, tomlKeyText } from './setting-reader.ts';

/**
 * Returns the values of the profile alone. With several profiles, the environment is ignored: it describes a single
 * account, and its password must not be sent to the identity provider of another.
 */
export const profileIgnoringEnvironment = (profile: ProfileValues): ProfileValues => profile;

/**
 * Merges a profile and the environment; the environment wins. If the environment names another identity
 * provider, the profile's password settings are dropped, because that provider must not receive the profile's
 * password.
 */
export function profileOverriddenByEnvironment(
	profile: ProfileValues,
	environment: EnvironmentAccount,
): AccountValues & ProfileValues {
	const { anonKey: _, passwordCommand: __, ...profileWithoutPassword } = profile;
	const hasOtherProvider =
		environment.authUrl !== undefined && environment.authUrl !== profile.authUrl;
	return { ...(hasOtherProvider ? profileWithoutPassword : profile), ...environment };
}

/**
 * Fills in settings that the profile lacks from the environment. If the environment describes another account,
 * nothing is filled in.
 */
export function profileCompletedByEnvironment(
	profile: ProfileValues,
	environment: EnvironmentAccount,
): AccountValues & ProfileValues {
	const isOtherAccount = (['url', 'authUrl', 'email'] as const).some(name => {
		const [one, other] = [environment[name], profile[name]];
		return one !== undefined && other !== undefined && one !== other;
	});
	return isOtherAccount ? profile : { ...environment, ...profile };
}

/** Returns the names of the settings that the account lacks, each with its variable. */
export function missingSettings(values: AccountValues): readonly (readonly [string, string])[] {
	const settings: Readonly<Record<string, AccountSetting>> = accountSettings;
	const present: Readonly<Record<string, unknown>> = values;
	const way = values.token ? 'token' : 'password';
	return Object.entries(settings).flatMap(([name, { neededWith, variable = '' }]) =>
		neededWith?.includes(way) && present[name] === undefined ? [[name, variable] as const] : [],
	);
}

/** Says which settings an account lacks, and how to add them. */
export function missingSettingsProblem(
	missing: ReturnType<typeof missingSettings>,
	profileName: string | undefined,
): SettingProblem {
	const variableList = missing.map(([, variable]) => variable).join(', ');
	if (profileName === undefined) {
		return {
			message: `the environment is incomplete: set ${variableList} as well, or use a profile`,
		};
	}
	return {
		isInFile: true,
		message: `profiles.${tomlKeyText(profileName)} has no ${missing.map(([name]) => name).join(', no ')}; add what is missing, or set ${variableList} in the environment`,
	};
}

/** Says that a profile has no stored token, and how to store one. */
export function missingTokenProblem(name: string): SettingProblem {
	const message = `profiles.${tomlKeyText(name)} has no stored token for its url; run \`crowsnest login --token --profile ${name}\``;
	return { message, isInFile: true };
}

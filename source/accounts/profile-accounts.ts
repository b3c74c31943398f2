import {
	type AccountSettings,
	accountNamed,
	type ConfigurationSources,
	preferencesOf,
	profileChoices,
	profileNamed,
} from './account-settings.ts';
import { configFrom } from './config-text.ts';
import { accountFromEnvironment } from './environment.ts';
import { profileIgnoringEnvironment } from './merge-environment.ts';
import { type SettingProblem, tomlKeyText } from './setting-reader.ts';

/** Returns all profiles of the configuration, in their order; none if the configuration cannot be read. */
export function profilesFrom({
	flags,
	environment,
	configText = '',
	paths,
	storedToken,
}: ConfigurationSources) {
	const { config } = configFrom(configText);
	const { account: environmentAccount } = accountFromEnvironment(environment);
	return profileChoices({ config, environmentAccount, flags, paths, storedToken });
}

/** Returns the preferences of an account without a profile. */
export function preferencesWithoutProfile({ flags, configText = '' }: ConfigurationSources) {
	return preferencesOf(configFrom(configText).config, undefined, flags);
}

/**
 * Returns the account of a profile that is added to a table. The environment is ignored, because its password may
 * belong to another account.
 */
export function accountOfProfile(
	name: string,
	{ flags, configText = '', paths, storedToken }: Omit<ConfigurationSources, 'environment'>,
): AccountSettings | SettingProblem {
	const {
		config,
		problems: [problem],
	} = configFrom(configText);
	if (problem) return problem;
	if (!config.profiles?.has(name)) return { message: `there is no profile ${tomlKeyText(name)}` };
	const values = profileIgnoringEnvironment(profileNamed(config, name));
	return accountNamed(name, values, {
		config,
		environmentAccount: {},
		flags,
		paths,
		storedToken,
	});
}

import { nearestName } from '../foundation/nearest-name.ts';
import { programSettings } from './config-table.ts';
import type { Config } from './config-text.ts';
import type { Environment } from './environment.ts';
import { type SettingProblem, tomlKeyText } from './setting-reader.ts';
import { splitNames } from './setting-values.ts';

export type AccountFlags = {
	/** The profiles that the command line names. */
	profiles?: readonly string[];
	/** Whether the command line chooses all profiles. */
	isForAllProfiles?: boolean;
	/** The preferences that options of the command line set. */
	preferences?: { readOnly?: true; alone?: true };
};

/** The profiles to open, or the reason why there are none. */
export type ChosenProfiles =
	| {
			kind: 'profiles';
			names: readonly [string, ...string[]];
			isChosenByFlag: boolean;
			/**
			 * Whether the profiles come from the setting `profile` of the configuration, and not from a flag or the
			 * environment.
			 */
			isDefault: boolean;
	  }
	/** No profile is opened: the environment describes the account, or no account is set up. */
	| { kind: 'environment' }
	/** There are several profiles, and a person has to choose. */
	| { kind: 'choice' }
	| { kind: 'wrong'; problems: readonly SettingProblem[] };

export function chosenProfiles(
	flags: AccountFlags,
	environment: Environment,
	isEnvironmentComplete: boolean,
	config: Config,
): ChosenProfiles {
	const existing = [...(config.profiles?.keys() ?? [])];
	const { profiles: flagged = [], isForAllProfiles = false } = flags;
	if (isForAllProfiles) {
		if (flagged.length > 0) return wrong('use either --profile or --all-profiles');
		const [first, ...others] = existing;
		if (first === undefined) return wrong('there are no profiles; `crowsnest login` creates one');
		return { kind: 'profiles', names: [first, ...others], isChosenByFlag: true, isDefault: false };
	}
	const variable = environment[programSettings.profile.variable] ?? '';
	const requested = flagged.length > 0 ? flagged : splitNames([variable]);
	if (requested.length === 0 && isEnvironmentComplete) return { kind: 'environment' };
	const isRequested = requested.length > 0;
	const [first, ...others] = isRequested ? requested : (config.profile ?? existing);
	if (first === undefined) return { kind: 'environment' };
	if (!isRequested && !config.profile && others.length > 0) return { kind: 'choice' };
	const problems = [first, ...others]
		.filter(name => !existing.includes(name))
		.map(name => ({ message: unknownProfileText(name, existing), isInFile: !isRequested }));
	if (problems.length > 0) return { kind: 'wrong', problems };
	return {
		kind: 'profiles',
		names: [first, ...others],
		isChosenByFlag: flagged.length > 0,
		isDefault: !isRequested && config.profile !== undefined,
	};
}

function wrong(message: string): ChosenProfiles {
	return { kind: 'wrong', problems: [{ message }] };
}

function unknownProfileText(name: string, existing: readonly string[]): string {
	const nearest = nearestName(name, existing);
	const hint = nearest ? `did you mean ${nearest}?` : '`crowsnest login` creates one';
	return `there is no profile ${tomlKeyText(name)}; ${hint}`;
}

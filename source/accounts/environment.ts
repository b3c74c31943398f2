import type { Environment } from '../children/child-environment.ts';
import { createSettingPath, type SettingProblem, type SettingReader } from './setting-reader.ts';
import {
	accountSecrets,
	accountSettings,
	type ProfileValues,
	type programSettings,
} from './settings.ts';

export type { Environment };

type Settings = typeof accountSettings;
type Secrets = typeof accountSecrets;

type VariableIn<Row> = Row extends { variable: infer Variable } ? Variable : never;

/** The variables that set the account or choose a profile. */
export type AccountVariable =
	| VariableIn<Settings[keyof Settings] | Secrets[keyof Secrets]>
	| typeof programSettings.profile.variable;

/**
 * The account settings in the environment. Secrets are functions, so that printing these values never prints a
 * secret.
 */
export type EnvironmentAccount = Pick<
	ProfileValues,
	{
		[Name in keyof Settings]: VariableIn<Settings[Name]> extends never ? never : Name;
	}[keyof Settings]
> & { [Name in keyof Secrets]?: () => string };

type SettingRow = { read: SettingReader<unknown>; variable?: string };

export function accountFromEnvironment(environment: Environment): {
	account: EnvironmentAccount;
	problems: readonly SettingProblem[];
} {
	const problems: SettingProblem[] = [];
	const valuesOf = (table: Readonly<Record<string, SettingRow>>) =>
		Object.entries(table).flatMap(([name, { read, variable = '' }]) => {
			// An empty variable counts as unset.
			const text = environment[variable];
			if (!text?.trim()) return [];
			const value = read(text, createSettingPath(problems, [variable], false));
			return value === undefined ? [] : [[name, value] as const];
		});
	const account = Object.fromEntries([
		...valuesOf(accountSettings),
		...valuesOf(accountSecrets).map(([name, secret]) => [name, () => secret] as const),
	]);
	return { account, problems };
}

import { isAbsolute, join } from 'node:path';
import type { Environment } from '../children/child-environment.ts';
import { accountSecrets, accountSettings } from './account-setting-table.ts';
import type { ProfileValues, programSettings } from './config-table.ts';
import { createSettingPath, type SettingProblem, type SettingReader } from './setting-reader.ts';

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
			const value = read(
				text,
				createSettingPath(problems, () => undefined, [variable]),
			);
			return value === undefined ? [] : [[name, value] as const];
		});
	const account = Object.fromEntries([
		...valuesOf(accountSettings),
		...valuesOf(accountSecrets).map(([name, secret]) => [name, () => secret] as const),
	]);
	return { account, problems };
}

export type Paths = {
	configPath: string;
	/** The folder of the journal, the ledger, the tokens and the crash reports. */
	statePath: string;
	/** The folder of the token files, one for each profile. */
	tokensPath: string;
};

/** The variables that set a folder of this program. */
export const folderVariables = {
	config: 'CROWSNEST_CONFIG_DIR',
	state: 'CROWSNEST_STATE_DIR',
} as const;

/** Returns the folders that the environment names, or the default folders below `home`. */
export function pathsFrom(environment: Environment, home: string): Paths {
	const folder = (ownVariable: string, xdgVariable: string, ...fallback: readonly string[]) => {
		const ownFolder = environment[ownVariable];
		if (ownFolder) return ownFolder;
		// The XDG specification demands that a relative path is ignored.
		const xdgFolder = environment[xdgVariable] ?? '';
		return join(isAbsolute(xdgFolder) ? xdgFolder : join(home, ...fallback), 'crowsnest');
	};
	const statePath = folder(folderVariables.state, 'XDG_STATE_HOME', '.local', 'state');
	return {
		configPath: join(folder(folderVariables.config, 'XDG_CONFIG_HOME', '.config'), 'config.toml'),
		statePath,
		tokensPath: join(statePath, 'tokens'),
	};
}

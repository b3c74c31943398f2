import { isAbsolute, join } from 'node:path';
import type { Environment } from '../children/child-environment.ts';

export type Paths = {
	configPath: string;
	/** The folder of the journal, the log of requests, the tokens and the crash reports. */
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

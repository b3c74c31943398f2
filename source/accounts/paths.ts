import { isAbsolute, join } from 'node:path';
import type { Environment } from './environment.ts';

export type Paths = {
	configPath: string;
	/** The folder of the journal, the ledger, the tokens and the crash reports. */
	statePath: string;
	/** The folder of the token files, one for each profile. */
	tokensPath: string;
};

/** Returns the folders that the environment names, or the default folders below `home`. */
export function pathsFrom(environment: Environment, home: string): Paths {
	const folder = (ownVariable: string, xdgVariable: string, ...fallback: readonly string[]) => {
		const ownFolder = environment[ownVariable];
		if (ownFolder) return ownFolder;
		// The XDG specification demands that a relative path is ignored.
		const xdgFolder = environment[xdgVariable] ?? '';
		return join(isAbsolute(xdgFolder) ? xdgFolder : join(home, ...fallback), 'crowsnest');
	};
	const statePath = folder('CROWSNEST_STATE_DIR', 'XDG_STATE_HOME', '.local', 'state');
	return {
		configPath: join(folder('CROWSNEST_CONFIG_DIR', 'XDG_CONFIG_HOME', '.config'), 'config.toml'),
		statePath,
		tokensPath: join(statePath, 'tokens'),
	};
}

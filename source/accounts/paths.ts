import { isAbsolute, join } from 'node:path';
import type { Environment } from './environment.ts';

export type Paths = {
	configPath: string;
	/** The journal, the ledger and reports of crashes are kept in it too. */
	statePath: string;
	/** One file for each profile. */
	tokensPath: string;
};

/** `home` is the person's own folder, for where the environment does not tell. */
export function pathsFrom(environment: Environment, home: string): Paths {
	const folder = (own: string, general: string, ...fallback: readonly string[]) => {
		const given = environment[own];
		if (given) return given;
		// The standard says that one which is not absolute is to be ignored.
		const shared = environment[general] ?? '';
		return join(isAbsolute(shared) ? shared : join(home, ...fallback), 'crowsnest');
	};
	const statePath = folder('CROWSNEST_STATE_DIR', 'XDG_STATE_HOME', '.local', 'state');
	return {
		configPath: join(folder('CROWSNEST_CONFIG_DIR', 'XDG_CONFIG_HOME', '.config'), 'config.toml'),
		statePath,
		tokensPath: join(statePath, 'tokens'),
	};
}

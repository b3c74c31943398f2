import { isAbsolute, join } from 'node:path';
import type { Environment } from '../foundation/children.ts';

export type Paths = {
	configPath: string;
	statePath: string;
	tokensPath: string;
};

export const folderVariables = {
	config: 'CROWSNEST_CONFIG_DIR',
	state: 'CROWSNEST_STATE_DIR',
} as const;

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

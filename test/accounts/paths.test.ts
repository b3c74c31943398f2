import { expect, test } from 'vitest';
import { pathsFrom } from '../../source/accounts/paths.ts';

test('the configuration and the state are in the folders of the XDG specification', () => {
	expect(pathsFrom({}, '/home/a')).toEqual({
		configPath: '/home/a/.config/crowsnest/config.toml',
		statePath: '/home/a/.local/state/crowsnest',
		tokensPath: '/home/a/.local/state/crowsnest/tokens',
	});
	const shared = { XDG_CONFIG_HOME: '/x/config', XDG_STATE_HOME: '/x/state' };
	expect(pathsFrom(shared, '/home/a')).toMatchObject({
		configPath: '/x/config/crowsnest/config.toml',
		statePath: '/x/state/crowsnest',
	});
});

test('CROWSNEST variables override the XDG folders, and relative XDG folders are ignored', () => {
	const own = { CROWSNEST_CONFIG_DIR: '/own/config', CROWSNEST_STATE_DIR: '/own/state' };
	expect(pathsFrom({ ...own, XDG_CONFIG_HOME: '/x', XDG_STATE_HOME: '/x' }, '/home/a')).toEqual({
		configPath: '/own/config/config.toml',
		statePath: '/own/state',
		tokensPath: '/own/state/tokens',
	});
	expect(pathsFrom({ XDG_CONFIG_HOME: 'config', XDG_STATE_HOME: '' }, '/home/a')).toMatchObject({
		configPath: '/home/a/.config/crowsnest/config.toml',
		statePath: '/home/a/.local/state/crowsnest',
	});
});

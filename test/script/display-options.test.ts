import { expect, test } from 'vitest';
import { settingsFrom } from '../../source/accounts/account-settings.ts';
import {
	displayOptionsFrom,
	terminalPreferencesFrom,
} from '../../source/script/display-options.ts';
import type { Host } from '../../source/session/host.ts';
import { createHeldClock } from '../held-clock.ts';

const given = (text: Record<string, string>, ...flags: readonly string[]) => ({
	text: (name: string) => text[name],
	list: () => [],
	flag: (name: string) => flags.includes(name),
	wholeNumber: () => undefined,
	seconds: () => undefined,
	duration: () => undefined,
	hasOption: () => true,
	positionals: [],
});

test('display options set only what the command line names', () => {
	expect(terminalPreferencesFrom(given({}))).toEqual({});
	expect(terminalPreferencesFrom(given({ theme: 'light' }, 'ascii', 'no-color'))).toEqual({
		background: 'light',
		hasUnicode: false,
		hasColours: false,
	});
});

function optionsFrom(configText: string) {
	const paths = { configPath: '/c/config.toml', statePath: '/s', tokensPath: '/s/tokens' };
	const settings = settingsFrom({ flags: {}, environment: {}, configText, paths });
	if (settings.kind !== 'none') throw new Error(settings.kind);
	return displayOptionsFrom(host, settings.preferences);
}

const host: Host = {
	program: process,
	clock: createHeldClock(),
	msSinceBoot: () => 0,
	processId: 'this',
	home: '/home/somebody',
	random: () => 0,
	fetch,
	spawn() {
		throw new Error('nothing here starts another program');
	},
	version: '1',
};

test('the configuration sets the display, and an unknown column is refused with its line number', () => {
	expect(optionsFrom('')).toEqual({ terminalPreferences: {}, isSpoken: false, hasMouse: false });
	expect(optionsFrom('theme = "dark"\nglyphs = "unicode"\ncolumns = ["name", "id"]')).toEqual({
		terminalPreferences: { background: 'dark', hasUnicode: true },
		columns: ['name', 'id'],
		isSpoken: false,
		hasMouse: false,
	});
	expect(optionsFrom('screenReader = true\nmouse = true')).toMatchObject({
		isSpoken: true,
		hasMouse: true,
	});
	expect(() => optionsFrom('\ncolumns = ["name", "memroy"]')).toThrow(
		/config.toml: columns: No column memroy. Did you mean memory\?/,
	);
});

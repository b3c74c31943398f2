import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
	configuredSettingWords,
	createSettingKeeper,
	liveSettingRows,
	validSettingChoices,
} from '../../source/accounts/live-settings.ts';
import { preferencesFrom } from '../../source/accounts/settings.ts';

function folder() {
	const path = mkdtempSync(join(tmpdir(), 'crowsnest-settings-'));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

const half = { word: 'half', over: 'full', chosenAt: 5 };
const light = { word: 'light', over: 'of the terminal', chosenAt: 6 };
const defaults = configuredSettingWords([preferencesFrom([])]);

test('the settings that can be changed at once have words for all their values', () => {
	expect(liveSettingRows.map(({ name }) => name)).toEqual([
		...['theme', 'mouse', 'share'],
		...['notify.operationEnded', 'notify.computerFailed', 'notify.creditsLow'],
	]);
	expect(Object.fromEntries(defaults)).toEqual({
		theme: 'of the terminal',
		mouse: 'off',
		share: 'full',
		'notify.operationEnded': 'bell',
		'notify.computerFailed': 'notify',
		'notify.creditsLow': 'notify',
	});
});

test('if several accounts have different values for a setting, its word lists all values', () => {
	const words = configuredSettingWords([preferencesFrom([]), preferencesFrom([{ share: 'half' }])]);
	expect(words.get('share')).toBe('full, half');
	expect(words.get('mouse')).toBe('off');
});

test('each pane writes its choice and keeps the choices of the other panes', () => {
	const path = folder();
	const first = createSettingKeeper(path, 'mine');
	const second = createSettingKeeper(path, 'mine');
	first.save('share', half);
	second.save('theme', light);
	expect(first.restore()).toEqual({ share: half, theme: light });
	second.save('share', undefined);
	expect(first.restore()).toEqual({ theme: light });
	expect(createSettingKeeper(path, 'another').restore()).toEqual({});
});

test('a choice counts until the configuration says something else', () => {
	const kept = { share: half, theme: light };
	expect([...validSettingChoices(kept, defaults).keys()]).toEqual(['theme', 'share']);
	const changed = configuredSettingWords([preferencesFrom([{ share: 'quarter' }])]);
	expect([...validSettingChoices(kept, changed).keys()]).toEqual(['theme']);
});

test('a choice of another version is ignored if its setting or its value is not known', () => {
	const kept = {
		share: { ...half, word: 'eighth' },
		toString: half,
		mood: { word: 'good', over: 'bad', chosenAt: 1 },
	};
	expect(validSettingChoices(kept, defaults).size).toBe(0);
});

test.each([
	'',
	'null',
	'[]',
	'{',
	'{"settings":7}',
	'{"version":1,"settings":{"share":7,"theme":{"word":7,"over":"full","chosenAt":1}}}',
	'{"version":2,"settings":{"share":{"word":"half","over":"full","chosenAt":1}}}',
])('no setting is restored from a file that contains %j', text => {
	const path = folder();
	const keeper = createSettingKeeper(path, 'mine');
	keeper.save('share', half);
	writeFileSync(join(path, readdirSync(path)[0] ?? ''), text);
	expect(keeper.restore()).toEqual({});
});

test('no choice is saved in a folder that others can use', () => {
	const path = folder();
	chmodSync(path, 0o755);
	createSettingKeeper(path, 'mine').save('share', half);
	expect(readdirSync(path)).toEqual([]);
});

import { expect, test } from 'vitest';
import { preferencesFrom } from '../../source/accounts/settings.ts';
import { configuredSettingWords, validSettingChoices } from '../../source/monitor/live-settings.ts';
import { profilesFrom } from '../../source/monitor/profile-chooser.ts';

const half = { word: 'half', over: 'full', chosenAt: 5 };
const light = { word: 'light', over: 'of the terminal', chosenAt: 6 };
const defaults = configuredSettingWords([preferencesFrom([])]);

test('each setting that can be changed at once has a word for its value', () => {
	expect([...defaults]).toEqual([
		['theme', 'of the terminal'],
		['mouse', 'off'],
		['share', 'full'],
		['notify.operationEnded', 'bell'],
		['notify.computerFailed', 'notify'],
		['notify.creditsLow', 'notify'],
	]);
});

test('if several accounts have different values for a setting, its word lists all values', () => {
	const words = configuredSettingWords([preferencesFrom([]), preferencesFrom([{ share: 'half' }])]);
	expect(words.get('share')).toBe('full, half');
	expect(words.get('mouse')).toBe('off');
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

const profiles = [{ name: 'work' }, { name: 'lab' }, { name: '1' }];

test.each([
	['', ['work', 'lab', '1']],
	['2', ['lab']],
	['lab, work', ['lab', 'work']],
	['2,2 lab', ['lab']],
	['1', ['1']],
	['4', 'There is no profile 4.'],
	['lap', 'There is no profile lap.'],
])('the answer "%s" to the question about profiles means %j', (answer, expected) => {
	expect(profilesFrom(answer, profiles)).toEqual(expected);
});

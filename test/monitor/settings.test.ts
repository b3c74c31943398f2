import { expect, test } from 'vitest';
import { preferencesFrom } from '../../source/accounts/settings.ts';
import { configuredSettingWords, validSettingChoices } from '../../source/monitor/live-settings.ts';
import { profilesFrom } from '../../source/monitor/profile-chooser.ts';

const wordsOf = (...all: readonly Parameters<typeof preferencesFrom>[0][]) =>
	configuredSettingWords(all.map(preferencesFrom));

test('the word of a setting lists the values of several accounts', () => {
	const words = wordsOf([], [{ share: 'half' }]);
	expect(['share', 'mouse'].map(name => words.get(name))).toEqual(['full, half', 'off']);
});

test('a kept choice counts until the configuration says something else, and only if its words are known', () => {
	const kept = {
		share: { word: 'half', over: 'full', chosenAt: 5 },
		theme: { word: 'light', over: 'of the terminal', chosenAt: 6 },
		mouse: { word: 'sometimes', over: 'off', chosenAt: 6 },
		mood: { word: 'good', over: 'bad', chosenAt: 1 },
	};
	expect([...validSettingChoices(kept, wordsOf([])).keys()]).toEqual(['theme', 'share']);
	const changed = wordsOf([{ share: 'quarter' }]);
	expect([...validSettingChoices(kept, changed).keys()]).toEqual(['theme']);
});

test.each([
	['', ['work', 'lab', '1']],
	['2', ['lab']],
	['lab, work', ['lab', 'work']],
	['2,2 lab', ['lab']],
	['1', ['1']],
	['4', 'There is no profile 4.'],
	['lap', 'There is no profile lap.'],
])('the answer "%s" to the question about profiles means %j', (answer, expected) => {
	const profiles = [{ name: 'work' }, { name: 'lab' }, { name: '1' }];
	expect(profilesFrom(answer, profiles)).toEqual(expected);
});

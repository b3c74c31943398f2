import { expect, test } from 'vitest';
import { profilesFrom } from '../../source/monitor/profile-chooser.ts';

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

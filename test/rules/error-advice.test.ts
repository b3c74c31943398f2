import { expect, test } from 'vitest';
import { adviceForError } from '../../source/views/phrases/error-advice.ts';

const capacity = { error: 'create failed: no capacity in eu-north' };
const quota = { error: 'image pull failed: disk quota exceeded' };

test.each([
	['of a computer that has run', { ...capacity, storage: 20, startedAt: 1 }, /files are kept/],
	['of one that never ran', { ...capacity, storage: 20 }, /create another one instead/],
	['of a storage with room', { ...quota, storage: 18 }, /own storage is 18 % used/],
	['of a full storage', { ...quota, storage: 97 }, /storage of the plan is used up/],
	['that nobody knows', { error: 'E1234' }, /contact support/],
	['that the platform does not tell', { error: null }, /contact support/],
	['that nobody has read', {}, /^$/],
])('the advice for an error %s fits', (_, report, advice) => {
	expect(adviceForError(report)).toMatch(advice);
});

import { expect, test } from 'vitest';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import { computerNameIn } from '../../source/speech/scene.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';
import { profileOf } from '../opened-account.ts';

test('speech names the account of a computer where there are several', () => {
	const state = accountAfter(listRead(1, [{ id: 'sb_1', name: 'atlas', status: 'active' }]));
	const [work, lab] = ['work', 'lab'].map(name => ({ profile: profileOf(name), state }));
	if (!work || !lab) throw new Error('no accounts');
	const id = globalIdOf('lab', 'sb_1');
	expect(computerNameIn([work, lab], id)).toBe('lab/atlas');
	expect(computerNameIn([lab], id)).toBe('atlas');
	expect(computerNameIn([work, lab], globalIdOf('lab', 'sb_9'))).toBe('lab/sb_9');
});

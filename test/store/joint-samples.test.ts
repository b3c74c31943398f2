import { expect, test } from 'vitest';
import { jointSamples } from '../../source/store/joint-account.ts';

const samples = (...pairs: readonly (readonly [at: number, balance: number])[]) =>
	pairs.map(([at, balance]) => ({ at, balance }));

test('the balances of several accounts are added up from the time at which all of them are known', () => {
	const work = samples([1, 10], [3, 9], [6, 8]);
	const lab = samples([2, 5], [3, 4], [7, 3]);
	expect(jointSamples([work, lab])).toEqual(samples([2, 15], [3, 13], [6, 12], [7, 11]));
});

test('an account without balances does not keep the others from being added up', () => {
	const work = samples([1, 10], [3, 9]);
	expect(jointSamples([work, []])).toEqual(work);
	expect(jointSamples([[], []])).toEqual([]);
});

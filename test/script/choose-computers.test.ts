import { expect, test } from 'vitest';
import { computersNamed, filterFromOption } from '../../source/script/choose-computers.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';

test('a word that is the id of one computer and the name of another is refused, except where one of the two is archived', () => {
	const account = accountAfter(
		listRead(1, [
			{ id: 'sb_1', name: 'atlas', status: 'active' },
			{ id: 'sb_2', name: 'sb_1', status: 'active' },
			{ id: 'sb_3', name: 'sb_3', status: 'active' },
			{ id: 'sb_4', name: 'sb_5', status: 'archived' },
			{ id: 'sb_5', name: 'cygnus', status: 'active' },
		]),
	);
	const idsOf = (...words: string[]) => computersNamed(account, words).map(({ id }) => id);
	const refusal = 'sb_1 is the id or the name of 2 computers. Use the id of one: sb_2';
	expect(() => idsOf('sb_3', 'sb_1')).toThrow(refusal);
	expect(idsOf('atlas', 'sb_2', 'sb_3', 'sb_5')).toEqual(['sb_1', 'sb_2', 'sb_3', 'sb_5']);
});

test('a filter accepts a status that only one of several accounts knows', () => {
	const accountWith = (status: string) => accountAfter(listRead(1, [{ id: 'sb_1', status }]));
	const [knowing, other] = [accountWith('odd'), accountWith('active')];
	const { refuseUnknownStatus } = filterFromOption('status:odd');
	expect(() => refuseUnknownStatus([other, knowing])).not.toThrow();
	expect(() => refuseUnknownStatus([other])).toThrow('odd');
});

import { expect, test } from 'vitest';
import { filterName } from '../../../source/wording/phrases/filter-name.ts';

test('a filter that lists computers by their ids is shown as the number of computers', () => {
	expect(filterName('id:=sb_1 OR id:=sb_2 OR id:=sb_3')).toBe('3 computers by id');
	expect(filterName('id:=sb_1 account:lab OR id:=sb_1 account:"my work"')).toBe(
		'2 computers by id',
	);
});

test.each(['', 'id:=sb_1', 'web OR lab', 'id:=sb_1 OR web', 'id:=sb_1 web OR id:=sb_2'])(
	'the filter “%s” is shown as it is',
	filter => {
		expect(filterName(filter)).toBe(filter);
	},
);

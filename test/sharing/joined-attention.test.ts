import { expect, test } from 'vitest';
import { joinedAttention } from '../../source/sharing/joined-attention.ts';

test('the rows that any pane shows and the details in the pane that was used last decide what is read', () => {
	const left = {
		visibleIds: new Set(['a', 'b']),
		attendedUntil: 10,
		detailId: 'a',
		restingSince: 1,
	};
	const right = {
		visibleIds: new Set(['b', 'c']),
		attendedUntil: 30,
		detailId: 'c',
		restingSince: 2,
	};
	const unused = { visibleIds: new Set<string>(), attendedUntil: 40 };
	const joined = {
		visibleIds: new Set(['a', 'b', 'c']),
		attendedUntil: 40,
		detailId: 'c',
		restingSince: 2,
	};
	expect(joinedAttention([left, right, unused])).toEqual(joined);
	expect(joinedAttention([unused, right, left])).toEqual(joined);
	expect(joinedAttention([unused])).toEqual(unused);
});

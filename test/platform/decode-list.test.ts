import { expect, test } from 'vitest';
import { computerListFrom, computersPageFrom } from '../../source/platform/decode-computer.ts';

const now = Date.UTC(2026, 10, 21, 8);
const read = (body: unknown) => computerListFrom(computersPageFrom(body).items, now);

const one = { sandbox_id: 'sb_one', status: 'active' };
const known = { id: 'sb_one', status: 'active' };

test('a list that can be read in full says so by saying nothing', () => {
	expect(read([one])).toEqual({ computers: [known] });
	expect(read({ data: [] })).toEqual({ computers: [] });
});

test.each([
	['one that is being made and has no id', { status: 'provisioning' }],
	['an id that cleaning would change', { sandbox_id: 'sb_\u200Bone', status: 'active' }],
	['no record at all', 7],
])('%s hides no other, and is counted', (_, record) => {
	expect(read([record, one, record])).toEqual({ computers: [known], unreadable: 2 });
});

test('a list of which nothing can be read is unreadable, and never an empty fleet', () => {
	expect(() => read([{ status: 'active' }, 7])).toThrow('[0].sandbox_id: expected an id');
});

test('what stands on two pages is one computer, as it was told last', () => {
	const later = { ...one, status: 'stopped' };
	expect(read([one, later])).toEqual({ computers: [{ ...known, status: 'stopped' }] });
});

import { expect, test } from 'vitest';
import { computersPageFrom } from '../../../source/platform/decoding/decode-computer.ts';
import { computerListFrom } from './computer-list.ts';

const now = Date.UTC(2026, 10, 21, 8);
const read = (body: unknown) => computerListFrom(computersPageFrom(body).items, now);

const one = { sandbox_id: 'sb_one', status: 'active' };
const known = { id: 'sb_one', status: 'active' };

test('the client counts no unreadable records in a list whose records can all be read', () => {
	expect(read([one])).toEqual({ computers: [known] });
	expect(read({ data: [] })).toEqual({ computers: [] });
});

test.each([
	['a record without an id', { status: 'provisioning' }],
	['a record whose id cleaning would change', { sandbox_id: 'sb_\u200Bone', status: 'active' }],
	['a number in place of a record', 7],
])('the client counts %s as unreadable, and reads the other records of the list', (_, record) => {
	expect(read([record, one, record])).toEqual({ computers: [known], unreadable: 2 });
});

test('the client fails for a list in which no record can be read, instead of reporting an empty fleet', () => {
	expect(() => read([{ status: 'active' }, 7])).toThrow('[0].sandbox_id: expected an id');
});

test('the client keeps the last record of a computer that appears on two pages', () => {
	const later = { ...one, status: 'stopped' };
	expect(read([one, later])).toEqual({ computers: [{ ...known, status: 'stopped' }] });
});

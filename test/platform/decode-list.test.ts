import { expect, test } from 'vitest';
import { computersPageFrom } from '../../source/platform/decode-computer.ts';
import { computerListFrom } from '../../source/platform/decode-computer-list.ts';

const now = Date.UTC(2026, 10, 21, 8);
const read = (body: unknown) => computerListFrom(computersPageFrom(body).items, now);

const one = { sandbox_id: 'sb_one', status: 'active' };
const known = { id: 'sb_one', status: 'active' };

test('reports no unreadable records for a list without any', () => {
	expect(read([one])).toEqual({ computers: [known] });
	expect(read({ data: [] })).toEqual({ computers: [] });
});

test.each([
	['one that is being made and has no id', { status: 'provisioning' }],
	['an id that cleaning would change', { sandbox_id: 'sb_\u200Bone', status: 'active' }],
	['no record at all', 7],
])('counts %s, and reads the others', (_, record) => {
	expect(read([record, one, record])).toEqual({ computers: [known], unreadable: 2 });
});

test('fails if no record can be read, instead of reporting an empty fleet', () => {
	expect(() => read([{ status: 'active' }, 7])).toThrow('[0].sandbox_id: expected an id');
});

test('takes a computer on two pages for one, as the last page has it', () => {
	const later = { ...one, status: 'stopped' };
	expect(read([one, later])).toEqual({ computers: [{ ...known, status: 'stopped' }] });
});

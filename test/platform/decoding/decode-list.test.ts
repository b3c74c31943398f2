import { expect, test } from 'vitest';
import {
	computersFrom,
	computersPageFrom,
} from '../../../source/platform/decoding/decode-computer.ts';
import { computerListFrom } from './computer-list.ts';

const now = Date.UTC(2026, 10, 21, 8);
const read = (body: unknown) => computerListFrom(body, now);

const one = { sandbox_id: 'sb_one', status: 'active' };
const known = { id: 'sb_one', status: 'active' };

test('the client counts no unreadable records in a list whose records can all be read', async () => {
	expect(await read([one])).toEqual({ computers: [known] });
	expect(await read({ data: [] })).toEqual({ computers: [] });
});

test.each([
	['a record without an id', { status: 'provisioning' }],
	['a record whose id cleaning would change', { sandbox_id: 'sb_\u200Bone', status: 'active' }],
	['a number in place of a record', 7],
])(
	'the client counts %s as unreadable, and reads the other records of the list',
	async (_, record) => {
		expect(await read([record, one, record])).toEqual({ computers: [known], unreadable: 2 });
	},
);

test('the client fails for a list in which no record can be read, instead of reporting an empty fleet', async () => {
	await expect(read([{ status: 'active' }, 7])).rejects.toThrow('[0].sandbox_id: expected an id');
});

test('the client keeps the last record of a computer that appears on two pages', async () => {
	const later = { ...one, status: 'stopped' };
	const pages = [[one], [later]].map(page => computersPageFrom(page).items);
	expect(await computersFrom(pages, { now: () => now })).toEqual({
		computers: [{ ...known, status: 'stopped' }],
	});
});

test('the client reads each record by its own keys, when keys change from one record to the next', async () => {
	const records = [
		one,
		{ id: 'sb_two', state: 'stopped' },
		{ 'id,state': 'sb_three', sandbox_id: 'sb_four' },
		{ id: 'sb_five', state: 'stopped', sandbox_id: null },
	];
	expect(await read(records)).toEqual({
		computers: [
			known,
			{ id: 'sb_two', status: 'stopped' },
			{ id: 'sb_four' },
			{ id: 'sb_five', status: 'stopped' },
		],
	});
	const ambiguous = [{ id: 'sb_one', status: 'active' }, { 'id,status': 'sb_one' }];
	expect(await read(ambiguous)).toEqual({ computers: [known], unreadable: 1 });
	expect(await read(ambiguous.toReversed())).toEqual({ computers: [known], unreadable: 1 });
});

test('the client cleans a label in every record that has it', async () => {
	const status = 'act\u001b[31mive';
	const records = ['sb_one', 'sb_two'].map(id => ({ id, status, provider: ' a ', version: '' }));
	const cleaned = { status: 'active', provider: 'a' };
	expect((await read(records)).computers.map(({ id: _, ...labels }) => labels)).toEqual([
		cleaned,
		cleaned,
	]);
});

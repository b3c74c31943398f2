import { expect, test } from 'vitest';
import { createActivity } from '../../../source/foundation/activity.ts';
import { readBody } from '../../../source/platform/decoding/body.ts';
import { computersPageFrom } from '../../../source/platform/decoding/decode-computer.ts';
import { createListDecoder } from '../../../source/platform/decoding/decode-list.ts';
import { serveResponses } from '../loopback.ts';
import { failureOf, platformAt, readOptions } from '../platform-at.ts';
import { computerListFrom } from './computer-list.ts';

// A key waits for the slice that is being read, so the work in each slice is bounded.

const record = (index: number) => ({
	sandbox_id: `sb_${index}`,
	name: `computer ${index}`,
	status: 'active',
	notes: 'x'.repeat(300),
});
const records = Array.from({ length: 2_000 }, (_, index) => record(index));
const list = JSON.stringify({ success: true, data: { sandboxes: records } });

const bodyOf = (text: string) => new Response(text).body;

test('the client parses a long list in slices, and lets the event loop turn after each', async () => {
	const slices: number[] = [];
	let parsed = 0;
	const {
		json,
		text,
		byteCount: bytes,
	} = await readBody(bodyOf(list), {
		// Every text that is parsed is searched for secrets first.
		redact(part) {
			parsed += part.length;
			return part;
		},
		nextTurn: async () => {
			slices.push(parsed);
			parsed = 0;
		},
	});
	expect(json).toEqual(JSON.parse(list));
	expect(bytes).toBe(list.length);
	expect(slices.length).toBeGreaterThan(list.length / 32_768 - 1);
	expect(Math.max(...slices)).toBeLessThan(3 * 32_768);
	expect(text).toMatch(/^\{"success":true,"data":\{"sandboxes":\[.{1,200}\]\}\}$/);
});

test.each(['{}', '0', '{"a":1}', '{"name":"a"}'])(
	'a list of tiny records such as %s is read in turns of fewer than 2,100 records',
	async tiny => {
		const turns = [0];
		const { json } = await readBody(bodyOf(`[${Array(20_000).fill(tiny).join()}]`), {
			convertElement(element) {
				turns.push((turns.pop() ?? 0) + 1);
				return element;
			},
			nextTurn: async () => {
				turns.push(0);
			},
		});
		expect(json).toHaveLength(20_000);
		expect(Math.max(...turns)).toBeLessThan(2_100);
	},
);

test.each([
	`[{"id":"a"},{"id":"b","name":"${'x'.repeat(1_100_000)}"}]`,
	`{"data":[],"notes":"${'x'.repeat(1_100_000)}"}`,
])(
	'a record of more than a megabyte is refused, because parsing it would take too long: %.20s',
	async text => {
		let parsed = 0;
		const redact = (part: string) => {
			parsed += part.length;
			return part;
		};
		const reading = readBody(bodyOf(text), { redact });
		await expect(reading).rejects.toThrow('at most 1 MB in a record');
		expect(parsed).toBeLessThan(100_000);
	},
);

test('the client reads a short response in one turn', async () => {
	const body = bodyOf(JSON.stringify(records.slice(0, 25)));
	const nextTurn = () => Promise.reject(new Error('another turn'));
	expect((await readBody(body, { nextTurn })).json).toEqual(records.slice(0, 25));
});

test('the client converts the elements of each slice before it parses the next slice', async () => {
	const converted: number[] = [];
	const { json } = await readBody(bodyOf(list), {
		redact(part) {
			converted.push(0);
			return part;
		},
		convertElement(element) {
			converted.push((converted.pop() ?? 0) + 1);
			return (element as { sandbox_id: string }).sandbox_id;
		},
	});
	expect(json).toEqual({
		success: true,
		data: { sandboxes: records.map(({ sandbox_id }) => sandbox_id) },
	});
	// The last part of the text contains no element.
	expect(converted.at(-1)).toBe(0);
	expect(Math.max(...converted)).toBeLessThan(200);
});

test('a record is decoded once, whether its list is short, long or has several pages', async () => {
	const { platform } = platformAt(
		await serveResponses(({ url }, response) => {
			const isLast = url?.includes('cursor') === true;
			const page = { sandboxes: isLast ? records.slice(1_990) : records };
			response.end(JSON.stringify(isLast ? page : { ...page, next_cursor: 'last' }));
		}),
	);
	const { computers } = await platform.listComputers(readOptions());
	expect(computers).toEqual(
		records.map(({ sandbox_id: id, name }) => ({ id, name, status: 'active' })),
	);
});

test('the error about an unreadable list names the path of its first record', async () => {
	const unreadable = Array.from({ length: 2_000 }, () => ({ notes: 'x'.repeat(300) }));
	for (const count of [3, 2_000]) {
		const origin = await serveResponses((_, response) =>
			response.end(JSON.stringify({ data: { sandboxes: unreadable.slice(0, count) } })),
		);
		const { message } = await failureOf(platformAt(origin).platform.listComputers(readOptions()));
		expect(message).toContain('data.sandboxes[0].sandbox_id: expected an id');
	}
});

test('the client returns the list of a fleet as one result, and is busy until then', async () => {
	const origin = await serveResponses((_, response) => response.end(list));
	const activity = createActivity();
	const busy: boolean[] = [];
	const nextTurn = async () => {
		busy.push(activity.pendingCount === 1);
	};
	const { platform } = platformAt(origin, { activity, nextTurn });
	const { computers, requestCount: requests } = await platform.listComputers(readOptions());
	const { items } = computersPageFrom(JSON.parse(list));
	expect({ computers, requests }).toEqual({ ...computerListFrom(items, 0), requests: 1 });
	expect(busy.length).toBeGreaterThan(list.length / (2 * 32_768));
	expect(busy).not.toContain(false);
	expect(activity.pendingCount).toBe(0);
});

test('what follows the last byte of a long list is done in several turns, and what follows a short one in the same turn', async () => {
	const turnsFor = async (count: number) => {
		const text = JSON.stringify(Array.from({ length: count }, (_, n) => ({ id: `sb_${n}` })));
		let turns = 0;
		const nextTurn = async () => {
			turns += 1;
		};
		const origin = await serveResponses((_, response) => response.end(text));
		await platformAt(origin, { nextTurn }).platform.listComputers(readOptions());
		const whole = turns;
		turns = 0;
		await readBody(new Response(text).body, { nextTurn, convertElement: () => 0 });
		return { reading: turns, after: whole - turns };
	};
	expect(await turnsFor(500)).toEqual({ reading: 0, after: 0 });
	const long = await turnsFor(4_000);
	expect(long.reading).toBeGreaterThan(2);
	expect(long.after).toBe(2);
});

test('the client stops between two slices of a list when the request is aborted', async () => {
	const last = 3;
	const origin = await serveResponses((_, response) => response.end(list));
	const aborting = new AbortController();
	const activity = createActivity();
	let turns = 0;
	const nextTurn = async () => {
		turns += 1;
		if (turns === last) aborting.abort();
	};
	const { platform } = platformAt(origin, { activity, nextTurn });
	const read = platform.listComputers({ ...readOptions(), signal: aborting.signal });
	expect((await failureOf(read)).kind).toBe('cancelled');
	expect(turns).toBe(last);
	expect(activity.pendingCount).toBe(0);
});

test('a list with too many records is refused with the first one too many, which is not decoded', () => {
	const { decodeElement } = createListDecoder(() => 0);
	let decoded = 0;
	const unreadable = {
		get id() {
			decoded += 1;
			return undefined;
		},
	};
	for (let count = 0; count < 20_000; count += 1) decodeElement(unreadable);
	expect(() => decodeElement(unreadable)).toThrow('the list: expected at most 20000 records');
	expect(decoded).toBe(20_000);
});

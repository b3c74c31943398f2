import { expect, test } from 'vitest';
import { createActivity } from '../../../source/foundation/activity.ts';
import { readBody } from '../../../source/platform/decoding/body.ts';
import { computersPageFrom } from '../../../source/platform/decoding/decode-computer.ts';
import {
	computerListFrom,
	computerListInSlices,
} from '../../../source/platform/endpoints-computers.ts';
import { serve } from '../loopback.ts';
import { asking, failureOf, platformAt } from '../platform-at.ts';

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

test('the client reads a short response in one turn', async () => {
	const body = bodyOf(JSON.stringify(records.slice(0, 50)));
	const nextTurn = () => Promise.reject(new Error('another turn'));
	expect((await readBody(body, { nextTurn })).json).toEqual(records.slice(0, 50));
});

test('the client decodes at most 16 records between two pauses', async () => {
	let decoded = 0;
	const items = records.map((value, index) => ({
		get value() {
			decoded += 1;
			return index % 100 === 0 ? {} : value;
		},
		path: `[${index}]`,
	}));
	const slices: number[] = [];
	const result = await computerListInSlices(items, 0, async () => {
		slices.push(decoded);
		decoded = 0;
	});
	expect(result).toEqual(computerListFrom(items, 0));
	expect(result.unreadable).toBe(20);
	expect(slices).toEqual(Array(124).fill(16));
});

test('the client returns the list of a fleet as one result, and is busy until then', async () => {
	const origin = await serve((_, response) => response.end(list));
	const activity = createActivity();
	const busy: boolean[] = [];
	const nextTurn = async () => {
		busy.push(activity.pendingCount === 1);
	};
	const { platform } = platformAt(origin, { activity, nextTurn });
	const { computers, requestCount: requests } = await platform.listComputers(asking());
	const { items } = computersPageFrom(JSON.parse(list));
	expect({ computers, requests }).toEqual({ ...computerListFrom(items, 0), requests: 1 });
	expect(busy.length).toBeGreaterThan(124);
	expect(busy).not.toContain(false);
	expect(activity.pendingCount).toBe(0);
});

test.each([
	['read', 3],
	['decoded', 40],
])(
	'the client stops between two slices when the request is aborted while its list is being %s',
	async (_, last) => {
		const origin = await serve((_, response) => response.end(list));
		const aborting = new AbortController();
		const activity = createActivity();
		let turns = 0;
		const nextTurn = async () => {
			turns += 1;
			if (turns === last) aborting.abort();
		};
		const { platform } = platformAt(origin, { activity, nextTurn });
		const read = platform.listComputers({ ...asking(), signal: aborting.signal });
		expect((await failureOf(read)).kind).toBe('cancelled');
		expect(turns).toBe(last);
		expect(activity.pendingCount).toBe(0);
	},
);

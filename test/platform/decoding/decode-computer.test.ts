import { expect, test } from 'vitest';
import {
	computersPageFrom,
	createdReadingFrom,
	detailReadingFrom,
	portFrom,
	readingFrom,
	statusReadingFrom,
} from '../../../source/platform/decoding/decode-computer.ts';

const now = Date.UTC(2026, 10, 21, 8);
const read = (body: unknown) => computersPageFrom(body).items.map(item => readingFrom(item, now));

const one = { sandbox_id: 'sb_one', status: 'active' };
const two = { sandbox_id: 'sb_two', status: 'stopped' };
const both = [
	{ id: 'sb_one', status: 'active' },
	{ id: 'sb_two', status: 'stopped' },
];

test.each([
	['an array without an envelope', [one, two], both],
	['the field data', { data: [one, two] }, both],
	['the fields success and data', { success: true, data: [one, two] }, both],
	['the field sandboxes', { sandboxes: [one, two] }, both],
	['the field sandboxes inside data', { success: true, data: { sandboxes: [one, two] } }, both],
	['the field items', { items: [one, two], next_cursor: null }, both],
	['a single record', one, [both[0]]],
	['a single record inside data', { success: true, data: one }, [both[0]]],
	['an empty list', { data: [] }, []],
])('the client reads the list of computers from %s', (_, body, readings) => {
	expect(read(body)).toEqual(readings);
});

test.each([
	['null in the field data', { success: true, data: null }, 'data: expected a list'],
	['an unrelated object', { hello: 'world' }, 'the answer: expected a list'],
	['text', 'hello', 'the answer: expected a list'],
	['numbers', { data: [1, 2] }, 'data[0]: expected an object'],
	[
		'a record without an id',
		{ data: [one, { status: 'active' }] },
		'data[1].sandbox_id: expected an id',
	],
	[
		'a record whose id cleaning would change',
		[{ sandbox_id: 'sb_\u200Bone' }],
		'[0].sandbox_id: expected an id',
	],
])(
	'the client refuses a response with %s to a list request, and reports the path of the wrong value',
	(_, body, message) => {
		expect(() => read(body)).toThrow(expect.objectContaining({ message }));
	},
);

test('the client reads the cursor of the next page of a list', () => {
	expect(computersPageFrom({ items: [], next_cursor: 'abc' }).cursor).toBe('abc');
	expect(computersPageFrom({ data: { items: [], nextCursor: 'abc' } }).cursor).toBe('abc');
	expect(computersPageFrom({ items: [], next_cursor: null }).cursor).toBeUndefined();
});

const whole = {
	id: 'sb_one',
	name: 'atlas',
	status: 'active',
	provider: 'opensandbox',
	version: '1.4.2',
	address: '10.0.0.2',
	cpu: 12,
	memory: 41,
	storage: 18,
	startedAt: now - 3_600_000,
	createdAt: Date.UTC(2026, 10, 14, 7, 31),
	updatedAt: Date.UTC(2026, 10, 20),
	ports: [{ port: 8080, url: 'https://example.com/x', shareToken: 'tok' }, { port: 5173 }],
};

test.each([
	[
		'snake case',
		{
			sandbox_id: 'sb_one',
			name: 'atlas',
			status: 'active',
			provider: 'opensandbox',
			version: '1.4.2',
			internal_ip: '10.0.0.2',
			cpu_percent: 12,
			memory: '41%',
			disk: { used: 18, total: 100 },
			uptime: 3600,
			created_at: '2026-11-14T07:31:00Z',
			updated_at: '2026-11-20T00:00:00Z',
			ports: [{ port: '8080', url: 'https://example.com/x', share_token: 'tok' }, 5173],
			is_included: true,
			cancel_at: null,
		},
	],
	[
		'camel case with numbers as text',
		{
			sandboxId: 'sb_one',
			name: 'atlas',
			status: 'active',
			provider: 'opensandbox',
			version: '1.4.2',
			internalIp: '10.0.0.2',
			cpuPercent: '12',
			ram: '41',
			storage: '18',
			uptime: '3600',
			createdAt: '1794641460000',
			updatedAt: 1795132800,
			publishedPorts: [{ port: 8080, url: 'https://example.com/x', shareToken: 'tok' }, '5173'],
		},
	],
])('the client reads the complete record of a computer in %s', (_, body) => {
	expect(read([body])).toEqual([whole]);
});

test('the client reads values that the record of a computer lacks from its metadata', () => {
	const body = {
		sandbox_id: 'sb_one',
		status: 'provisioning',
		version: null,
		metadata: {
			provisioningStage: 'docker_pulling',
			provisioningMessage: 'Pulling',
			errorMessage: 'disk full',
			publicIp: '192.0.2.1',
			serverType: 'cx22',
			location: 'fsn1',
			version: '1.3.9',
		},
	};
	expect(read([body])).toEqual([
		{
			id: 'sb_one',
			status: 'provisioning',
			stage: 'docker_pulling',
			stageMessage: 'Pulling',
			error: 'disk full',
			address: '192.0.2.1',
			serverType: 'cx22',
			location: 'fsn1',
			version: '1.3.9',
		},
	]);
});

test('the client keeps a null field of a computer as null, and leaves out a missing field', () => {
	expect(read([{ sandbox_id: 'sb_one', cpu: null, stage: null }])).toEqual([
		{ id: 'sb_one', cpu: null, stage: null },
	]);
});

test('a null where only the status promises a version and an error says nothing', () => {
	expect(read([{ sandbox_id: 'sb_one', version: null, error: null }])).toEqual([{ id: 'sb_one' }]);
});

test('the client keeps the status word of a computer even if it is unknown', () => {
	expect(read([{ sandbox_id: 'sb_one', status: 'Hibernating-2' }])[0]?.status).toBe(
		'Hibernating-2',
	);
});

test.each([
	['megabytes', { memory: 2048 }],
	['negative numbers', { memory: -1 }],
	['words', { memory: 'a lot' }],
	['an object with a total of zero', { memory: { used: 3, total: 0 } }],
	['an object without the used amount', { memory: { used: null, total: 8 } }],
])('the client ignores a memory usage in %s, because it is not a percentage', (_, usage) => {
	expect(read([{ ...one, ...usage }])[0]).toEqual({ id: 'sb_one', status: 'active' });
});

test.each([
	['an object with nothing used', { memory: { used: 0, total: 8 } }, 0],
	['an object with all used', { memory: { used: 8, limit: '8' } }, 100],
	['an object that also has a percentage', { memory: { used: 0, total: 8, percent: 3 } }, 3],
])('the client reads the memory usage in percent from %s', (_, usage, memory) => {
	expect(read([{ ...one, ...usage }])[0]?.memory).toBe(memory);
});

test('the client reads the response of the status endpoint with and without an envelope', () => {
	const body = {
		status: 'provisioning',
		stage: 'loading_image',
		stageProgress: 63,
		stageMessage: 'Loading',
		machineInfo: { ip: '10.0.0.9', serverType: 'cx22', location: 'fsn1' },
		stages: [],
		error: null,
		startedAt: '2026-11-21T07:00:00Z',
	};
	const reading = {
		id: 'sb_one',
		status: 'provisioning',
		stage: 'loading_image',
		stageProgress: 63,
		stageMessage: 'Loading',
		address: '10.0.0.9',
		serverType: 'cx22',
		location: 'fsn1',
		startedAt: now - 3_600_000,
	};
	expect(statusReadingFrom(body, 'sb_one', now)).toEqual(reading);
	expect(statusReadingFrom({ success: true, data: body }, 'sb_one', now)).toEqual(reading);
	const empty = { status: 'active', stage: null, stageProgress: null, machineInfo: null };
	expect(statusReadingFrom(empty, 'sb_one', now)).toEqual({
		id: 'sb_one',
		status: 'active',
		stage: null,
		stageProgress: null,
	});
	expect(() => statusReadingFrom({ stage: 'x' }, 'sb_one', now)).toThrow(
		'the answer has no status',
	);
});

test('the client refuses the details of another computer than the requested one', () => {
	expect(detailReadingFrom({ data: one }, 'sb_one', now)).toEqual(both[0]);
	expect(detailReadingFrom({ sandbox: one }, 'sb_one', now)).toEqual(both[0]);
	expect(detailReadingFrom({ status: 'active' }, 'sb_one', now)).toEqual(both[0]);
	expect(() => detailReadingFrom({ data: two }, 'sb_one', now)).toThrow('not another');
	const nasty = { data: { ...one, sandbox_id: { toString: null } } };
	expect(() => detailReadingFrom(nasty, 'sb_one', now)).toThrow('not another');
});

test('the client reads the new computer from the response to a create', () => {
	const made = { sandbox_id: 'sb_new', status: 'provisioning', stage: 'creating' };
	for (const body of [{ data: made }, { success: true, data: made, created: true }, made]) {
		expect(createdReadingFrom(body, now)).toEqual({
			id: 'sb_new',
			status: 'provisioning',
			stage: 'creating',
		});
	}
});

test('the client ignores published ports out of range, and their addresses that are not web addresses', () => {
	expect(portFrom(0)).toBeUndefined();
	expect(portFrom(70_000)).toBeUndefined();
	expect(portFrom({ port: 80, url: 'javascript:alert(1)' })).toEqual({ port: 80 });
	expect(portFrom({ port: 80, url: 'http://127.0.0.1:9/v1/p/x/80' })).toEqual({
		port: 80,
		url: 'http://127.0.0.1:9/v1/p/x/80',
	});
});

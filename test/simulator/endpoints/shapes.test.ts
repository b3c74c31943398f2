import { expect, test } from 'vitest';
import { type Shapes, shapeNames, shapesFromText } from '../../../source/simulator/simulator.ts';
import { openSimulator, seconds, valueAt } from '../open-simulator.ts';

type Opened = Awaited<ReturnType<typeof openSimulator>>;
type Name = keyof Shapes;

const list = '/platform/sandbox';
const listed = ({ get }: Opened) => get(list);
const detailed = ({ get, path }: Opened) => get(path('busy'));
const status = ({ get, path }: Opened) => get(`${path('making')}/status`);
const credits = ({ get }: Opened) => get('/billing/credits');
const models = ({ get }: Opened) => get('/models');

/** For each shape, a request whose answer depends on the shape. */
const askedFor: Readonly<Record<Name, (opened: Opened) => Promise<{ text: string }>>> = {
	list: listed,
	pageSize: ({ get, world, simulator }) => {
		for (let added = 0; added < 100; added++) world.add();
		simulator.setShapes({ list: 'items' });
		return get(list);
	},
	detail: detailed,
	envelope: credits,
	listRecord: listed,
	detailRecord: detailed,
	usage: listed,
	ports: detailed,
	case: listed,
	numbers: models,
	create: ({ post }) => post(list, { provider: 'opensandbox', name: 'same' }),
	acknowledgement: ({ post, path }) => post(`${path('busy')}/stop`),
	status,
	missingStatus: ({ get }) => get(`${list}/sb_nothing/status`),
	words: ({ get, world }) => {
		world.wake('sleeping');
		return get(list);
	},
	stages: status,
	deleted: listed,
	error: ({ post, path }) => post(`${path('busy')}/start`),
	version: ({ get }) => get(`${list}/version/latest`),
	update: ({ post, path }) => post(`${path('old')}/update`),
	publish: ({ post, path }) => post(`${path('busy')}/preview/start`, { port: 4000 }),
	credits,
	subscription: ({ get }) => get('/billing/subscription'),
	checkout: ({ post }) => post('/billing/checkout'),
	models,
	token: ({ signIn }) => signIn(),
	signInError: ({ signIn }) => signIn({}),
	reset: headersOf,
	retryAfter: headersOf,
	window: headersOf,
};

async function headersOf({ world, get, clock }: Opened) {
	world.countOtherClientRequests('other', 10_000);
	clock.move(seconds(20));
	return { text: JSON.stringify([...(await get('/models')).headers].filter(isOfLimits)) };
}

const isOfLimits = ([name]: [string, string]) => /^x-ratelimit|^retry/.test(name);

async function populated(shapes: Partial<Shapes>) {
	const opened = await openSimulator({ computers: 24, shapes });
	const { world, clock } = opened;
	world.add({ name: 'busy', ports: [8080] });
	world.add({ name: 'old', version: '1.3.8' });
	world.add({ name: 'making', state: 'provisioning' });
	world.add({ name: 'sleeping' });
	world.sleep('sleeping');
	world.remove('atlas');
	clock.move(seconds(20));
	return opened;
}

const byName = Object.entries(shapeNames) as [Name, readonly string[]][];

test.each(byName)(
	'each value of the shape option “%s” gives different responses',
	async (name, values) => {
		const served = [];
		for (const value of values) {
			const opened = await populated({ [name]: value });
			const { text } = await askedFor[name](opened);
			served.push(text.replaceAll(opened.simulator.authUrl, ''));
		}
		expect(new Set(served).size).toBe(values.length);
	},
);

test.each(byName)(
	'the shape option “%s” can be changed while the simulator runs',
	async (name, values) => {
		const [first, last] = [await populated({}), await populated({ [name]: values.at(-1) })];
		first.simulator.setShapes({ [name]: values.at(-1) });
		const served = [];
		for (const opened of [first, last]) {
			const { text } = await askedFor[name](opened);
			served.push(text.replaceAll(opened.simulator.authUrl, ''));
		}
		expect(served[0]).toBe(served[1]);
	},
);

test('the pages of a list have every computer once, even when a computer disappears between two pages', async () => {
	const { world, get } = await openSimulator({ shapes: { list: 'items', pageSize: '5' } });
	const names: unknown[] = [];
	let pages = 0;
	let cursor: unknown = '';
	while (cursor !== null) {
		const { body } = await get(`${list}${cursor && `?cursor=${cursor}`}`);
		const items = valueAt(body, 'items');
		if (Array.isArray(items)) names.push(...items.map(item => valueAt(item, 'name')));
		cursor = valueAt(body, 'next_cursor');
		pages++;
		if (names.length === 10) for (const gone of ['atlas', names[9]]) world.remove(`${gone}`);
	}
	expect([names.length, pages]).toEqual([24, 5]);
	expect(new Set(names).size).toBe(24);
	expect(await get(`${list}?cursor=nonsense`)).toMatchObject({ status: 400 });
});

test('with the list shape “single”, the list is the record of the only computer, or a 404 if there is no computer', async () => {
	const { world, get } = await openSimulator({ computers: 1, shapes: { list: 'single' } });
	expect((await get(list)).body).toMatchObject({ data: { name: 'atlas' } });
	world.remove('atlas');
	expect(await get(list)).toMatchObject({ status: 404 });
});

test('a record in the full shape has every field, with the key names and number formats of the shape', async () => {
	const { world, get, path, simulator } = await openSimulator({ computers: 0 });
	world.add({ name: 'mine', ports: [8080] });
	const url = `${simulator.baseUrl}/p/${world.get('mine').id}/8080`;
	expect((await get(path('mine'))).body).toMatchObject({
		data: {
			sandbox_id: world.get('mine').id,
			provider: 'opensandbox',
			status: 'active',
			version: '1.4.2',
			metadata: { publicIp: '198.18.0.1' },
			ip: '198.18.0.1',
			uptime: 0,
			ports: [{ port: 8080, url }],
			created_at: '2026-11-21T08:00:00.000Z',
		},
	});
	simulator.setShapes({ case: 'camel', numbers: 'strings', usage: 'suffixed' });
	expect((await get(path('mine'))).body).toMatchObject({
		data: {
			sandboxId: world.get('mine').id,
			cpuPercent: expect.stringMatching(/^\d/),
			ports: [{ port: '8080', url }],
			startedAt: '2026-11-21T08:00:00.000Z',
		},
	});
	simulator.setShapes({ case: 'snake' });
	const status = (await get(`${path('mine')}/status`)).body;
	expect(status).toMatchObject({
		stage_progress: '100',
		machine_info: { server_type: 'medium-2c4g' },
	});
});

test('the simulator uses unusual status words when a shape option says so', async () => {
	const { get, path, simulator } = await populated({ words: 'everyday' });
	const word = async (name: string) => valueAt((await get(`${path(name)}/status`)).body, 'status');
	expect([await word('busy'), await word('sleeping')]).toEqual(['running', 'sleeping']);
	simulator.setShapes({ words: 'exotic' });
	expect(await word('making')).toBe('pooled');
});

test('shapes are read from the text of the --shapes option', () => {
	expect(shapesFromText('list=wrapped, credits=string,case=camel')).toEqual({
		list: 'wrapped',
		credits: 'string',
		case: 'camel',
	});
	expect(shapesFromText('')).toEqual({});
});

test.each([
	['lsit=bare', 'Use one of: list, pageSize'],
	['list=round', 'one of: data, bare'],
	['list', 'one of: data, bare'],
	['toString=bare', 'Use one of: list, pageSize'],
])('the simulator refuses the --shapes option “%s” and lists the valid names', (text, message) => {
	expect(() => shapesFromText(text)).toThrow(message);
});

import { expect, test } from 'vitest';
import { type Shapes, shapeNames } from '../../source/simulator/simulator.ts';
import { minutes, openSimulator, type SimulatorResponse } from './open-simulator.ts';

const list = '/platform/sandbox';

type Opened = Awaited<ReturnType<typeof openSimulator>>;
type Name = Exclude<keyof Shapes, 'window'>;

/** For each shape, a request whose answer shows it. The windows of the limits have tests of their own. */
const requests: Readonly<Record<Name, (opened: Opened) => Promise<SimulatorResponse>>> = {
	list: ({ get }) => get(list),
	pageSize({ get, simulator }) {
		simulator.setShapes({ list: 'items' });
		return get(list);
	},
	listRecord: ({ get }) => get(list),
	detailRecord: ({ get, path }) => get(path('atlas')),
	detail: ({ get, path }) => get(path('atlas')),
	envelope: ({ get }) => get('/billing/credits'),
	usage: ({ get, path }) => get(path('atlas')),
	ports: ({ get, path }) => get(path('atlas')),
	case: ({ get, path }) => get(path('atlas')),
	numbers: ({ get, path }) => get(path('atlas')),
	create: ({ post }) => post(list, { provider: 'opensandbox', name: 'new' }),
	acknowledgement({ post, path, clock }) {
		clock.move(minutes(1));
		return post(`${path('atlas')}/restart`);
	},
	status: ({ get, path }) => get(`${path('draco')}/status`),
	missingStatus: ({ get }) => get(`${list}/none/status`),
	words: ({ get }) => get(list),
	stages: ({ get, path }) => get(`${path('borealis')}/status`),
	deleted({ get, world }) {
		if (world.deletedComputers.length === 0) world.remove('lyra');
		return get(list);
	},
	error: ({ get }) => get(`${list}/none`),
	version: ({ get }) => get(`${list}/version/latest`),
	update: ({ post, world }) => post(`${list}/${world.add({ version: '1.0.0' }).id}/update`),
	publish: ({ post, path }) => post(`${path('atlas')}/preview/start`, { port: 8080 }),
	credits: ({ get }) => get('/billing/credits'),
	subscription: ({ get }) => get('/billing/subscription'),
	checkout: ({ post }) => post('/billing/checkout', {}),
	models: ({ get }) => get('/models'),
	token: ({ signIn }) => signIn(),
	signInError: ({ signIn }) => signIn({}),
	reset: ({ post }) => post('/billing/setup/initialize'),
	retryAfter: ({ post }) => post('/billing/setup/initialize'),
};

/** Returns what an answer says, without the ids, tokens and times that differ in each answer. */
function contentOf({ status, headers, text }: SimulatorResponse): string {
	const shown = ['content-type', 'x-ratelimit-reset', 'retry-after'].map(name => headers.get(name));
	const same = text
		.replace(/\b(sb|cs)_\w+|[\w-]{22,}(\.[\w-]+)*/g, 'id')
		.replace(/"created_at":"[^"]*"/g, '"created_at":"then"');
	return JSON.stringify([status, shown, same]);
}

test.each(Object.keys(requests) as Name[])(
	'each variant of the shape “%s” gives another answer',
	async name => {
		const opened = await openSimulator({
			computers: 120,
			faults: [{ target: 'initialize', kind: 'throttle' }],
		});
		const answers: string[] = [];
		for (const variant of [shapeNames[name][0], ...shapeNames[name]]) {
			opened.simulator.setShapes({ [name]: variant });
			answers.push(contentOf(await requests[name](opened)));
		}
		const [again, ...each] = answers;
		expect(each[0], 'the same variant gives the same answer').toBe(again);
		expect(new Set(each).size).toBe(shapeNames[name].length);
	},
);

import { expect, test } from 'vitest';
import type { LifecycleState } from '../../../source/simulator/world/computer.ts';
import { hours, minutes, openSimulator, seconds, valueAt } from '../open-simulator.ts';

type Move = {
	operation: string;
	from: LifecycleState;
	during: LifecycleState;
	to: LifecycleState;
	most: number;
	least: number;
};

const moves: readonly Move[] = [
	{ operation: 'stop', from: 'active', during: 'stopping', to: 'stopped', least: 2, most: 6 },
	{ operation: 'start', from: 'stopped', during: 'starting', to: 'active', least: 5, most: 15 },
	{ operation: 'restart', from: 'active', during: 'restarting', to: 'active', least: 6, most: 14 },
	{ operation: 'restart', from: 'error', during: 'restarting', to: 'active', least: 6, most: 14 },
	{ operation: 'update', from: 'active', during: 'updating', to: 'active', least: 12, most: 30 },
];

test.each(moves)(
	'the operation $operation on a computer in the state $from takes $least to $most s',
	async move => {
		const { world, clock, post, get, path } = await openSimulator({ computers: 0 });
		world.add({ name: 'mine', state: move.from, version: '1.3.9', ports: [8080] });
		const status = async () => valueAt((await get(`${path('mine')}/status`)).body, 'status');

		expect(await post(`${path('mine')}/${move.operation}`)).toMatchObject({ status: 200 });
		expect(await status()).toBe(move.during);
		clock.move(seconds(move.least) - 1);
		expect(await status()).toBe(move.during);
		clock.move(seconds(move.most - move.least) + 1);
		expect(await status()).toBe(move.to);
		expect(world.get('mine').error).toBeNull();
	},
);

test('after an update, the computer has the new version and no published ports', async () => {
	const { world, clock, post, path } = await openSimulator({ computers: 0 });
	world.add({ name: 'mine', version: '1.3.9', ports: [8080] });
	const { body } = await post(`${path('mine')}/update`);
	expect(body).toMatchObject({ success: true, started: true, targetVersion: '1.4.2' });
	expect(world.get('mine').version).toBe('1.3.9');
	clock.move(seconds(30));
	expect(world.get('mine')).toMatchObject({ version: '1.4.2', ports: [] });
	expect(world.get('mine').startedAt).toBeGreaterThan(clock.now() - seconds(19));
});

test('an update installs the version that the request names', async () => {
	const { world, clock, post, path } = await openSimulator({ computers: 0 });
	world.add({ name: 'mine', version: '1.3.9' });
	expect(await post(`${path('mine')}/update`, { version: '9.9.9' })).toMatchObject({ status: 400 });
	expect(await post(`${path('mine')}/update`, { version: 140 })).toMatchObject({ status: 400 });
	expect(await post(`${path('mine')}/update`, { version: '1.3.8' })).toMatchObject({ status: 409 });
	expect(await post(`${path('mine')}/update`, { version: '1.4.0' })).toMatchObject({ status: 200 });
	clock.move(seconds(30));
	expect(world.get('mine').version).toBe('1.4.0');
});

test('a deleted computer disappears from the list', async () => {
	const { world, ask, get, path } = await openSimulator({ computers: 3 });
	const gone = path('atlas');
	expect(await ask('DELETE', gone)).toMatchObject({ status: 200 });
	expect(world.computers().map(({ name }) => name)).toEqual(['borealis', 'cygnus']);
	expect((await get('/platform/sandbox')).text).not.toContain('atlas');
	expect(await get(gone)).toMatchObject({ status: 404 });
	expect(await ask('DELETE', gone)).toMatchObject({ status: 404 });
});

const underWay: readonly LifecycleState[] = [
	'stopping',
	'starting',
	'restarting',
	'updating',
	'provisioning',
];
const refusals: Readonly<Record<string, readonly LifecycleState[]>> = {
	start: ['active', 'error', ...underWay],
	stop: ['stopped', 'error', ...underWay],
	restart: ['stopped', ...underWay],
	update: ['stopped', 'error', ...underWay],
	'preview/start': ['stopped', 'error', ...underWay],
	'preview/stop': ['error', ...underWay],
};
const refused = Object.entries(refusals).flatMap(([operation, states]) =>
	states.map(state => ({ operation, state })),
);

test('the platform refuses each operation in each state that does not allow it, and names the state', async () => {
	const { world, post, path } = await openSimulator({ computers: 0 });
	for (const { operation, state } of refused) {
		const name = `${operation} ${state}`;
		world.add({ name, state, version: '1.3.9', ports: [80] });
		const { status, body } = await post(`${path(name)}/${operation}`, { port: 80 });
		expect({ name, status, answered: valueAt(body, 'status') }).toEqual({
			name,
			status: 409,
			answered: state,
		});
		expect(world.get(name).state).toBe(state);
	}
});

test('the platform refuses to delete a computer during an operation, but not during its creation', async () => {
	const { world, ask, path } = await openSimulator({ computers: 0 });
	for (const state of ['stopping', 'starting', 'restarting', 'updating'] as const) {
		world.add({ name: state, state });
		expect(await ask('DELETE', path(state))).toMatchObject({ status: 409 });
	}
	for (const state of ['provisioning', 'active', 'stopped', 'error'] as const) {
		world.add({ name: state, state });
		expect(await ask('DELETE', path(state))).toMatchObject({ status: 200 });
	}
	expect(world.computers()).toHaveLength(4);
});

test('the platform refuses an update of a computer that runs the newest version', async () => {
	const { world, post, path } = await openSimulator({ computers: 1 });
	expect(world.get('atlas').version).toBe('1.4.2');
	const { status, body } = await post(`${path('atlas')}/update`);
	expect([status, valueAt(body, 'error.code')]).toEqual([409, 'up_to_date']);
});

test('a creation takes about a minute and passes through each stage', async () => {
	const { world, clock, post, get } = await openSimulator({ computers: 0 });
	const { body } = await post('/platform/sandbox', { provider: 'opensandbox', name: 'mine' });
	const path = `/platform/sandbox/${valueAt(body, 'data.sandbox_id')}`;
	expect(valueAt(body, 'data')).toMatchObject({
		status: 'provisioning',
		stage: 'creating',
		name: 'mine',
	});

	const seen: unknown[] = [];
	let progress = -1;
	for (let second = 0; second < 76; second += 3) {
		const status = (await get(`${path}/status`)).body;
		const stage = valueAt(status, 'stage');
		if (seen.at(-1) !== stage) seen.push(stage);
		expect(valueAt(status, 'stageProgress')).toBeGreaterThanOrEqual(progress);
		progress = Number(valueAt(status, 'stageProgress'));
		clock.move(seconds(3));
	}
	expect(seen).toEqual(['creating', 'loading_image', 'ready']);
	expect((await get(`${path}/status`)).body).toMatchObject({
		status: 'active',
		stageProgress: 100,
		version: '1.4.2',
	});
	expect(world.get('mine').startedAt).toBeGreaterThan(world.get('mine').createdAt + seconds(41));
});

test('some creations fail, and the record of the computer then contains the error message', async () => {
	const { world, clock, get, path } = await openSimulator({ computers: 0 });
	for (let made = 0; made < 100; made++) world.create();
	clock.move(minutes(2));
	const failed = world.computers().filter(({ state }) => state === 'error');
	expect(failed.length).toBeGreaterThan(1);
	expect(failed.length).toBeLessThan(20);
	const { body } = await get(`${path(failed[0]?.name ?? '')}/status`);
	expect(body).toMatchObject({ status: 'error', error: failed[0]?.error });
	expect(valueAt(body, 'stageProgress')).toBeLessThan(100);
	expect(valueAt(body, 'version')).toBeUndefined();
});

test.each([
	[{}],
	[{ provider: 'other' }],
	[{ provider: 'opensandbox', name: '' }],
	[{ provider: 'opensandbox', name: 3 }],
	[['opensandbox']],
])('the platform refuses a create request if its body is %j', async body => {
	const { world, post } = await openSimulator({ computers: 0 });
	expect(await post('/platform/sandbox', body)).toMatchObject({ status: 400 });
	expect(world.computers()).toEqual([]);
});

test('the platform answers 403 for another person’s computer and 404 for an unknown id', async () => {
	const { get, post } = await openSimulator({ computers: 1 });
	expect(await get('/platform/sandbox/sb_strangers0001')).toMatchObject({ status: 403 });
	expect(await post('/platform/sandbox/sb_strangers0001/stop')).toMatchObject({ status: 403 });
	expect(await get('/platform/sandbox/atlas')).toMatchObject({ status: 404 });
	expect(await get('/platform/nonsense')).toMatchObject({ status: 404 });
});

test('the usage of CPU and memory changes slowly while a computer runs, and is not reported otherwise', async () => {
	const { world, clock, get, path } = await openSimulator({ computers: 1 });
	const cpu = async () => Number(valueAt((await get(path('atlas'))).body, 'data.cpu'));
	const samples: number[] = [];
	for (let second = 0; second < 120; second += 2) {
		samples.push(await cpu());
		clock.move(seconds(2));
	}
	const steps = samples.slice(1).map((each, index) => Math.abs(each - (samples[index] ?? 0)));
	expect(new Set(samples).size).toBeGreaterThan(10);
	expect(Math.max(...steps)).toBeLessThan(5);
	world.operate('stop', world.get('atlas'));
	clock.move(hours(1));
	expect((await get(path('atlas'))).body).toMatchObject({ data: { cpu: null, uptime: null } });
});

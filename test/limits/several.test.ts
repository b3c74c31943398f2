import { expect, test } from 'vitest';
import { scopes } from '../../source/limits/limits.ts';
import { hour, minute, second } from '../durations.ts';
import { createWorld, limits } from './world.ts';

type World = ReturnType<typeof createWorld>;

// Several processes send requests as fast as they may, some of which hang for half a minute. All stories are simulated
// over the turn of an hour, and for two windows of the creations. Whatever happens, in no window more requests may arrive than the limit allows.
const story = 30 * minute;

function expectLimits(world: World, leastSent = 300) {
	for (const scope of scopes)
		expect(world.most(scope), scope).toBeLessThanOrEqual(limits[scope].maxRequests);
	expect(world.sent.length).toBeGreaterThanOrEqual(leastSent);
}

/** None starves. */
function expectFromEach(world: World, scope: 'status' | 'other', least: number) {
	for (const pane of new Set(world.sent.map(each => each.pane)))
		expect(
			world.sent.filter(each => each.pane === pane && each.scope === scope).length,
		).toBeGreaterThan(least);
}

test('four processes of a host keep the limits and use them, and none starves', async () => {
	const world = createWorld(1);
	const host = world.machine('a');
	for (let count = 0; count < 4; count += 1) world.start(host);
	await world.live(story);
	expectLimits(world);
	expect(world.most('status')).toBe(limits.status.maxRequests);
	for (const scope of ['status', 'other'] as const) expectFromEach(world, scope, 40);
});

test.each([
	['agree', 0, 0],
	['are ten minutes apart', 10 * minute, 0],
	['are ten minutes apart the other way', 0, 10 * minute],
	['are a day apart', -24 * hour, 0],
])('hosts with one folder keep the limits together if their clocks %s', async (_, ahead, other) => {
	const world = createWorld(4);
	const hosts = [
		world.machine('a', { ahead }),
		world.machine('b', { ahead: other, uptime: 400 * 24 * hour }),
		world.machine('c', { uptime: 3 * minute }),
	];
	// At its first reading, a process dates the lines of other hosts by its clock alone. So the host whose clock is ahead
	// starts first, and processes start later only if the clocks agree.
	for (const host of hosts.toSorted((one, next) => next.ahead - one.ahead)) world.start(host);
	await world.live(story / 2);
	if (ahead === other) for (const host of hosts) world.start(host);
	await world.live(story / 2);
	expectLimits(world);
	expectFromEach(world, 'status', 10);
});

test.each([1, 2])('processes that are killed at any moment break no limit (%i)', async seed => {
	const world = createWorld(seed);
	const hosts = [world.machine('a'), world.machine('b')];
	const panes = hosts.flatMap(host => [world.start(host), world.start(host)]);
	await world.live(story, () => {
		for (const [place, pane] of panes.entries()) {
			const chance = world.random();
			if (!pane.isAlive) panes[place] = world.start(hosts[place % 2] ?? world.machine('c'));
			else if (chance < 1 / 300) pane.kill();
			else if (chance < 2 / 300) pane.killWithin(8);
		}
	});
	expectLimits(world);
});

test('each crash costs at most one creation for a window', async () => {
	const world = createWorld(5);
	const host = world.machine('a');
	const pane = world.start(host, [['create', 'operation']]);
	await world.live(second);
	// The process dies at some place between taking the slot, sending the request and its response.
	pane.kill();
	world.start(host, [['create', 'operation']]);
	await world.live(10 * minute);
	expectLimits(world, limits.create.maxRequests - 1);
	await world.live(limits.create.windowMs);
	expectLimits(world, 2 * limits.create.maxRequests - 2);
});

test.each([
	['backwards', -5 * hour],
	['forwards by years', 5 * 365 * 24 * hour],
])('the limits hold when the wall clock jumps %s again and again', async (_, by) => {
	const world = createWorld(6);
	const host = world.machine('a');
	const panes = [world.start(host), world.start(host)];
	await world.live(story, at => {
		if (at % (7 * minute) === 0) host.ahead += by;
		if (at % (10 * minute) !== 0) return;
		panes[0]?.kill();
		panes[0] = world.start(host);
	});
	expectLimits(world);
});

test('requests from before a restart of the machine count', async () => {
	const world = createWorld(7);
	let host = world.machine('boot 0');
	let panes = [world.start(host), world.start(host)];
	await world.live(story, at => {
		if (at % (5 * minute) !== 0 || at === 0) return;
		for (const pane of panes) pane.kill();
		host = world.machine(`boot ${at}`, { uptime: 20 * second });
		panes = [world.start(host), world.start(host)];
	});
	expectLimits(world);
});

const impossibleTakes = [
	'take x.1 models 0000000000001 0000000000001',
	'take x.1 status 9999999999999 9999999999999',
	'take x.1 status 0000000000000 0000000000000',
];
const impossibleAnswers = [
	'done nothing 0000000000001 0000000000001',
	'refused status 9999999999999999 1 1795848005210 0000000000001',
	'told status 0 0 9999999999999999 0000000000001 0000000000001',
];

test.each([
	['no lines', ['hello', 'take 9c3e.4 sta', '\u0000\u00ff\u0007']],
	['impossible takes', impossibleTakes],
	['impossible answers', impossibleAnswers],
])(
	'a file with %s in it breaks no limit and stops no process for more than an hour',
	async (_, junk) => {
		const world = createWorld(8);
		for (const id of ['a', 'b']) world.start(world.machine(id));
		await world.live(story, at => {
			if (at % (9 * minute) !== 0) return;
			for (const name of world.disk.texts.keys())
				for (const line of junk) world.disk.append(name, `\n${line}\n`, false);
		});
		await world.live(80 * minute);
		expectLimits(world);
		const late = world.sent.filter(({ at }) => at > world.clock.now() - 70 * minute);
		expect(new Set(late.map(({ scope }) => scope))).toEqual(new Set(scopes));
	},
);

test.each([
	['full', 'append', 'ENOSPC'],
	['read-only', 'append', 'EROFS'],
	['not readable', 'read', 'EACCES'],
] as const)(
	'four processes keep the limits on a disk that is %s for a while',
	async (_, call, code) => {
		const world = createWorld(9);
		const host = world.machine('a');
		const panes = [1, 2, 3, 4].map(() => world.start(host));
		let isBroken = false;
		world.disk.before = access => {
			if (isBroken && access === call) throw Object.assign(new Error(code), { code });
		};
		await world.live(story, at => {
			isBroken = at % (10 * minute) > 5 * minute || at > story - 10 * minute;
		});
		expectLimits(world);
		for (const { problems } of panes) expect(problems.length).toBeGreaterThan(0);
		const broken = world.sent.filter(({ at }) => at > world.clock.now() - 10 * minute);
		expect(broken.length).toBeGreaterThan(10);
	},
);

test.each(['a', 'b'])(
	'a refusal stops the processes of the hosts a and %s until its end, and then one request tries',
	async id => {
		const world = createWorld(10);
		for (const each of ['a', id]) world.start(world.machine(each));
		await world.live(38 * minute, at => {
			if (at % (6 * minute) === 3 * minute)
				world.toRefuse.set('status', world.between(10, 90) * second);
		});
		expectLimits(world);
		const refusals = world.refusals.filter(({ scope }) => scope === 'status');
		expect(refusals.length).toBeGreaterThan(5);
		const sent = world.sent.filter(({ scope }) => scope === 'status').map(({ at }) => at);
		for (const { from, until } of refusals) {
			// Retry-After is in whole seconds.
			const [first = 0, next] = sent.filter(at => at > from);
			expect(first).toBeGreaterThanOrEqual(until - second);
			expect(first).toBeLessThan(until + 20 * second);
			expect(next).toBeGreaterThan(first);
		}
	},
);

test('files are deleted when they are three hours old', async () => {
	const world = createWorld(11);
	world.start(world.machine('a', { uptime: 0 }), [['status', 'read']]);
	world.start(world.machine('b', { uptime: 0 }), [['status', 'read']]).kill();
	await world.live(7 * hour + minute);
	const names = [...world.disk.texts.keys()].sort();
	expect(names).toEqual([4, 5, 6, 7].map(hours => `requests-1-a-${hours}`));
});

import { expect, test } from 'vitest';
import type { OperationId } from '../../source/fleet/operation.ts';
import { operationTable } from '../../source/operations/operation-table.ts';
import { type FaultKind, faultNames } from '../../source/simulator/faults.ts';
import { type FaultyMonitor, openFaultyMonitor, requestsOverLimit } from './faulty-monitor.ts';

type Fate = {
	isDone: boolean;
	/** How often it is sent, when not once. */
	sent?: number;
	/** What stays on the screen until it was seen. */
	said?: string;
	/** What is told while nobody knows. */
	meanwhile?: string;
};

const done: Fate = { isDone: true };
const unanswered: Fate = {
	isDone: false,
	said: 'no answer, and',
	meanwhile: 'outcome unknown, checking',
};

const fates: Readonly<Record<FaultKind, Fate>> = {
	delay: done,
	hang: unanswered,
	reset: unanswered,
	lost: done,
	500: { ...unanswered, said: 'Internal error', meanwhile: 'unknown, checking' },
	502: { ...unanswered, said: 'The service behind did not answer', meanwhile: 'unknown, checking' },
	503: { ...unanswered, said: 'The service is being maintained', meanwhile: 'unknown, checking' },
	'proxy-page': done,
	'proxy-error': { ...unanswered, said: '502 Bad Gateway', meanwhile: 'unknown, checking' },
	'broken-json': done,
	truncated: done,
	empty: done,
	// Not done, and not given up for that: it waits for the end of the freeze.
	throttle: { isDone: true, sent: 2, meanwhile: 'queued, sends in' },
	// A new token, and once more with it.
	unauthorized: { isDone: false, sent: 2, said: 'The access token is missing or has expired' },
	'wrong-type': done,
	'null-data': done,
	// Done, and nobody said so: it is looked up.
	303: done,
	408: done,
	425: done,
	499: done,
	crowded: done,
	deep: done,
};

const noRoom: Fate = { isDone: false, said: 'the next creation is possible in' };

function fateOf(operation: OperationId, kind: FaultKind): Fate {
	if (operation !== 'create') return fates[kind];
	if (kind === 'throttle') return noRoom;
	// It has no row yet: the footer tells of it.
	const { meanwhile, ...fate } = fates[kind];
	return meanwhile ? { ...fate, meanwhile: `create c-${kind}: outcome unknown` } : fate;
}

type Row = {
	key: string;
	/** The computer that it is for. */
	is: { state?: 'stopped'; version?: string; ports?: readonly number[] };
	answers: (name: string) => readonly string[];
	isDone: (monitor: FaultyMonitor, name: string) => boolean;
	told: string;
};

const computer = ({ simulator }: FaultyMonitor, name: string) =>
	simulator.world.computers().find(each => each.name === name);
const has = (monitor: FaultyMonitor, name: string, port: number) =>
	computer(monitor, name)?.ports.some(each => each.port === port) === true;

const rows: Readonly<Record<OperationId, Row>> = {
	create: {
		key: 'n',
		is: {},
		answers: name => [...name, 'enter', 'enter', 'y'],
		isDone: (monitor, name) => computer(monitor, name) !== undefined,
		told: 'created',
	},
	start: {
		key: 's',
		is: { state: 'stopped' },
		answers: () => ['y'],
		isDone: (monitor, name) => computer(monitor, name)?.state === 'active',
		told: 'started',
	},
	stop: {
		key: 'x',
		is: {},
		answers: () => ['y'],
		isDone: (monitor, name) => computer(monitor, name)?.state === 'stopped',
		told: 'stopped',
	},
	restart: {
		key: 'r',
		is: {},
		answers: () => ['y'],
		isDone(monitor, name) {
			const { startedAt, createdAt } = monitor.simulator.world.get(name);
			return startedAt !== null && startedAt > createdAt;
		},
		told: 'restarted',
	},
	update: {
		key: 'u',
		is: { version: '1.3.9' },
		answers: () => ['y'],
		isDone: (monitor, name) => computer(monitor, name)?.version === '1.4.2',
		told: 'updated',
	},
	publish: {
		key: 'p',
		is: {},
		answers: () => [...'9000', 'enter'],
		isDone: (monitor, name) => has(monitor, name, 9000),
		told: 'published port 9000 of',
	},
	unpublish: {
		key: 'P',
		is: { ports: [9000] },
		answers: () => ['y'],
		isDone: (monitor, name) => !has(monitor, name, 9000),
		told: 'unpublished port 9000 of',
	},
	delete: {
		key: 'D',
		is: {},
		answers: name => [...name, 'enter'],
		isDone: (monitor, name) => computer(monitor, name) === undefined,
		told: 'deleted',
	},
};

/** The fewest lines with one for the news, and wide enough for what is said of a failure. */
const size = [170, 20] as const;

const traces =
	/failed|could not|checking|waits for|offline|unreadable answer|platform error|frozen/;

/** One operation while its endpoint has one fault, to its end and the end of the fault. */
async function tryOne(monitor: FaultyMonitor, operation: OperationId, kind: FaultKind) {
	const { key, answers, isDone, told } = rows[operation];
	const fate = fateOf(operation, kind);
	const name = `c-${kind}`;
	const account = () => monitor.session.store.getState().accounts.get('test');
	const ours = () =>
		[...(account()?.operations.values() ?? [])].find(({ spec }) => spec.name === name);

	if (operation !== 'create') {
		monitor.simulator.world.add({ name, ...rows[operation].is });
		await monitor.passUntil(() => monitor.text().includes(`❯ ${name}`), 60_000);
		expect.soft(monitor.lines().slice(0, -3).join('\n'), `before ${kind}`).not.toMatch(traces);
	}
	// Early in a minute, so that the wait for its end is seen.
	if (kind === 'throttle') await monitor.pass(65_000 - (monitor.clock.now() % 60_000));
	const from = monitor.clock.now();
	monitor.startFault(operation, kind, kind === 'throttle' ? 1 : undefined);
	await monitor.press(key);
	monitor.clock.move(300);
	await monitor.press(...answers(name));
	await monitor.idle();
	let meanwhile = '';
	for (let step = 0; step < 4 && (step === 0 || ours()); step += 1) {
		await monitor.pass(10_000);
		meanwhile += monitor.text();
	}
	if (fate.meanwhile) expect.soft(meanwhile, kind).toContain(fate.meanwhile);
	monitor.endFaults();
	await monitor.passUntil(() => {
		const one = ours();
		return one === undefined || one.stage === 'failed';
	}, 120_000);

	expect.soft(isDone(monitor, name), `${kind}: done\n${monitor.text()}`).toBe(fate.isDone);
	expect.soft(monitor.sent(operation, from), kind).toHaveLength(fate.sent ?? 1);
	if (fate.said) {
		expect.soft(monitor.text(), kind).toContain(fate.said);
		await monitor.press('escape');
	} else expect.soft(monitor.text(), kind).toContain(`you ${told} ${name}`);
}

const kinds = faultNames.kind;
/** Whether the request was done is found out from what each operation leaves behind: done, and not done. */
const lookedUp: readonly FaultKind[] = ['lost', '503'];
const others = (Object.keys(operationTable) as OperationId[]).filter(each => each !== 'create');

// What an answer means does not depend on the operation, so one of them meets every kind of fault.
test.each(others)(
	'%s is sent once at most under any fault, and its end is found out',
	async operation => {
		const monitor = await openFaultyMonitor({ computers: 0, size });
		await monitor.pass(10_000);
		for (const kind of operation === 'restart' ? kinds : lookedUp) {
			await tryOne(monitor, operation, kind);
			const left = computer(monitor, `c-${kind}`);
			if (left) monitor.simulator.world.remove(left.id);
		}
		await monitor.passUntil(() => !monitor.text().includes('❯'), 60_000);
		expect(monitor.lines().slice(0, -3).join('\n')).not.toMatch(traces);
		expect(requestsOverLimit(monitor.simulator.requests)).toEqual([]);
	},
);

// Five of these an hour are all that there are: each fault has a platform of its own.
test.each([...lookedUp, 'hang', 'throttle', 'broken-json'] as const)(
	'a create under %s is never sent twice to find out',
	async kind => {
		const monitor = await openFaultyMonitor({ size });
		await monitor.pass(10_000);
		await tryOne(monitor, 'create', kind);
		expect(requestsOverLimit(monitor.simulator.requests)).toEqual([]);
	},
);

test('the matrix has all rows and all columns', () => {
	expect(Object.keys(fates).sort()).toEqual([...kinds].sort());
	expect(Object.keys(rows).sort()).toEqual(Object.keys(operationTable).sort());
});

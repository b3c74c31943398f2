import { expect, test } from 'vitest';
import type { BuiltInOperationId } from '../../source/fleet/operations/operation-table.ts';
import type { FaultKind } from '../../source/simulator/endpoints/faults.ts';
import type { Simulator } from '../../source/simulator/simulator.ts';
import { type FaultyMonitor, openFaultyMonitor, requestsOverLimit } from './faulty-monitor.ts';

type Expectation = {
	isDone: boolean;
	/** How often the operation is sent; once if absent. */
	sent?: number;
	/** The failure that stays on the screen until Esc. */
	error?: string;
	/** The text on the screen while the outcome is not known. */
	meanwhile?: string;
};

const done: Expectation = { isDone: true };
const unanswered: Expectation = {
	isDone: false,
	error: 'no answer, and',
	meanwhile: 'outcome unknown, checking',
};

/** The faults that a monitor handles in different ways. Every other fault has the same meaning as one of these. */
const expectations = {
	delay: done,
	hang: unanswered,
	reset: unanswered,
	// The platform did the operation, which only a later read reveals.
	lost: done,
	truncated: done,
	303: done,
	'proxy-page': done,
	// The platform answered that it accepted the operation.
	'null-data': done,
	503: { ...unanswered, error: 'The service is being maintained', meanwhile: 'unknown, checking' },
	'proxy-error': { ...unanswered, error: '502 Bad Gateway', meanwhile: 'unknown, checking' },
	// The queue sends the refused request again after the scope has reset.
	throttle: { isDone: true, sent: 2, meanwhile: 'queued, sends in' },
	// The first refusal causes a sign-in, after which the request is repeated once.
	unauthorized: { isDone: false, sent: 2, error: 'The access token is missing or has expired' },
} as const satisfies Partial<Record<FaultKind, Expectation>>;

type Fault = `${keyof typeof expectations}`;

const limitReached: Expectation = { isDone: false, error: 'the next creation is possible in' };

function expectationFor(operation: BuiltInOperationId, kind: Fault): Expectation {
	const forOthers: Expectation = expectations[kind];
	if (operation !== 'create') return forOthers;
	if (kind === 'throttle') return limitReached;
	// A computer that is being created has no row yet, so the footer shows its outcome.
	const { meanwhile, ...expected } = forOthers;
	return meanwhile ? { ...expected, meanwhile: `c-${kind}: create outcome unknown` } : expected;
}

type Computer = ReturnType<Simulator['world']['get']>;

type Row = {
	key: string;
	/** The state of the computer before the operation. */
	initial?: { state?: 'stopped'; version?: string; ports?: readonly number[] };
	/** The answers after the key, if more than `y`. */
	answers?: (name: string) => readonly string[];
	isDone: (computer: Computer | undefined) => boolean;
	logged: string;
};

const computerOf = ({ simulator }: FaultyMonitor, name: string) =>
	simulator.world.computers().find(each => each.name === name);
const publishes9000 = ({ ports }: Computer) => ports.some(({ port }) => port === 9000);

/** The screen without the activity below the table, because the activity names earlier outcomes. */
const aboveActivity = (monitor: FaultyMonitor) =>
	monitor.text().replace(/^ +\d\d:\d\d:\d\d .*$/gm, '');

const rows: Readonly<Record<BuiltInOperationId, Row>> = {
	create: {
		key: 'n',
		logged: 'created',
		answers: name => [name, 'enter', 'y'],
		isDone: computer => computer !== undefined,
	},
	start: {
		key: 's',
		logged: 'started',
		initial: { state: 'stopped' },
		isDone: computer => computer?.state === 'active',
	},
	stop: { key: 'x', logged: 'stopped', isDone: computer => computer?.state === 'stopped' },
	restart: {
		key: 'r',
		logged: 'restarted',
		isDone: computer => (computer?.startedAt ?? 0) > (computer?.createdAt ?? 0),
	},
	update: {
		key: 'u',
		logged: 'updated',
		initial: { version: '1.3.9' },
		isDone: computer => computer?.version === '1.4.2',
	},
	publish: {
		key: 'p',
		logged: 'published',
		answers: () => ['9000', 'enter', 'y'],
		isDone: computer => computer !== undefined && publishes9000(computer),
	},
	unpublish: {
		key: 'P',
		logged: 'unpublished',
		initial: { ports: [9000] },
		isDone: computer => computer !== undefined && !publishes9000(computer),
	},
	delete: {
		key: 'D',
		logged: 'deleted',
		answers: name => [name, 'enter'],
		isDone: computer => computer === undefined,
	},
};

/** The lowest terminal with a line for news, and wide enough for the text of every failure. */
const size = [170, 20] as const;

const troubleText =
	/failed|could not|checking|waits for|offline|unreadable answer|platform error|frozen/;

/** Runs one operation while its endpoint has one fault, then ends the fault and waits for the outcome. */
async function tryOperation(monitor: FaultyMonitor, operation: BuiltInOperationId, kind: Fault) {
	const { key, logged, initial, answers = () => ['y'], isDone } = rows[operation];
	const expected = expectationFor(operation, kind);
	const name = `c-${kind}`;
	function findOperation() {
		const account = monitor.session.store.getState().accounts.get('test');
		return [...(account?.operations.values() ?? [])].find(({ spec }) => spec.name === name);
	}

	if (operation !== 'create') {
		monitor.simulator.world.add({ name, ...initial });
		await monitor.passUntil(() => monitor.text().includes(`❯ ${name}`), 60_000);
		expect.soft(aboveActivity(monitor), `before ${kind}`).not.toMatch(troubleText);
	}
	// A throttled scope resets at the full minute, so the operation starts early in a minute, and the wait can be
	// seen.
	if (kind === 'throttle') await monitor.pass(65_000 - (monitor.clock.now() % 60_000));
	const from = monitor.clock.now();
	monitor.startFault(operation, kind, kind === 'throttle' ? 1 : undefined);
	await monitor.press(key);
	await monitor.answer(...answers(name));
	let meanwhile = '';
	for (let step = 0; step < 4 && (step === 0 || findOperation()); step += 1) {
		await monitor.pass(10_000);
		meanwhile += monitor.text();
	}
	if (expected.meanwhile) expect.soft(meanwhile, kind).toContain(expected.meanwhile);
	monitor.endFaults();
	await monitor.passUntil(() => [undefined, 'failed'].includes(findOperation()?.stage), 120_000);

	expect
		.soft(isDone(computerOf(monitor, name)), `${kind}: done\n${monitor.text()}`)
		.toBe(expected.isDone);
	expect.soft(monitor.sent(operation, from), kind).toHaveLength(expected.sent ?? 1);
	if (expected.error) {
		expect.soft(monitor.text(), kind).toContain(expected.error);
		await monitor.press('escape');
	} else expect.soft(monitor.text(), kind).toContain(`${name}: ${logged} by you`);
}

const kinds = Object.keys(expectations) as Fault[];
/**
 * After these two faults, the monitor must read whether the operation was done. It was done only after the first
 * fault.
 */
const needingReadBack: readonly Fault[] = ['lost', '503'];
const others = (Object.keys(rows) as BuiltInOperationId[]).filter(each => each !== 'create');

// The meaning of a response does not depend on the operation, so only restart meets every fault above.
test.each(others)(
	'the operation “%s” is never sent again when its outcome is unknown, and the monitor finds out whether it was done',
	async operation => {
		const monitor = await openFaultyMonitor({ computers: 0, size });
		await monitor.pass(10_000);
		for (const kind of operation === 'restart' ? kinds : needingReadBack) {
			await tryOperation(monitor, operation, kind);
			const left = computerOf(monitor, `c-${kind}`);
			if (left) monitor.simulator.world.remove(left.id);
		}
		await monitor.passUntil(() => !monitor.text().includes('❯'), 60_000);
		expect(aboveActivity(monitor)).not.toMatch(troubleText);
		expect(requestsOverLimit(monitor.simulator.requests)).toEqual([]);
	},
);

// The limit is five creations per hour, so each fault gets a platform of its own.
test.each([...needingReadBack, 'hang', 'throttle', 'null-data'] as const)(
	'a create that fails with “%s” is never sent again to find out its outcome',
	async kind => {
		const monitor = await openFaultyMonitor({ size });
		await monitor.pass(10_000);
		await tryOperation(monitor, 'create', kind);
		expect(requestsOverLimit(monitor.simulator.requests)).toEqual([]);
	},
);

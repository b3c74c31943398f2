import { expect, test } from 'vitest';
import type { ReadName } from '../../source/fleet/fact.ts';
import { type FaultKind, faultNames } from '../../source/simulator/faults.ts';
import { reads } from '../../source/watch/reads.ts';
import {
	type FaultyEndpoint,
	type FaultyMonitor,
	openFaultyMonitor,
	requestsOverLimit,
} from './faulty-monitor.ts';

type Reason = {
	/** What a person is told of it; nothing, where it is no fault for whoever only reads. */
	said?: string;
	/** The same in a word, for the header. */
	word?: string;
};

const server = { word: 'platform error' };
const unreadable = { word: 'unreadable answer' };
const offline = { word: 'offline' };

const reasons: Readonly<Record<FaultKind, Reason>> = {
	delay: {},
	hang: { said: 'no answer within 15 s', ...offline },
	reset: { said: 'the connection broke', ...offline },
	lost: { said: 'the connection broke', ...offline },
	500: { said: 'Internal error', ...server },
	502: { said: 'The service behind did not answer', ...server },
	503: { said: 'The service is being maintained', ...server },
	'proxy-page': { said: 'the answer: expected JSON, got a web page', ...unreadable },
	'proxy-error': { said: 'a web page instead of an answer: 502 Bad Gateway', ...server },
	'broken-json': { said: 'the answer: expected JSON, got something else', ...unreadable },
	truncated: { said: 'the connection broke', ...offline },
	empty: { said: 'the answer: expected JSON, got nothing', ...unreadable },
	throttle: { said: 'Too many requests', word: 'rate limited' },
	unauthorized: { said: 'The access token is missing or has expired', word: 'signed out' },
	'wrong-type': { said: '', ...unreadable },
	'null-data': { said: '', ...unreadable },
	303: { said: 'the platform redirects', ...unreadable },
	408: { said: 'the client was given up', ...server },
	425: { said: 'the client was given up', ...server },
	499: { said: 'the client was given up', ...server },
	crowded: { said: 'the answer: expected at most 400000 values', ...unreadable },
	deep: { said: 'the answer: expected at most 64 levels', ...unreadable },
};

type Row = {
	place: FaultyEndpoint;
	/** To where its data is shown. */
	keys: readonly string[];
	/** What was known before, and stays on the screen. */
	known: RegExp;
	/** How its failure is told there. */
	told: (reason: Reason) => string;
	/** How old what is shown is, in seconds; absent where other reads keep it fresh. */
	age?: RegExp;
};

const computer = /atlas .*● Active/;

const rows: Readonly<Record<ReadName, Row>> = {
	list: {
		place: 'list',
		keys: [],
		known: computer,
		told({ word }) {
			if (word === 'rate limited') return '◐ rate limited';
			if (word === 'signed out') return '◐ signed out';
			// Others are answered meanwhile.
			return `list: ${word === 'offline' ? 'no answer' : word}`;
		},
		age: /(?:list: [a-z ]+|signed out) (\d+) s/,
	},
	status: {
		place: 'status',
		keys: ['enter'],
		known: computer,
		told: ({ said }) => `reading it again failed: ${said}`,
	},
	detail: {
		place: 'detail',
		keys: ['enter'],
		known: computer,
		told: ({ said }) => `reading it again failed: ${said}`,
	},
	credits: {
		place: 'credits',
		keys: ['2'],
		known: /Credits +\d+\.\d\d/,
		told: ({ said }) => `Cannot read the credits: ${said}`,
		age: /Billing .* read (\d+)s ago/,
	},
	subscription: {
		place: 'subscription',
		keys: ['2'],
		known: /Plan +Pro, active/,
		told: ({ said }) => `Cannot read the subscription: ${said}`,
		age: /Pro, active .*read (\d+)s ago/,
	},
	release: {
		place: 'latest',
		keys: ['4'],
		known: /Latest +1\.4\.2/,
		told: ({ said }) => `Cannot read the latest version: ${said}`,
		age: /Versions .* read (\d+)s ago/,
	},
	models: {
		place: 'models',
		keys: ['3'],
		known: /MODEL.*OWNER/,
		told: ({ said }) => `Cannot read the list of models: ${said}`,
		age: /Models .* read (\d+)s ago/,
	},
};

/** Where one of them is an answer like any other. */
const meant: Partial<Record<ReadName, Partial<Record<FaultKind, string>>>> = {
	subscription: { 'null-data': 'none; billing is not set up' },
};

const trouble =
	/Cannot read|failing|reading it again failed|offline|signed out|unreadable answer|platform error|rate limited|frozen|list:/;

const isWell = (monitor: FaultyMonitor) =>
	/● live \d+ s/.test(monitor.text()) && !trouble.test(monitor.text());

/** Long enough for two failures of the list, which is called live as long as others answer, and one of others. */
function lasting(read: ReadName, kind: FaultKind): number {
	if (kind !== 'hang') return 20_000;
	return read === 'list' ? 50_000 : 30_000;
}

/** Nobody polls the models: they are asked for when somebody looks at them. */
async function ask(monitor: FaultyMonitor, read: ReadName) {
	if (read === 'models') monitor.session.watch.readNow({ name: read });
	else await monitor.press('R');
	await monitor.idle();
}

async function openAt(read: ReadName) {
	const monitor = await openFaultyMonitor();
	await monitor.pass(10_000, stepFor(read));
	await monitor.press(...rows[read].keys);
	await monitor.pass(10_000, stepFor(read));
	return monitor;
}

/** One kind for each way in which the watch and the screen go on after a read that failed. */
const ways: readonly FaultKind[] = ['reset', '503', 'null-data', 'unauthorized'];

/** What an answer means does not depend on the read, so one of them meets every kind of fault. */
function kindsFor(read: ReadName): readonly FaultKind[] {
	if (read === 'release') return faultNames.kind;
	// Each stands for a limit, and the list is what everything is late by.
	return read === 'status' || read === 'list' ? [...ways, 'hang', 'throttle'] : ways;
}

/** An answer seems to take a whole step, and a list that takes long is asked for more seldom. */
const stepFor = (read: ReadName) => (read === 'list' ? 2_000 : 10_000);

test.each(Object.keys(reads) as ReadName[])(
	'any fault of %s is told, and over when it is over',
	async read => {
		const { place, known, told, age } = rows[read];
		const monitor = await openAt(read);
		for (const kind of kindsFor(read)) {
			const says = (text: string | RegExp) =>
				typeof text === 'string'
					? expect.soft(monitor.text(), kind).toContain(text)
					: expect.soft(monitor.text(), kind).toMatch(text);
			says(known);
			const from = monitor.clock.now();
			monitor.startFault(place, kind);
			await ask(monitor, read);
			await monitor.pass(lasting(read, kind), stepFor(read));
			const other = meant[read]?.[kind];
			says(other ?? known);
			if (other || !reasons[kind].word) expect.soft(monitor.text(), kind).not.toMatch(trouble);
			else {
				says(told(reasons[kind]));
				if (age && kind !== 'throttle')
					expect.soft(Number(age.exec(monitor.text())?.[1]), kind).toBeGreaterThanOrEqual(10);
			}
			if (kind === 'throttle') expectSilence(monitor, from);
			monitor.endFaults();
			if (other) await ask(monitor, read);
			const took = await monitor.passUntil(() => isWell(monitor), 180_000, stepFor(read));
			expect.soft(took, `${kind}\n${monitor.text()}`).toBeLessThanOrEqual(75_000);
		}
		expect(requestsOverLimit(monitor.simulator.requests)).toEqual([]);
	},
);

/** Nothing of that scope is sent between the refusal and the reset that it named. */
function expectSilence({ simulator }: FaultyMonitor, from: number) {
	const since = simulator.requests.filter(({ at }) => at >= from);
	const refused = since.find(({ status }) => status === 429);
	const minute = (at: number) => Math.floor(at / 60_000);
	const early = since.filter(
		({ at, scope }) =>
			refused &&
			scope === refused.scope &&
			at > refused.at + 10_000 &&
			minute(at) === minute(refused.at),
	);
	expect.soft(refused).toBeDefined();
	expect.soft(early).toEqual([]);
}

// As if the network or the sign-in were gone, but for that only this one of all reads fails.
test.each(['reset', 'unauthorized'] as const)(
	'a status under %s is tried ever more seldom, and costs the others nothing',
	async kind => {
		const monitor = await openFaultyMonitor({ computers: 24 });
		await monitor.pass(30_000);
		const from = monitor.clock.now();
		monitor.startFault('status', kind);
		// A minute may lie between two tries.
		await monitor.pass(140_000, 2000);
		const late = monitor.sent('status', from + 50_000);
		expect(late.length).toBeGreaterThanOrEqual(1);
		expect(late.length).toBeLessThanOrEqual(4);
		expect(monitor.sent('subscription', from)).toEqual([]);
		expect(monitor.sent('latest', from)).toEqual([]);
		expect(monitor.text()).toMatch(/● live \d+ s/);
	},
);

test('the matrix has all rows and all columns', () => {
	expect(Object.keys(reasons).sort()).toEqual([...faultNames.kind].sort());
	expect(Object.keys(rows).sort()).toEqual(Object.keys(reads).sort());
});

import { expect, test } from 'vitest';
import { type ReadName, readNames } from '../../source/fleet/reads.ts';
import type { FaultKind } from '../../source/simulator/endpoints/faults.ts';
import {
	type FaultyEndpoint,
	type FaultyMonitor,
	openFaultyMonitor,
	requestsOverLimit,
} from './faulty-monitor.ts';

type FailureText = {
	/** The message of the failure; absent if the fault does not make a read fail. */
	message?: string;
	/** The short form in the header. */
	word?: string;
};

const server = { word: 'platform error' };
const unreadable = { word: 'unreadable answer' };
const offline = { word: 'offline' };

/** How the screen describes the faults that the reads below meet. */
const failureTexts = {
	delay: {},
	hang: { message: 'no answer within 15 s', ...offline },
	reset: { message: 'the connection broke', ...offline },
	503: { message: 'The service is being maintained', ...server },
	'proxy-page': { message: 'the answer: expected JSON, got a web page', ...unreadable },
	throttle: { message: 'Too many requests', word: 'rate limited' },
	unauthorized: { message: 'The access token is missing or has expired', word: 'signed out' },
	'null-data': { message: '', ...unreadable },
	crowded: { message: 'the answer: expected at most 400000 values', ...unreadable },
} as const satisfies Partial<Record<FaultKind, FailureText>>;

type Fault = `${keyof typeof failureTexts}`;

type Row = {
	endpoint: FaultyEndpoint;
	/**
	 * The faults to test with this read. A fault means the same for every read, so only one read is tested with all
	 * faults. The other reads are tested with faults that their view or their rate limit handles differently.
	 */
	faults: readonly Fault[];
	/** The keys that open the view with its data. */
	keys: readonly string[];
	/** Data from an earlier read, which must stay on the screen. */
	shown: RegExp;
	/** How the view describes the failure. */
	describe: (failure: FailureText) => string;
	/** A pattern that captures the age of the data and its unit; absent if other reads keep the data fresh. */
	age?: RegExp;
};

const computer = /atlas .*● Active/;

const rows: Readonly<Record<ReadName, Row>> = {
	list: {
		endpoint: 'list',
		faults: ['reset', '503', 'hang', 'throttle', 'unauthorized'],
		keys: [],
		shown: computer,
		describe({ word }) {
			if (word === 'rate limited') return '◐ rate limited';
			if (word === 'signed out') return '◐ signed out';
			// Other reads still succeed, so the header names the list.
			return `list: ${word === 'offline' ? 'no answer' : word}`;
		},
		age: /(?:list: [a-z ]+|signed out) (\d+) ([sm])/,
	},
	status: {
		endpoint: 'status',
		faults: ['reset', 'hang', 'throttle', 'null-data'],
		keys: ['enter'],
		shown: /atlas .*✖ Error/,
		describe: ({ message }) => `The next read failed: ${message}`,
	},
	detail: {
		endpoint: 'detail',
		faults: ['503', 'unauthorized'],
		keys: ['enter'],
		shown: computer,
		describe: ({ message }) => `The next read failed: ${message}`,
	},
	credits: {
		endpoint: 'credits',
		faults: ['reset', 'null-data'],
		keys: ['2'],
		shown: /Credits +\d+\.\d\d/,
		describe: ({ message }) => `Cannot read the credits: ${message}`,
		age: /Billing .* read (\d+) ([sm]) ago/,
	},
	subscription: {
		endpoint: 'subscription',
		faults: ['503', 'null-data'],
		keys: ['2'],
		shown: /Plan +Pro, active/,
		describe: ({ message }) => `Cannot read the plan: ${message}`,
		age: /Pro, active .*read (\d+) ([sm]) ago/,
	},
	release: {
		endpoint: 'latest',
		faults: Object.keys(failureTexts) as Fault[],
		keys: ['4'],
		shown: /Latest +1\.4\.2/,
		describe: ({ message }) => `Cannot read the latest version: ${message}`,
		age: /Versions .* read (\d+) ([sm]) ago/,
	},
	models: {
		endpoint: 'models',
		faults: ['503', 'unauthorized'],
		keys: ['3'],
		shown: /MODEL.*OWNER/,
		describe: ({ message }) => `Cannot read the list of models: ${message}`,
		age: /Models .* read (\d+) ([sm]) ago/,
	},
};

/** Faulty responses that have a valid meaning for one of the reads. */
const validResponses: Partial<Record<ReadName, Partial<Record<Fault, string>>>> = {
	subscription: { 'null-data': 'none; billing is not set up' },
};

const troubleText =
	/Cannot read|failing|[Tt]he next read failed|offline|signed out|unreadable answer|platform error|rate limited|frozen|list:/;

const isHealthy = (monitor: FaultyMonitor) =>
	/live, \d+ s ago/.test(monitor.text()) && !troubleText.test(monitor.text());

/**
 * Long enough for two failures of the list, or one failure of another read. One failure of the list is not enough,
 * because the header stays live while other reads succeed.
 */
function durationOf(read: ReadName, kind: Fault): number {
	if (kind !== 'hang') return 20_000;
	return read === 'list' ? 50_000 : 30_000;
}

/** Reads at once: with R, or directly for the models, which are not polled. */
async function readNow(monitor: FaultyMonitor, read: ReadName) {
	if (read === 'models') monitor.session.watch.readNow([{ name: read }]);
	else await monitor.press('R');
	await monitor.idle();
}

async function openAt(read: ReadName) {
	// If the list has the status, the status of a single computer is read only if its details are open and it has
	// failed.
	const listRecord = read === 'status' ? 'minimal' : 'full';
	const monitor = await openFaultyMonitor({ shapes: { listRecord } });
	if (read === 'status') monitor.simulator.world.fail('atlas', 'no room');
	await monitor.pass(10_000, stepFor(read));
	await monitor.press(...rows[read].keys);
	await monitor.pass(10_000, stepFor(read));
	return monitor;
}

/** A response seems to take a whole step of the clock, and a slow list is polled less often. */
const stepFor = (read: ReadName) => (read === 'list' ? 2_000 : 10_000);

test.each(readNames)(
	'while the read “%s” fails, its view keeps the old data and describes the fault, and the view recovers afterwards',
	async read => {
		const { endpoint, faults, shown, describe, age } = rows[read];
		const monitor = await openAt(read);
		for (const kind of faults) {
			const failure: FailureText = failureTexts[kind];
			const says = (text: string | RegExp) =>
				typeof text === 'string'
					? expect.soft(monitor.text(), kind).toContain(text)
					: expect.soft(monitor.text(), kind).toMatch(text);
			says(shown);
			const from = monitor.clock.now();
			monitor.startFault(endpoint, kind);
			await readNow(monitor, read);
			await monitor.pass(durationOf(read, kind), stepFor(read));
			const other = validResponses[read]?.[kind];
			says(other ?? shown);
			if (other || !failure.word) expect.soft(monitor.text(), kind).not.toMatch(troubleText);
			else {
				says(describe(failure));
				if (age && kind !== 'throttle')
					expect.soft(secondsOf(age.exec(monitor.text())), kind).toBeGreaterThanOrEqual(10);
			}
			if (kind === 'throttle') expectSilence(monitor, from);
			monitor.endFaults();
			if (other) await readNow(monitor, read);
			const took = await monitor.passUntil(() => isHealthy(monitor), 180_000, stepFor(read));
			expect.soft(took, `${kind}\n${monitor.text()}`).toBeLessThanOrEqual(75_000);
		}
		expect(requestsOverLimit(monitor.simulator.requests)).toEqual([]);
	},
);

function secondsOf(match: RegExpExecArray | null): number {
	const [, count, unit] = match ?? [];
	return Number(count) * (unit === 'm' ? 60 : 1);
}

/** Expects that after a refusal the scope sends nothing until the reset that the response named. */
function expectSilence({ simulator }: FaultyMonitor, from: number) {
	const since = simulator.requests.filter(({ arrivedAt: at }) => at >= from);
	const refused = since.find(({ status }) => status === 429);
	const minute = (at: number) => Math.floor(at / 60_000);
	const early = since.filter(
		({ arrivedAt: at, scope }) =>
			refused &&
			scope === refused.scope &&
			at > refused.arrivedAt + 10_000 &&
			minute(at) === minute(refused.arrivedAt),
	);
	expect.soft(refused).toBeDefined();
	expect.soft(early).toEqual([]);
}

// The failure looks like a lost network or sign-in, but all other reads succeed.
test.each(['reset', 'unauthorized'] as const)(
	'after a status read fails with “%s”, its retries back off and no other read is delayed',
	async kind => {
		const monitor = await openFaultyMonitor({ computers: 24 });
		await monitor.pass(30_000);
		const from = monitor.clock.now();
		monitor.startFault('status', kind);
		// Two tries may be a minute apart.
		await monitor.pass(140_000, 5_000);
		const late = monitor.sent('status', from + 50_000);
		expect(late.length).toBeGreaterThanOrEqual(1);
		expect(late.length).toBeLessThanOrEqual(4);
		expect(monitor.sent('subscription', from)).toEqual([]);
		expect(monitor.sent('latest', from)).toEqual([]);
		expect(monitor.text()).toMatch(/live, \d+ s ago/);
	},
);

test('the tests of failing reads cover every read', () => {
	expect(Object.keys(rows).sort()).toEqual([...readNames].sort());
});

import { expect, test } from 'vitest';
import { type ReadName, readNames } from '../../source/fleet/reads.ts';
import type { FaultKind, FaultTarget } from '../../source/simulator/endpoints/faults.ts';
import { type Monitor, openMonitor } from '../driver/monitor.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';
import { type FaultyMonitor, openFaultyMonitor, requestsOverLimit } from './faulty-monitor.ts';

test('a refused sign-in is shown and is retried only rarely', async () => {
	const monitor = await openMonitor({ password: 'wrong' });
	await monitor.see('Cannot read from the platform: Invalid login credentials', 'signed out');
	await monitor.pass(10 * 60_000, 20_000);
	const signIns = monitor.simulator.requests.filter(({ scope }) => scope === 'auth');
	expect(signIns.length).toBeGreaterThan(1);
	expect(signIns.length).toBeLessThan(12);
});

test.each([
	['500', 'platform error', 'Internal error'],
	['throttle', 'rate limited', 'Too many requests'],
] as const)(
	'while every sign-in fails with “%s”, the header says “%s” and the rule below the time of the next try',
	async (kind, words, reason) => {
		const monitor = await openMonitor({ faults: [{ target: 'sign-in', kind }] });
		await monitor.pass(60_000, 10_000).see(`✖ ${words}`);
		await monitor.see(new RegExp(`━ ${words.toUpperCase()} .*next try in \\d+ s`));
		await monitor.see(`Cannot read from the platform: ${reason}`, 'crowsnest keeps trying');
		await monitor.seeNo('signed out');
		const signIns = monitor.simulator.requests.filter(({ scope }) => scope === 'auth');
		expect(signIns.length).toBeLessThanOrEqual(6);
		monitor.simulator.setFaults([]);
		await monitor.pass(90_000, 10_000).see('live, ');
	},
);

test('while the platform answers nothing, a view without data says so, and “R” reads at once when the network is back, although the last sign-in has just failed', async () => {
	const monitor = await openMonitor({ faults: [{ target: '*', kind: 'reset' }] });
	await monitor.pass(20_000, 5_000).see('Cannot read from the platform');
	expect(monitor.text().match(/Cannot read/g), 'said once').toHaveLength(1);
	await monitor.press('3').see('Cannot read the list of models: ');
	await monitor.seeNo('Reading the list of models');
	await monitor.press('1');
	await monitor.pass(10_000, 1_000).see(/next try in \d+ s \(R tries now\)/);
	monitor.simulator.setFaults([]);
	await monitor.press('R');
	await monitor.pass(2_000, 1_000).see('live, ', 'gemini');
});

test('the header does not say offline when the list gets no response but other reads succeed', async () => {
	const monitor = await openMonitor({ faults: [{ target: 'list', kind: 'hang' }] });
	await monitor.pass(2_000).see('Pro', '● – active');
	await monitor.pass(60_000).see(/━ LIST: NO ANSWER .*(next try in \d+ s|trying now)/);
	await monitor.see('The platform answers everything else.');
	await monitor.seeNo(/offline|cannot be reached|0 computers/);
});

test('a response with status 429 stops the reads until the limit resets, and the reads then resume by themselves', async () => {
	const monitor = await openMonitor();
	monitor.simulator.setFaults([{ target: 'list', kind: 'throttle', count: 1 }]);
	await monitor.pass(20_000).see(/rate limited \d+ s, next try in \d+ s/);
	await monitor.press('R').see('Waiting for the rate limit: refreshing at');
	await monitor
		.press('3')
		.see(/will be read at .*: rate limit/, /^ Waiting for the rate limit *$/m);
	await monitor.press('1');
	const readCount = () =>
		monitor.simulator.requests.filter(({ scope }) => scope === 'other').length;
	const before = readCount();
	await monitor.pass(20_000);
	expect(readCount()).toBe(before);
	// The refusal suggests that other clients spend the limit, so the list is read more rarely for a few minutes.
	await monitor.pass(240_000).see('live, ');
	await monitor.seeNo('rate limited');
});

type FailureText = {
	/** The message of the failure; absent if the fault does not make a read fail. */
	message?: string;
	/** The short form in the header. */
	word?: string;
};

/** How the screen describes the faults that the reads below meet. */
const failureTexts = {
	delay: {},
	hang: { message: 'no answer within 15 s', word: 'offline' },
	reset: { message: 'the connection broke', word: 'offline' },
	503: { message: 'The service is being maintained', word: 'platform error' },
	'proxy-page': { message: 'the answer: expected JSON, got a web page', word: 'unreadable answer' },
	throttle: { message: 'Too many requests', word: 'rate limited' },
	unauthorized: { message: 'The access token is missing or has expired', word: 'signed out' },
	'null-data': { message: '', word: 'unreadable answer' },
	crowded: { message: 'the answer: expected at most 420000 values', word: 'unreadable answer' },
} as const satisfies Partial<Record<FaultKind, FailureText>>;

type Fault = `${keyof typeof failureTexts}`;

type Row = {
	endpoint: FaultTarget;
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
		await monitor.see(/live, \d+ s ago/);
	},
);

const second = 1_000;
const minute = 60 * second;

const faint = '\x1b[38;5;245m';
const green = '\x1b[32m';

async function openLive(size: readonly [number, number] = [120, 36]) {
	const monitor = await openFaultyMonitor({ computers: 7, size });
	await monitor.pass(6 * second, 3 * second).see(/\d s ago/);
	return monitor;
}

/** Makes every read fail, and passes the given time. */
async function failAllReads(monitor: FaultyMonitor, milliseconds: number) {
	monitor.startFault('*', '500');
	await monitor.pass(milliseconds, 8 * second);
}

test('rows turn grey and uptimes freeze while the platform does not answer, but not for a single failed read, and recover when it does', async () => {
	const monitor = await openLive();
	monitor.startFault('*', '500', 1);
	for (let at = 0; at < 8; at += 1) {
		await monitor.pass(second);
		expect(monitor.colouredLine('gemini')).toContain(green);
		await monitor.seeNo('what you see was true');
	}
	await failAllReads(monitor, 40 * second);
	const row = monitor.colouredLine('gemini');
	expect(row).not.toContain(green);
	expect(row).toContain(faint);
	expect(row).toMatch(/≥\d+m/);
	await monitor.see(
		/━ PLATFORM ERROR for \d\d s · what you see was true at \d\d:\d\d:\d\d · next try in/,
	);
	const uptime = /≥\w+/.exec(row)?.[0] ?? '';
	await monitor.pass(2 * minute, 40 * second);
	expect(monitor.colouredLine('gemini')).toContain(uptime);
	await monitor.seeNo('live');
	monitor.endFaults();
	await monitor.pass(70 * second).see('live, ');
	expect(monitor.colouredLine('gemini')).toContain(green);
	await monitor.seeNo('what you see was true');
});

test('after an outage, everything is read again, and no more often than before', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, shapes: { list: 'minimal' } });
	await monitor.pass(20 * second, 5 * second);
	monitor.startFault('*', 'reset');
	await monitor.pass(40 * second, 8 * second).see(/OFFLINE/);
	monitor.endFaults();
	await monitor.passUntil(() => monitor.text().includes('live, '), 70 * second, 5 * second);
	monitor.simulator.world.fail('atlas', 'it broke');
	const failedAt = monitor.clock.now();
	await monitor.pass(30 * second, 5 * second).see(/atlas +✖ Error .*it broke/);
	expect(monitor.sent('list', failedAt).length).toBeLessThanOrEqual(8);
});

test('the list stays as fresh as in calm times right after a creation, for which it was read more often', async () => {
	const monitor = await openLive();
	const { world } = monitor.simulator;
	world.add({ state: 'provisioning' });
	await monitor.passUntil(() => monitor.text().includes('5 active'), 2 * minute, 2 * second);
	await monitor.see('5 active');
	for (let at = 0; at < 20; at += 1) {
		await monitor.pass(2 * second, 2 * second);
		const [, age = ''] = /live, (\d+) s/.exec(monitor.text()) ?? [];
		expect(Number(age || Number.NaN)).toBeLessThanOrEqual(10);
	}
});

test('during an outage every row shows that its data is old, in a terminal of any size', async () => {
	const monitor = await openLive([31, 10]);
	await monitor.see(/atlas +● Active/);
	await failAllReads(monitor, 2 * minute);
	expect(monitor.colouredLine('atlas')).not.toContain(green);
	for (const [columns, rows] of [
		[120, 36],
		[80, 24],
		[60, 15],
		[40, 10],
	] as const) {
		monitor.resize(columns, rows);
		await monitor.idle();
		expect(monitor.colouredLine('atlas')).not.toContain(green);
		await monitor.see('PLATFORM ERROR for');
	}
});

test('pressing R when no read is left queues the read, and the footer says when it will be sent', async () => {
	const monitor = await openLive();
	for (let press = 0; press < 30; press += 1) {
		await monitor.press('R');
		monitor.clock.move(300);
		await monitor.idle();
	}
	await monitor.see(/Waiting for the rate limit: refreshing at \d\d:\d\d:\d\d/);
	const before = monitor.sent('list').length;
	await monitor.pass(12 * second, 4 * second).seeNo('live, ');
	await monitor.see(/◐ next (read )?in \d+ s/);
	await monitor.pass(minute, 10 * second);
	expect(monitor.sent('list').length).toBeGreaterThan(before);
	await monitor.see('live, ');
});

test('a monitor that gets its data from another process says nothing of it', async () => {
	const monitor = await openLive();
	const { store, account } = monitor.session;
	store.receive([{ account, at: monitor.clock.now(), type: 'watchShared', leader: '4121' }]);
	await monitor.see(/live, \d+ s ago/);
	await monitor.seeNo(/pane|4121/);
});

test('an outage is shown although the clock was set back by an hour, so that the last answer lies in the future', async () => {
	const monitor = await openLive();
	monitor.clock.jump(-60 * minute);
	await failAllReads(monitor, 60 * second);
	await monitor.see(/━ PLATFORM ERROR/);
	expect(monitor.colouredLine('gemini')).not.toContain(green);
	await monitor.seeNo('live');
});

/** Adds a computer whose id cannot be part of a path, and returns a function that restores the id. */
function addUnreadable({ simulator }: Pick<Monitor, 'simulator'>) {
	const computer = simulator.world.add({ name: 'nowhere' });
	const { id } = computer;
	Object.assign(computer, { id: '..' });
	return () => Object.assign(computer, { id });
}

test('the monitor says how many records of the list could not be read, until they can', async () => {
	const monitor = await openMonitor({ size: [60, 15] });
	await monitor.see('live, ');
	await monitor.seeNo('unreadable');
	const restoreId = addUnreadable(monitor);
	await monitor.pass(15_000, 5_000).see('1 unreadable', 'live, ');
	restoreId();
	await monitor.pass(15_000, 5_000).seeNo('unreadable');
});

// The statuses of single computers do not come, so that what only they tell stays unread.
const withoutStatuses = {
	shapes: { list: 'minimal' },
	faults: [{ target: 'status', kind: 'hang' }],
} as const;

test('the question of an update says that the version is not read yet, and the reason of an error stands as soon as the details are open, also in the row', async () => {
	const monitor = await openMonitor(withoutStatuses);
	await monitor.goTo('gemini');
	await monitor.press('u').see('version not read yet → 1.4.2');
	await monitor.press('escape', '/status:error', 'enter').see(/draco +✖ Error +…/);
	monitor.simulator.setFaults([]);
	await monitor.press('enter', 'R');
	await monitor.pass(3_000).see('image pull failed');
	await monitor.press('escape').see(/draco +✖ Error +.*(image pull failed|disk quota exceeded)/);
});

test('the ear hears what is not read yet, and how many records of the list could not be read', async () => {
	const monitor = await openSpokenMonitor(withoutStatuses);
	await monitor.press('e').hear(/draco, Error.*, reason and version not read yet/);
	addUnreadable(monitor);
	await monitor.pass(15_000);
	await monitor.press('ctrl-l').hear('1 record could not be read.');
});

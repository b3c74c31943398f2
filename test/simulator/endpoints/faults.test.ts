import { expect, test } from 'vitest';
import {
	createFaults,
	type Fault,
	faultNames,
} from '../../../source/simulator/endpoints/faults.ts';
import { faultsFromText } from '../../../source/simulator/simulator.ts';
import { minutes, openSimulator, seconds } from '../open-simulator.ts';

type Opened = Awaited<ReturnType<typeof openSimulator>>;

const struckBy = (kind: Fault['kind'], more: Partial<Fault> = {}) =>
	openSimulator({ computers: 1, faults: [{ target: 'stop', kind, count: 1, ...more }] });

const stop = ({ post, path }: Opened) => post(`${path('atlas')}/stop`);
const isStopped = ({ world }: Opened) => world.get('atlas').state !== 'active';

/** The answer that a client receives with each fault, and whether the computer is stopped anyway. */
const seen: Readonly<
	Partial<Record<Fault['kind'], { status: number; text: string | RegExp; isDone: boolean }>>
> = {
	500: { status: 500, text: /internal_error/, isDone: false },
	502: { status: 502, text: /bad_gateway/, isDone: false },
	503: { status: 503, text: /unavailable/, isDone: false },
	'proxy-page': { status: 200, text: /^<!doctype html>/, isDone: true },
	'proxy-error': { status: 502, text: /^<!doctype html>/, isDone: false },
	'broken-json': { status: 200, text: /^\{"success":true.*\{"$/, isDone: true },
	empty: { status: 200, text: '', isDone: true },
	throttle: { status: 429, text: /rate_limited/, isDone: false },
	unauthorized: { status: 401, text: /unauthorized/, isDone: false },
	'wrong-type': { status: 200, text: '[1,2,3]', isDone: true },
	'null-data': { status: 200, text: '{"data":null}', isDone: true },
	303: { status: 303, text: /success/, isDone: true },
	408: { status: 408, text: /took too long/, isDone: true },
	425: { status: 425, text: /took too long/, isDone: true },
	499: { status: 499, text: /took too long/, isDone: true },
	crowded: { status: 200, text: /^\[\{\},\{\},/, isDone: true },
	deep: { status: 200, text: /^\[{1000}/, isDone: true },
};

test.each(Object.entries(seen))(
	'the fault “%s” has the documented response, and the operation is done or not done as documented',
	async (kind, { status, text, isDone }) => {
		const opened = await struckBy(faultNames.kind.find(each => each === kind) ?? 'hang');
		const answer = await stop(opened);
		expect(answer.status).toBe(status);
		expect(answer.text).toMatch(text);
		expect(isStopped(opened)).toBe(isDone);
		expect(await opened.post(`${opened.path('atlas')}/stop`)).toMatchObject({
			status: isDone ? 409 : 200,
		});
	},
);

test.each([
	['reset', false],
	['lost', true],
	['truncated', true],
] as const)('the fault “%s” ends the connection', async (kind, isDone) => {
	const opened = await struckBy(kind);
	await expect(stop(opened)).rejects.toThrow();
	expect(isStopped(opened)).toBe(isDone);
	expect(opened.simulator.requests.at(-1)?.status).toBe(kind === 'truncated' ? 200 : 0);
});

test('the fault “truncated” also cuts off a response without a body', async () => {
	const opened = await struckBy('truncated');
	opened.simulator.setShapes({ acknowledgement: 'empty' });
	await expect(stop(opened)).rejects.toThrow();
	expect(isStopped(opened)).toBe(true);
});

test('the fault “delay” delays the answer by the simulator’s clock', async () => {
	const opened = await struckBy('delay', { delayMs: 700 });
	const answer = stop(opened);
	await arrived(opened);
	opened.clock.move(699);
	await opened.get('/models');
	expect(isStopped(opened)).toBe(false);
	opened.clock.move(1);
	expect(await answer).toMatchObject({ status: 200 });
	expect(isStopped(opened)).toBe(true);
});

test('a client that disconnects during a delayed response leaves no timer or request behind', async () => {
	const opened = await struckBy('delay');
	const leaving = new AbortController();
	const url = `${opened.simulator.baseUrl}${opened.path('atlas')}/stop`;
	const headers = { Authorization: `Bearer ${opened.token}`, 'Content-Type': 'application/json' };
	const asked = fetch(url, { method: 'POST', headers, signal: leaving.signal });
	await arrived(opened);
	leaving.abort();
	await expect(asked).rejects.toThrow();
	while (opened.clock.waiting > 0) await opened.get('/models');
	opened.clock.move(minutes(1));
	expect(isStopped(opened)).toBe(false);
});

test('a request under the fault “hang” gets no response, and is cut off when the simulator closes', async () => {
	const opened = await struckBy('hang');
	const answer = stop(opened);
	const cut = expect(answer).rejects.toThrow();
	await arrived(opened);
	opened.clock.move(minutes(60));
	await opened.get('/models');
	expect(opened.simulator.requests.find(({ path }) => path.endsWith('/stop'))?.status).toBe(0);
	await opened.simulator.close();
	await cut;
});

/** Waits until the simulator has received the last request. */
async function arrived({ simulator, get, clock }: Opened) {
	while (!simulator.requests.some(({ path }) => path.endsWith('/stop'))) await get('/models');
	expect(clock.now()).toBe(simulator.requests[0]?.arrivedAt);
}

test('the fault “throttle” sends Retry-After although the rate limit is not used up', async () => {
	const opened = await struckBy('throttle');
	opened.clock.move(seconds(15));
	const { headers } = await stop(opened);
	expect(headers.get('X-RateLimit-Remaining')).toBe('0');
	expect(headers.get('Retry-After')).toBe('45');
});

test('a fault affects only its endpoint, and only as many requests as its count says', async () => {
	const opened = await openSimulator({ faults: faultsFromText('models:500:2x,credits:503:1x') });
	const statuses = [];
	for (let asked = 0; asked < 4; asked++) statuses.push((await opened.get('/models')).status);
	expect(statuses).toEqual([500, 500, 200, 200]);
	expect(await opened.get('/billing/subscription')).toMatchObject({ status: 200 });
	expect(await opened.get('/billing/credits')).toMatchObject({ status: 503 });

	opened.simulator.setFaults([{ target: '*', kind: '502' }]);
	expect(await opened.get('/models')).toMatchObject({ status: 502 });
	expect(await opened.signIn()).toMatchObject({ status: 502 });
	opened.simulator.setFaults([]);
	expect(await opened.get('/models')).toMatchObject({ status: 200 });
});

test('the seed decides which requests a fault with a probability affects', () => {
	const strikes = (seed: number) => {
		const faults = createFaults(seed, [{ target: 'list', kind: '500', chance: 0.3 }]);
		return Array.from({ length: 1_000 }, () => faults.strike('list').length);
	};
	const struck = strikes(1).reduce((sum, each) => sum + each, 0);
	expect(struck).toBeGreaterThan(250);
	expect(struck).toBeLessThan(350);
	expect(strikes(1)).toEqual(strikes(1));
	expect(strikes(1)).not.toEqual(strikes(2));
});

test('faults are read from the text of the --faults option', () => {
	expect(faultsFromText('status:503:0.1, list:hang,stop:lost:1x,*:delay:300ms:0.5:2x')).toEqual([
		{ target: 'status', kind: '503', chance: 0.1 },
		{ target: 'list', kind: 'hang' },
		{ target: 'stop', kind: 'lost', count: 1 },
		{ target: '*', kind: 'delay', delayMs: 300, chance: 0.5, count: 2 },
	]);
	expect(faultsFromText('')).toEqual([]);
});

test.each([
	['sttaus:503', 'sttaus'],
	['status', 'Use one of: delay, hang'],
	['status:teapot', 'Use one of: delay, hang'],
	['status:503:7', 'Use a chance'],
	['status:503:often', 'Use a chance'],
	['status:503:.', 'Use a chance'],
])('the simulator refuses the --faults option “%s” and lists the valid names', (text, message) => {
	expect(() => faultsFromText(text)).toThrow(message);
});

test('every kind of fault has a test in this file', () => {
	const others = ['delay', 'hang', 'reset', 'lost', 'truncated'];
	expect([...Object.keys(seen), ...others].sort()).toEqual([...faultNames.kind].sort());
});

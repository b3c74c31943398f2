import { describe, expect, test } from 'vitest';
import type { FaultKind } from '../../source/simulator/endpoints/faults.ts';
import { changesOf, createOperateHost, startSimulator } from '../cli/host.ts';

// The commands that send requests to the platform, each with the request that fails.
const asking = [
	['list', 'list'],
	['show atlas', 'list'],
	['open atlas 8080', 'list'],
	['models', 'models'],
	['versions', 'latest'],
	['credits', 'credits'],
	['subscription', 'subscription'],
	['billing setup --yes', 'initialize'],
	['checkout --yes', 'checkout'],
	['stop atlas --yes', 'list'],
	['new --yes', 'list'],
] as const;

const ends = [
	['500', 1, 'server'],
	['unauthorized', 4, 'auth'],
	['proxy-page', 1, 'unreadable'],
	['reset', 1, 'offline'],
] as const satisfies readonly (readonly [FaultKind, number, string])[];

describe.each(asking)('crowsnest %s', (line, target) => {
	const words = line.split(' ');

	test.each(ends)(
		'fails under the fault "%s" with exit code %i, and names the cause',
		async (kind, wanted, why) => {
			const simulator = await startSimulator({ faults: [{ target, kind }] });
			const host = createOperateHost(simulator);
			const plain = await host.run(...words);
			expect(plain).toMatchObject({ code: wanted, out: '' });
			expect(plain.err).toMatch(/^crowsnest: .+\n(.+\n)?$/);
			const { code, out, err } = await host.run(...words, '--json');
			expect({ code, out }).toEqual({ code: wanted, out: '' });
			expect(Object.keys(JSON.parse(err).error)).toEqual(['kind', 'message', 'advice']);
			expect(JSON.parse(err).error.kind).toBe(why);
		},
	);

	test('exits with code 3 after --timeout when the platform does not answer', async () => {
		const simulator = await startSimulator({ faults: [{ target, kind: 'hang' }] });
		const host = createOperateHost(simulator);
		const { code, out, err } = await host.run(...words, '--timeout', '5');
		expect({ code, out }).toEqual({ code: 3, out: '' });
		expect(err).toContain('Timed out after 5 s');
		expect(changesOf(simulator).length).toBeLessThan(2);
	});
});

test.each([
	['credits', 'credits'],
	['checkout --yes', 'checkout'],
	// The identity provider has rate limits of its own, which the limiter does not count.
	['models', 'sign-in'],
] as const)(
	'crowsnest %s waits when a rate limit refuses its request, and prints a notice',
	async (line, target) => {
		const faults = [{ target, kind: 'throttle', count: 1 }] as const;
		// With a fixed window, the wait could be over at once, and the notice would be missing.
		const simulator = await startSimulator({ faults, shapes: { window: 'rolling' } });
		const host = createOperateHost(simulator);
		const { code, out, err } = await host.run(...line.split(' '), '--json');
		expect(code).toBe(0);
		expect(JSON.parse(out)).toBeTypeOf('object');
		expect(JSON.parse(err).notice.message).toMatch(/^Waiting for the rate limit, about /);
		expect(simulator.requests.length).toBeLessThan(4);
	},
);

test.each([
	['no password is configured', undefined, 'no password: type it in a terminal'],
	['the password is wrong', 'wrong', 'Invalid login credentials'],
])(
	'crowsnest in a pipe exits with code 4 and asks for no password when %s',
	async (_, password, why) => {
		const simulator = await startSimulator();
		const host = createOperateHost(simulator);
		if (password === undefined) delete host.host.program.env['CROWSNEST_PASSWORD'];
		else host.host.program.env['CROWSNEST_PASSWORD'] = password;
		const { code, out, err } = await host.run();
		expect({ code, out }).toEqual({ code: 4, out: '' });
		expect(err).toContain(why);
	},
);

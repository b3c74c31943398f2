import { expect, test } from 'vitest';
import { commands } from '../../../source/cli/catalog.ts';
import type { Shapes } from '../../../source/simulator/simulator.ts';
import { changesOf, createOperateHost, startSimulator } from '../host.ts';

/** Returns the names of the JSON fields that a command documents. */
const documented = (name: string) =>
	Object.keys(commands.find(each => each.name === name)?.json?.fields ?? {});

const shapes: readonly Partial<Shapes>[] = [
	{},
	{ envelope: 'wrapped', case: 'camel', list: 'sandboxes', numbers: 'strings' },
	{
		envelope: 'data',
		credits: 'string',
		subscription: 'plain',
		models: 'models',
		version: 'changelog',
	},
	{
		credits: 'number',
		subscription: 'null',
		models: 'bare',
		checkout: 'session',
		listRecord: 'metadata',
	},
];

test.each(shapes)(
	'the account commands print the documented JSON fields when the response has the shape %j',
	async shape => {
		const simulator = await startSimulator({ computers: 3, shapes: shape });
		simulator.world.setPaymentMethod(true);
		const host = createOperateHost(simulator);
		const { id } = simulator.world.add({ name: 'web', ports: [8080] });
		for (const [name, ...words] of [
			['list'],
			['show', id],
			['models'],
			['versions'],
			['credits'],
			['subscription'],
			['billing setup', '--yes'],
			['checkout', '--yes'],
			['open', id, '8080'],
			['start', id, '--yes'],
			['profiles'],
			['doctor'],
		] as const) {
			const { out, err } = await host.run(...name.split(' '), ...words, '--json');
			const parsed = JSON.parse(out || `{"nothing": ${JSON.stringify(err)}}`);
			const record = Array.isArray(parsed) ? parsed[0] : parsed;
			expect(Object.keys(record), name).toEqual(documented(name));
		}
	},
);

test('models prints the models as a table and as JSON', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	const { code, out } = await host.run('models');
	expect(code).toBe(0);
	expect(out).toMatch(/^MODEL.* OWNER +CONTEXT +INPUT +OUTPUT\n/);
	expect(out).toMatch(/^lantern-large +lighthouse +400k +3\.00 +15\.00$/m);
	const models = JSON.parse((await host.run('models', '--json')).out);
	expect(models).toContainEqual({
		id: 'lantern-large',
		owner: 'lighthouse',
		contextWindow: 400_000,
		inputPrice: 3,
		outputPrice: 15,
	});
});

test('versions prints the latest version with its notes and the versions in use', async () => {
	const simulator = await startSimulator({ computers: 0 });
	for (const version of ['1.0.0', '1.0.0', '99.0.0']) simulator.world.add({ version });
	const host = createOperateHost(simulator);
	const { out } = await host.run('versions');
	expect(out).toMatch(/^Latest +\d+\.\d+\.\d+ +stable +released /);
	expect(out).toContain('2 of 3 behind');
	expect(out).toMatch(/^1\.0\.0 . +2$/m);
	const { latest, running, behind } = JSON.parse((await host.run('versions', '--json')).out);
	expect(latest).toMatch(/^\d+\.\d+\.\d+$/);
	expect(running).toEqual([
		{ version: '99.0.0', count: 1, isBehind: false },
		{ version: '1.0.0', count: 2, isBehind: true },
	]);
	expect(behind).toBe(2);
});

test('versions reads no computer one by one', async () => {
	const simulator = await startSimulator({ computers: 4, shapes: { list: 'minimal' } });
	const { out } = await createOperateHost(simulator).run('versions', '--json');
	expect(JSON.parse(out)).toMatchObject({ behind: 0 });
	expect(simulator.requests.filter(({ path }) => path.includes('/sb_'))).toEqual([]);
});

test('subscription prints the plan, or says that there is no subscription', async () => {
	const simulator = await startSimulator({ plan: 'pro' });
	const host = createOperateHost(simulator);
	const { out } = await host.run('subscription');
	expect(out).toMatch(
		/^Plan +Pro, active\nRenews +\S+ \S+ \(in \d+ d[^\n]*\)\nAuto-sleep after 30 min idle\n/,
	);
	expect(JSON.parse((await host.run('subscription', '--json')).out)).toMatchObject({
		plan: 'pro',
		sleepsAfter: 1800,
	});
	simulator.setShapes({ subscription: 'null' });
	expect((await host.run('subscription')).out).toMatch(
		/^Plan +none; billing is not set up\nNext step +`crowsnest billing setup` starts billing\n/,
	);
	expect(JSON.parse((await host.run('subscription', '--json')).out).plan).toBeNull();
});

test('billing setup starts billing after a question, and reports a refusal of the platform', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	expect((await host.run('billing', 'setup')).code).toBe(2);
	expect((await host.run('billing', 'setup', '--yes', '--read-only')).code).toBe(1);
	expect(changesOf(simulator)).toEqual([]);
	expect(await host.run('billing', 'setup', '--yes')).toMatchObject({ code: 0, err: '' });
	const atTerminal = createOperateHost(simulator, { isTerminal: true });
	const refused = atTerminal.run('billing', 'setup');
	await atTerminal.answer('Start billing? y / n', 'n\r');
	expect((await refused).code).toBe(3);
	expect(changesOf(simulator)).toHaveLength(1);
	simulator.world.setPaymentMethod(false);
	const { code, err } = await host.run('billing', 'setup', '--yes', '--json');
	expect(code).toBe(1);
	expect(JSON.parse(err).error.kind).toBe('payment');
});

test('checkout says after --timeout whether the payment page was requested', async () => {
	const simulator = await startSimulator({ faults: [{ target: 'checkout', kind: 'hang' }] });
	const host = createOperateHost(simulator);
	const { code, err } = await host.run('checkout', '--yes', '--timeout', '1');
	expect(code).toBe(3);
	expect(err).toContain('Timed out after 1 s. Sent, outcome unknown');
	simulator.setFaults([{ target: 'sign-in', kind: 'hang' }]);
	const stranger = createOperateHost(simulator);
	const unsent = await stranger.run('checkout', '--yes', '--timeout', '1');
	expect(unsent.err).toContain('Timed out after 1 s. Nothing was sent');
});

test('checkout prints the address of the payment page on stdout and the QR code on stderr', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	const plain = await host.run('checkout', '--yes');
	expect(plain).toMatchObject({ code: 0, err: '' });
	expect(plain.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pay\/\w+\n$/);
	const coded = await host.run('checkout', '--yes', '--qr');
	expect(coded.out).toMatch(/^http:\S+\n$/);
	expect(coded.err.split('\n').length).toBeGreaterThan(15);
});

test('checkout does not repeat a request for a payment page whose response was lost', async () => {
	const simulator = await startSimulator({ faults: [{ target: 'checkout', kind: 'lost' }] });
	const { code, err } = await createOperateHost(simulator).run('checkout', '--yes');
	expect(code).toBe(1);
	expect(err).toContain('Sent, outcome unknown');
	expect(changesOf(simulator)).toHaveLength(1);
});

test('open prints the public address of a port, and with --share the address with a token', async () => {
	const simulator = await startSimulator({ computers: 0 });
	const { id } = simulator.world.add({ name: 'web', ports: [8080] });
	const host = createOperateHost(simulator);
	const url = `${simulator.baseUrl}/p/${id}/8080`;
	expect(await host.run('open', 'web', '8080')).toEqual({ code: 0, out: `${url}\n`, err: '' });
	const opened = JSON.parse((await host.run('open', 'web', '8080', '--json')).out);
	expect(opened).toMatchObject({ id, name: 'web', port: 8080, url });
	const shared = await host.run('open', 'web', '8080', '--share');
	expect(shared).toMatchObject({ code: 0, out: `${opened.shareUrl}\n` });
	expect(opened.shareUrl).toContain('/p/share/');
	const other = await host.run('open', 'web', '9090');
	expect(other).toMatchObject({ code: 1, out: '' });
	expect(other.err).toBe('crowsnest: Port 9090 of web is not published\nPublished ports: 8080\n');
	expect(await host.run('open', 'web')).toEqual({ code: 0, out: `${url}\n`, err: '' });
	simulator.world.add({ name: 'both', ports: [80, 81] });
	simulator.world.add({ name: 'none' });
	expect(await host.run('open', 'both')).toMatchObject({
		code: 2,
		err: expect.stringMatching(/several ports.*8[01], 8[01]/),
	});
	expect(await host.run('open', 'none')).toMatchObject({
		code: 1,
		err: expect.stringContaining('publishes no port'),
	});
	for (const words of [
		['web', 'http'],
		['web', '0'],
		['web', '80', '81'],
	]) {
		expect((await host.run('open', ...words)).code).toBe(2);
	}
});

test('open does not claim that a port is published when the platform does not report ports', async () => {
	const shapes = { ports: 'none' } as const;
	const simulator = await startSimulator({ computers: 1, shapes });
	const { code, out, err } = await createOperateHost(simulator).run('open', 'atlas', '8080');
	expect({ code, out }).toEqual({ code: 1, out: '' });
	expect(err).toContain('The platform does not report the published ports of atlas');
});

test('open knows from the journal which ports this host published, when the platform does not report ports', async () => {
	const simulator = await startSimulator({ computers: 1, shapes: { ports: 'none' } });
	const host = createOperateHost(simulator);
	const address = `${simulator.baseUrl}/p/${simulator.world.get('atlas').id}/8080`;
	expect((await host.run('publish', 'atlas', '8080', '--yes')).code).toBe(0);
	host.clock.move(120_000);
	expect(await host.run('open', 'atlas', '8080')).toEqual({
		code: 0,
		out: `${address}\n`,
		err: 'From the journal of this host: atlas published 8080 2 m ago.\n',
	});
	expect(await host.run('open', 'atlas', '9090')).toMatchObject({ code: 1, out: '' });
	expect(await host.run('open', 'atlas', '8080', '--share')).toMatchObject({ code: 1, out: '' });
	expect((await host.run('unpublish', 'atlas', '8080', '--yes')).code).toBe(0);
	expect(await host.run('open', 'atlas', '8080')).toMatchObject({ code: 1, out: '' });
});

import { expect, test } from 'vitest';
import { changesOf, createOperateHost, startSimulator } from '../host.ts';

test('checkout does not repeat a request for a payment page whose response was lost', async () => {
	const simulator = await startSimulator({ faults: [{ target: 'checkout', kind: 'lost' }] });
	const { code, err } = await createOperateHost(simulator).run('checkout', '--yes');
	expect(code).toBe(1);
	expect(err).toContain('Sent, outcome unknown');
	expect(changesOf(simulator)).toHaveLength(1);
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

import { expect, test } from 'vitest';
import { createOperateHost, startSimulator } from '../host.ts';

test('neither completion nor the log shows what another person did under the same profile name', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	expect(await host.run('start', 'cygnus', '--yes', '--wait')).toMatchObject({ code: 0 });
	expect((await host.run('complete', '--', 'stop', '')).out).toContain('cygnus');
	expect((await host.run('log')).out).toContain('cygnus');

	host.host.program.env['CROWSNEST_EMAIL'] = 'bob@example.com';
	expect((await host.run('complete', '--', 'stop', '')).out).toBe('');
	expect(await host.run('log')).toMatchObject({
		out: '',
		err: 'No change of this account is recorded yet\n',
	});

	host.host.program.env['CROWSNEST_EMAIL'] = simulator.email;
	expect((await host.run('complete', '--', 'stop', '')).out).toContain('cygnus');
	host.host.program.env['CROWSNEST_URL'] = simulator.baseUrl.replace('127.0.0.1', 'localhost');
	expect((await host.run('complete', '--', 'stop', '')).out).toBe('');
});

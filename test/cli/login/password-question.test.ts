import { expect, test } from 'vitest';
import { createTestHost, startSimulator } from '../host.ts';

test.each([
	['watch', 'Ctrl-C', '\u0003'],
	['watch', 'Ctrl-D', '\u0004'],
	['list', 'Ctrl-C', '\u0003'],
	['stop atlas', 'Ctrl-D', '\u0004'],
	['doctor', 'Ctrl-D', '\u0004'],
])('“crowsnest %s” exits with 130 on %s at the question for the password', async (line, _, key) => {
	const simulator = await startSimulator();
	const host = createTestHost({
		env: {
			CROWSNEST_URL: simulator.baseUrl,
			CROWSNEST_AUTH_URL: simulator.authUrl,
			CROWSNEST_ANON_KEY: simulator.anonKey,
			CROWSNEST_EMAIL: simulator.email,
		},
	});
	const ended = host.run(...line.split(' '));
	await host.answer('(not shown): ', key);
	expect(await ended).toBe(130);
	expect(host.isRaw()).toBe(false);
	expect(host.output().split('(not shown): ')[1]).toMatch(/^\s*$/);
	expect(simulator.requests).toEqual([]);
});

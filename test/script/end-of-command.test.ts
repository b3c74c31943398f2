import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountKey } from '../../source/accounts/credentials.ts';
import { appendLines, readLines } from '../../source/journal/log-files.ts';
import { pathsOf } from '../../source/session/host.ts';
import { createOperateHost, startSimulator } from '../cli/host.ts';

const earlierLines = 10_000;

test.each([['list'], ['show', 'atlas', '--json'], ['stop', 'atlas', '--yes']])(
	'%s is over when it has printed, and what it saw is in a long journal',
	async (...words) => {
		const simulator = await startSimulator({ computers: 3 });
		const { host, run } = createOperateHost(simulator);
		host.bootIdentity = () => ['machine', 'boot'];
		await run('list');
		const { statePath } = pathsOf(host);
		const directory = join(statePath, 'log');
		const account = accountKey({ baseUrl: simulator.baseUrl, user: simulator.email });
		const at = host.clock.now();
		const lineOf = (index: number) =>
			JSON.stringify({
				version: 1,
				account,
				what: {
					type: 'statusChanged',
					id: `sb_${index}`,
					from: 'active',
					to: 'error',
					at,
					notBefore: at,
				},
			});
		appendLines(
			directory,
			Array.from({ length: earlierLines }, (_, index) => lineOf(index)),
			at,
		);
		simulator.clock.move(60_000);
		simulator.world.fail('cygnus');
		const { id } = simulator.world.get('cygnus');

		const timers = new Set<object>();
		const { clock } = host;
		host.clock = {
			...clock,
			after(milliseconds, call) {
				const timer = {};
				timers.add(timer);
				const cancel = clock.after(milliseconds, () => {
					timers.delete(timer);
					call();
				});
				return () => {
					timers.delete(timer);
					cancel();
				};
			},
		};
		expect(await run(...words)).toMatchObject({ code: 0 });
		expect(timers.size).toBe(0);
		const isNews = (line: string) => line.includes(id) && line.includes('"to":"error"');
		expect(readLines(directory).filter(isNews)).toHaveLength(1);
	},
);

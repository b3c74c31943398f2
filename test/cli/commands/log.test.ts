import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { accountKey } from '../../../source/accounts/credentials.ts';
import type { Change } from '../../../source/fleet/change.ts';
import { appendLines } from '../../../source/journal/log-files.ts';
import { openElection } from '../../../source/session/state-folder.ts';
import { bootIdentity, createOperateHost, startSimulator } from '../host.ts';

const minute = 60_000;

type LoggedChange = readonly [minutes: number, change: Partial<Change>, machine?: string];

/** Creates a host with a journal of these changes, each a number of minutes old. */
async function hostWith(...changes: readonly LoggedChange[]) {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	Object.assign(host.host, { bootIdentity });
	const now = simulator.clock.now();
	const account = accountKey({ baseUrl: simulator.baseUrl, user: simulator.email });
	appendLines(
		`${host.folder}/state/log`,
		changes.map(([minutes, change, machine]) => {
			const at = now - minutes * minute;
			const what = { at, notBefore: at, ...change };
			return JSON.stringify({ version: 1, account, what, machine });
		}),
		now,
	);
	return { simulator, host, account };
}

const move = (name: string, to: 'sent' | 'settled' | 'failed', more: object = {}) =>
	({
		type: 'operationMoved',
		wish: { key: `key-${name}`, operation: 'stop', computer: `id-${name}`, name, batch: 'b1' },
		to,
		took: 4_000,
		...more,
	}) as const;

test('log and status say why they cannot read a state folder that is a file', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	writeFileSync(`${host.folder}/state`, '');
	const { code, out, err } = await host.run('log');
	expect({ code, out }).toEqual({ code: 1, out: '' });
	expect(err).toMatch(
		/^crowsnest: Cannot read the journal: \S+: a part of the path is not a directory\n$/,
	);
	const status = await host.run('status');
	expect(status).toMatchObject({ code: 1, out: 'no data\n' });
	expect(status.err).toMatch(/Cannot read the last known fleet: \S+: a part of the path/);
});

test('log says that the outcome of an operation is unknown if its process was killed', async () => {
	const { host, account } = await hostWith(
		[30, stopSent('atlas', 'killed')],
		[20, stopSent('borealis', 'running')],
		[10, { ...stopSent('cygnus', 'killed'), to: 'settled' }],
	);
	const running = openElection({ ...host.host, processId: 'running' }, account);
	onTestFinished(() => running?.close());
	await running?.listen();
	const { out } = await host.run('log');
	expect(out).toContain('atlas: stop outcome unknown: crowsnest ended while it ran');
	expect(out).toContain('borealis: stop requested');
	expect(out.match(/unknown/g)).toHaveLength(1);
	const records = JSON.parse((await host.run('log', '--json')).out);
	expect(records.map(({ name, to }: { name: string; to: string }) => [name, to])).toEqual([
		['cygnus', 'settled'],
		['borealis', 'sent'],
		['atlas', 'unknown'],
		['atlas', 'sent'],
	]);
});

test('log names no process of another machine with the same home folder, and does not say that it ended', async () => {
	const { host } = await hostWith(
		[30, stopSent('atlas', 'one'), 'another machine'],
		[20, move('draco', 'settled', { pane: 'other' }), 'another machine'],
	);
	const { out } = await host.run('log', '--all');
	expect(out).toContain('atlas: stop requested\n');
	expect(out).toContain('draco: stopped by you on another machine\n');
});

function stopSent(name: string, pane: string) {
	const wish = { key: name, operation: 'stop', computer: `sb_${name}`, name };
	return { type: 'operationMoved' as const, wish, to: 'sent' as const, took: 0, pane };
}

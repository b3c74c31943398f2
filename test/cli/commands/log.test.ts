import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accountKey } from '../../../source/accounts/credentials.ts';
import type { Change } from '../../../source/fleet/change.ts';
import { createLineFile } from '../../../source/journal/line-file.ts';
import { changeFields } from '../../../source/script/json-records.ts';
import { createOperateHost, startSimulator } from '../host.ts';

const minute = 60_000;

type LoggedChange = readonly [minutes: number, change: Partial<Change>, machine?: string];

/** Creates a host with a journal of these changes, each a number of minutes old. */
async function hostWith(...changes: readonly LoggedChange[]) {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	const now = simulator.clock.now();
	const account = accountKey({ baseUrl: simulator.baseUrl, user: simulator.email });
	const file = createLineFile({
		directory: `${host.folder}/state/journal`,
		baseName: 'journal',
		clock: simulator.clock,
		pid: 1,
		maxFileBytes: 1_000_000,
		onProblem: message => expect(message).toBe(''),
	});
	file.append(
		changes.map(([minutes, change, machine]) => {
			const at = now - minutes * minute;
			const what = { at, notBefore: at, ...change };
			return JSON.stringify({ version: 1, account, what, machine });
		}),
	);
	await file.flush();
	return { simulator, host };
}

const stopped = {
	type: 'statusChanged',
	id: 'sb_1',
	name: 'atlas',
	from: 'active',
	to: 'stopped',
} as const;
const failed = { ...stopped, id: 'sb_2', name: 'draco', to: 'error' } as const;
const released = { type: 'released', from: '1.4.1', to: '1.4.2' } as const;

test('log prints the recorded changes newest first, without a request', async () => {
	const { simulator, host } = await hostWith([90, stopped], [30, failed], [5, released]);
	const { code, out, err } = await host.run('log');
	expect({ code, err }).toEqual({ code: 0, err: '' });
	const lines = out.split('\n');
	expect(lines[0]).toContain('version 1.4.2 is out');
	expect(lines[1]).toContain('draco: active → error');
	expect(lines[2]).toContain('atlas: active → stopped');
	expect(simulator.requests).toEqual([]);
});

test('log selects changes by words, by time and by number', async () => {
	const { host } = await hostWith([90, stopped], [30, failed], [5, released]);
	const names = async (...words: readonly string[]) =>
		JSON.parse((await host.run('log', '--json', ...words)).out).map(
			({ name, event }: { name: string | null; event: string }) => name ?? event,
		);
	expect(await names()).toEqual(['version', 'draco', 'atlas']);
	expect(await names('--filter', 'active -error')).toEqual(['atlas']);
	expect(await names('--since', '1h')).toEqual(['version', 'draco']);
	expect(await names('--limit', '1')).toEqual(['version']);
	for (const wrong of [
		['--since', 'yesterday'],
		['--since', '0m'],
		['--limit', '0'],
	]) {
		expect((await host.run('log', ...wrong)).code).toBe(2);
	}
});

test('log NAME prints the changes of that computer, by its name or its id', async () => {
	const { host } = await hostWith(
		[30, { ...stopped, id: 'sb_1', name: 'atlas' }],
		[20, { ...stopped, id: 'sb_2', name: 'borealis' }],
	);
	for (const word of ['borealis', 'sb_2']) {
		const { code, out } = await host.run('log', word);
		expect({ code, lines: out.trim().split('\n').length }).toEqual({ code: 0, lines: 1 });
		expect(out).toContain('borealis: ');
	}
	expect(await host.run('log', 'nobody')).toMatchObject({
		code: 0,
		out: '',
		err: expect.stringContaining('No recorded change matches'),
	});
});

test('log says on stderr when there is no change to print', async () => {
	const simulator = await startSimulator();
	const stranger = createOperateHost(simulator);
	const empty = await stranger.run('log');
	expect(empty).toEqual({ code: 0, out: '', err: 'No change of this account is recorded yet\n' });
	expect(await stranger.run('log', '--json')).toEqual({ code: 0, out: '[]\n', err: '' });
	const { host } = await hostWith([90, stopped]);
	const none = await host.run('log', '--since', '1h');
	expect(none).toEqual({ code: 0, out: '', err: 'No recorded change matches\n' });
});

test('log --json prints the documented fields', async () => {
	const { host } = await hostWith([1, stopped], [1, released]);
	const records = JSON.parse((await host.run('log', '--json')).out);
	for (const record of records) expect(Object.keys(record)).toEqual(Object.keys(changeFields));
	expect(records[1]).toMatchObject({ event: 'status', id: 'sb_1', from: 'active', to: 'stopped' });
});

test('log says why a computer was in error, also after it has recovered', async () => {
	const { host } = await hostWith(
		[30, failed],
		[30, { ...failed, error: 'disk quota exceeded' }],
		[5, { ...failed, from: 'error', to: 'active' }],
	);
	const { out } = await host.run('log', '--filter', 'quota');
	expect(out).toMatch(/^.* draco: active → error: disk quota exceeded\n$/);
	const records = JSON.parse((await host.run('log', '--json')).out);
	expect(records.map(({ to, error }: Record<string, unknown>) => [to, error])).toEqual([
		['active', null],
		['error', 'disk quota exceeded'],
	]);
});

const move = (name: string, to: 'sent' | 'settled' | 'failed', more: object = {}) =>
	({
		type: 'operationMoved',
		wish: { key: `key-${name}`, operation: 'stop', computer: `id-${name}`, name, batch: 'b1' },
		...{ to, took: 4_000, ...more },
	}) as const;

test('log prints one line for a batch as the view does, and each change with --all', async () => {
	const { host } = await hostWith(
		[3, move('atlas', 'sent')],
		[3, move('draco', 'sent')],
		[2, move('atlas', 'settled')],
		[1, move('draco', 'failed', { message: 'disk quota' })],
	);
	const { out } = await host.run('log');
	expect(out.split('\n')).toHaveLength(2);
	expect(out).toMatch(/✖ you stopped 1 of 2 computers \(atlas\) in .*, 1 failed\n$/);
	const all = await host.run('log', '--all');
	expect(all.out.trimEnd().split('\n')).toHaveLength(4);
	expect(JSON.parse((await host.run('log', '--json')).out)).toHaveLength(4);
	expect((await host.run('log', '--all', '--limit', '1')).out).toContain('draco: stop failed');
});

test('log says “by you” for an operation of every process of the person, and the JSON names the process', async () => {
	const { host } = await hostWith(
		[2, move('atlas', 'settled', { pane: 4121 })],
		[1, move('draco', 'settled')],
	);
	const { out } = await host.run('log', '--all');
	expect(out).toContain('atlas: stopped by you\n');
	expect(out).toContain('draco: stopped by you\n');
	const records = JSON.parse((await host.run('log', '--json')).out);
	expect(records).toContainEqual(expect.objectContaining({ name: 'atlas', pane: 4121 }));
});

test('log refuses a filter with a field that does not exist, and suggests the nearest one', async () => {
	const { host } = await hostWith([1, stopped]);
	const { code, out, err } = await host.run('log', '--filter', 'atlas whi:you');
	expect({ code, out }).toEqual({ code: 2, out: '' });
	expect(err).toContain('--filter: No field “whi”. Did you mean who?');
});

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
	const { host } = await hostWith(
		[30, stopSent('atlas', 4121)],
		[20, stopSent('borealis', 4122)],
		[10, { ...stopSent('cygnus', 4121), to: 'settled' }],
	);
	host.host.program.kill = pid => {
		if (pid === 4121) throw Object.assign(new Error(), { code: 'ESRCH' });
		return true;
	};
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
		[30, stopSent('atlas', 4121), 'another machine'],
		[20, move('draco', 'settled', { pane: 4122 }), 'another machine'],
	);
	host.host.program.kill = () => {
		throw Object.assign(new Error(), { code: 'ESRCH' });
	};
	const { out } = await host.run('log', '--all');
	expect(out).toContain('atlas: stop requested\n');
	expect(out).toContain('draco: stopped by you on another machine\n');
});

function stopSent(name: string, pane: number) {
	const wish = { key: name, operation: 'stop', computer: `sb_${name}`, name };
	return { type: 'operationMoved' as const, wish, to: 'sent' as const, took: 0, pane };
}

test('log leaves out what a narrow terminal has no room for, and nothing in a pipe', async () => {
	const error = 'image pull failed: disk quota exceeded';
	const { host } = await hostWith([30, { ...failed, lasted: 90 * minute, error }]);
	const whole = /draco: active for 1 h 30 min → error: image pull failed: disk quota exceeded\n$/;
	expect((await host.run('log')).out).toMatch(whole);
	for (const [columns, text] of [
		[120, whole],
		[80, /draco: active → error: image pull failed: disk quota exceeded\n$/],
		[50, /draco: active → error: disk quota …\n$/],
	] as const) {
		Object.assign(host.stdout, { isTTY: true, columns });
		const { out } = await host.run('log');
		expect(out).toMatch(text);
		expect(out.length).toBeLessThanOrEqual(columns + 1);
	}
});

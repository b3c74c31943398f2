import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { record, replay } from '../../../source/cli/commands/record.ts';
import { parseDuration } from '../../../source/foundation/duration.ts';
import { replayStartFrom } from '../../../source/script/replay.ts';
import { everyFact, start } from '../../arbitraries/sample-facts.ts';
import { writeRecording } from '../../journal/recorded.ts';
import {
	createOperateHost,
	createTestHost,
	type HeldSimulator,
	startSimulator,
	startTwins,
} from '../host.ts';

function createHost(simulator: HeldSimulator) {
	const host = createOperateHost(simulator, { commands: [record, replay] });
	return { ...host, path: join(host.folder, 'session.jsonl') };
}

test('record runs without a terminal until its time is over, and replay prints the recording into a pipe', async () => {
	const simulator = await startSimulator({ computers: 7 });
	const host = createHost(simulator);
	const { path } = host;
	const running = host.run('record', path, '--for', '20s');
	await host.until(() => simulator.requests.length >= 3);
	simulator.world.remove('atlas');
	expect(await running).toMatchObject({ code: 0 });
	expect(host.output()).toContain(`Recording to ${path}\n`);
	expect(host.output()).toMatch(/Recorded \d+ facts \(\d+ kB\) to /);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(readFileSync(path, 'utf8')).not.toContain(simulator.password);

	// The replay runs no hook, because the changes of a recording are old.
	const reader = createHost(simulator);
	reader.configure('[[hooks]]\non = "stateChanged"\ncommand = ["hook"]\n');
	Object.assign(reader.host, { spawn: expect.unreachable });
	const asked = simulator.requests.length;
	expect(await reader.run('replay', path)).toMatchObject({ code: 0 });
	expect(reader.output()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}atlas is gone\n/);
	expect(simulator.requests).toHaveLength(asked);
});

test('a recording of several accounts holds all of them, and its replay names the account of each change', async () => {
	const { host, work, lab } = await startTwins();
	const path = join(host.folder, 'session.jsonl');
	const running = host.run('record', path, '--for', '30s', '--all-profiles');
	await host.until(() => work.requests.length >= 3 && lab.requests.length >= 3);
	lab.world.remove('atlas');
	expect(await running).toMatchObject({ code: 0 });
	const [header = ''] = readFileSync(path, 'utf8').split('\n');
	expect(JSON.parse(header)).toMatchObject({ accounts: [{ label: 'work' }, { label: 'lab' }] });
	const replayed = await host.run('replay', path);
	expect(replayed.out).toContain('lab/atlas is gone');
	expect(replayed.out).not.toContain('work/atlas');
});

test('record completes the file when it is interrupted', async () => {
	const simulator = await startSimulator();
	const host = createHost(simulator);
	const running = host.run('record', host.path);
	await host.see('Ctrl-C ends the recording');
	await host.until(() => simulator.requests.length >= 2);
	host.signal('SIGINT');
	expect(await running).toMatchObject({ code: 0 });
	expect(readFileSync(host.path, 'utf8')).toMatch(/^\{"recording":1,.*\}\n$/s);
});

test('record says on stderr why the platform cannot be read', async () => {
	const simulator = await startSimulator({ faults: [{ target: 'list', kind: '503' }] });
	const host = createHost(simulator);
	expect(await host.run('record', host.path, '--for', '5s')).toMatchObject({ code: 0 });
	expect(host.output().match(/Cannot read the list of computers/g)).toHaveLength(1);
	const unknown = createHost({ ...simulator, password: '' });
	expect(await unknown.run('record', unknown.path, '--for', '2s')).toMatchObject({ code: 0 });
	expect(unknown.output()).toContain('A password is needed, and there is no terminal to ask on');
});

test('record overwrites a file only with --force, and reports a file that cannot be written', async () => {
	const host = createHost(await startSimulator());
	const { path } = host;
	writeFileSync(path, 'precious');
	chmodSync(path, 0o644);
	expect(await host.run('record', path)).toMatchObject({ code: 1 });
	expect(host.output()).toContain(`${path} already exists\nUse --force to overwrite it.`);
	expect(await host.run('record', join(path, 'below'))).toMatchObject({ code: 1 });
	expect(host.output()).toContain('below: not a directory');
	expect(await host.run('record')).toMatchObject({ code: 2 });
	expect(await host.run('record', path, '--for', 'ever')).toMatchObject({ code: 2 });
	expect(readFileSync(path, 'utf8')).toBe('precious');
	expect(await host.run('record', path, '--force', '--for', '2s')).toMatchObject({ code: 0 });
	expect(readFileSync(path, 'utf8')).toMatch(/^\{"recording":1/);
});

test('replay reports why a file cannot be replayed', async () => {
	const { path, text } = await writeRecording(everyFact);
	const host = createTestHost({ isTerminal: false, commands: [record, replay] });
	const replayed = (...words: string[]) => host.ran('replay', path, ...words);
	const failing = (code: number, err: RegExp) => ({ code, err: expect.stringMatching(err) });
	expect(await host.ran('replay', join(path, 'nothing'))).toEqual({
		out: '',
		...failing(1, /not a directory/),
	});
	expect(await replayed('--from', '12:00')).toMatchObject(
		failing(2, /--from 12:00 is outside the recording/),
	);
	expect(await replayed('--speed', '0')).toMatchObject(failing(2, /--speed takes/));
	writeFileSync(path, '# notes\n');
	expect(await replayed()).toMatchObject(
		failing(1, /: line 1: this is not a recording of crowsnest/),
	);
	writeFileSync(path, text.slice(0, -9));
	expect(await replayed()).toMatchObject(failing(1, /line \d+ is cut short\n$/));
});

test('replay --from accepts a time of day, a date with time, and a duration', () => {
	const end = start + 30 * 3_600_000;
	const local = (at: number) => {
		const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
		return { date: shifted.slice(0, 10), hour: `${shifted.slice(11, 13)}:00` };
	};
	const hour = (hours: number) => local(start + hours * 3_600_000).hour;
	expect(replayStartFrom('90m', start, end)).toBe(start + 90 * 60_000);
	expect(replayStartFrom(hour(2), start, end)).toBe(start + 2 * 3_600_000);
	expect(replayStartFrom(hour(23), start, end)).toBe(start + 23 * 3_600_000);
	expect(replayStartFrom(hour(0), start + 5_000, end)).toBe(start + 5_000);
	const { date } = local(start + 86_400_000);
	expect(replayStartFrom(`${date} ${hour(1)}`, start, end)).toBe(start + 25 * 3_600_000);
	for (const wrong of ['25:00', '8', 'noon', '2026-13-45 08:00', ''])
		expect(() => replayStartFrom(wrong, start, end)).toThrow(/--from takes a time/);
	expect(() => replayStartFrom('40h', start, end)).toThrow(/is outside/);
	expect(['90s', '1.5h', '2d', '5', 'm', '-1m'].map(parseDuration)).toEqual([
		...[90_000, 5_400_000, 172_800_000, undefined, undefined, undefined],
	]);
});

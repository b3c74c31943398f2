import { mkdirSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
	type TestHost,
} from '../host.ts';

/** Writes a configuration with a hook. Returns a function that counts the programs that were started since. */
function configureHook({ host, folder }: Pick<TestHost, 'host' | 'folder'>, on: string) {
	let count = 0;
	mkdirSync(join(folder, 'config'), { recursive: true });
	const text = `[[hooks]]\non = "${on}"\ncommand = ["hook"]\n`;
	writeFileSync(join(folder, 'config', 'config.toml'), text, { mode: 0o600 });
	Object.assign(host, {
		spawn() {
			count += 1;
			throw new Error('nothing here starts another program');
		},
	});
	return () => count;
}

const createHost = (simulator: HeldSimulator) =>
	createOperateHost(simulator, { commands: [record, replay] });

async function freshPath(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'crowsnest-record-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	return join(folder, 'session.jsonl');
}

test('record runs without a terminal until its time is over, and replay prints the recording into a pipe', async () => {
	const simulator = await startSimulator({ computers: 7 });
	const path = await freshPath();
	const host = createHost(simulator);
	const running = host.run('record', path, '--for', '20s');
	await host.until(() => simulator.requests.length >= 3);
	simulator.world.remove('atlas');
	expect(await running).toMatchObject({ code: 0 });
	expect(host.output()).toContain(`Recording to ${path}\n`);
	expect(host.output()).toMatch(/Recorded \d+ facts \(\d+ kB\) to /);
	expect((await stat(path)).mode & 0o777).toBe(0o600);
	const text = await readFile(path, 'utf8');
	expect(text).not.toContain(simulator.password);

	const reader = createHost(simulator);
	const started = configureHook(reader, 'stateChanged');
	const asked = simulator.requests.length;
	expect(await reader.run('replay', path)).toMatchObject({ code: 0 });
	expect(reader.output()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}atlas is gone\n/);
	expect(simulator.requests).toHaveLength(asked);
	// The replay runs no hook, because the changes of a recording are old.
	expect(started()).toBe(0);
});

test('a recording of several accounts holds all of them, and its replay names the account of each change', async () => {
	const { host, work, lab } = await startTwins();
	const path = await freshPath();
	const running = host.run('record', path, '--for', '30s', '--all-profiles');
	await host.until(() => work.requests.length >= 3 && lab.requests.length >= 3);
	lab.world.remove('atlas');
	expect(await running).toMatchObject({ code: 0 });
	const [header = ''] = (await readFile(path, 'utf8')).split('\n');
	expect(JSON.parse(header)).toMatchObject({ accounts: [{ label: 'work' }, { label: 'lab' }] });
	const replayed = await host.run('replay', path);
	expect(replayed.out).toContain('lab/atlas is gone');
	expect(replayed.out).not.toContain('work/atlas');
});

test('record completes the file when it is interrupted', async () => {
	const simulator = await startSimulator();
	const path = await freshPath();
	const host = createHost(simulator);
	const running = host.run('record', path);
	await host.see('Ctrl-C ends the recording');
	await host.until(() => simulator.requests.length >= 2);
	host.signal('SIGINT');
	expect(await running).toMatchObject({ code: 0 });
	expect(await readFile(path, 'utf8')).toMatch(/^\{"recording":1,.*\}\n$/s);
});

test('record says on stderr why the platform cannot be read', async () => {
	const simulator = await startSimulator({
		faults: [{ target: 'list', kind: '503' }],
	});
	const host = createHost(simulator);
	expect(await host.run('record', await freshPath(), '--for', '5s')).toMatchObject({ code: 0 });
	expect(host.output().match(/Cannot read the list of computers/g)).toHaveLength(1);

	const unknown = createHost({ ...simulator, password: '' });
	expect(await unknown.run('record', await freshPath(), '--for', '2s')).toMatchObject({ code: 0 });
	expect(unknown.output()).toContain('A password is needed, and there is no terminal to ask on');
});

test('record does not overwrite an existing file, and reports a file that cannot be written', async () => {
	const simulator = await startSimulator();
	const path = await freshPath();
	await writeFile(path, 'precious');
	await chmod(path, 0o644);
	const host = createHost(simulator);
	expect(await host.run('record', path)).toMatchObject({ code: 1 });
	expect(host.output()).toContain(`${path} already exists\nUse --force to overwrite it.`);
	expect(await readFile(path, 'utf8')).toBe('precious');
	expect(await host.run('record', join(path, 'below'))).toMatchObject({ code: 1 });
	expect(host.output()).toContain('below: not a directory');
	expect(await host.run('record')).toMatchObject({ code: 2 });
	expect(await host.run('record', path, '--for', 'ever')).toMatchObject({ code: 2 });
	expect(await host.run('record', path, '--force', '--for', '2s')).toMatchObject({ code: 0 });
	expect(await readFile(path, 'utf8')).toMatch(/^\{"recording":1/);
});

test('replay reports why a file cannot be replayed', async () => {
	const { path, text } = await writeRecording(everyFact);
	const host = createTestHost({ isTerminal: false, commands: [record, replay] });
	const { run } = host;
	expect(await run('replay', join(path, 'nothing'))).toBe(1);
	expect(host.output()).toContain('not a directory');
	expect(await run('replay', path, '--from', '12:00')).toBe(2);
	expect(host.output()).toContain('--from 12:00 is outside the recording');
	expect(await run('replay', path, '--speed', '0')).toBe(2);
	await writeFile(path, '# notes\n');
	expect(await run('replay', path)).toBe(1);
	expect(host.output()).toContain(`${path}: line 1: this is not a recording of crowsnest`);
	await writeFile(path, text.slice(0, -9));
	expect(await run('replay', path)).toBe(1);
	expect(host.output()).toMatch(/line \d+ is cut short\n$/);
});

test('replay --from accepts a time of day, a date with time, and a duration', () => {
	const end = start + 30 * 3_600_000;
	const local = new Date(start);
	const clock = (hours: number) => `${String((local.getHours() + hours) % 24).padStart(2, '0')}:00`;
	expect(replayStartFrom('90m', start, end)).toBe(start + 90 * 60_000);
	expect(replayStartFrom(clock(2), start, end)).toBe(start + 2 * 3_600_000);
	expect(replayStartFrom(clock(23), start, end)).toBe(start + 23 * 3_600_000);
	expect(replayStartFrom(clock(0), start + 5_000, end)).toBe(start + 5_000);
	const day = new Date(start + 86_400_000);
	const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()]
		.map(part => String(part).padStart(2, '0'))
		.join('-');
	expect(replayStartFrom(`${date} ${clock(1)}`, start, end)).toBe(start + 25 * 3_600_000);
	for (const wrong of ['25:00', '8', 'noon', '2026-13-45 08:00', '']) {
		expect(() => replayStartFrom(wrong, start, end)).toThrow(/--from takes a time/);
	}
	expect(() => replayStartFrom('40h', start, end)).toThrow(/is outside/);
	expect(['90s', '1.5h', '2d', '5', 'm', '-1m'].map(parseDuration)).toEqual([
		...[90_000, 5_400_000, 172_800_000, undefined, undefined, undefined],
	]);
});

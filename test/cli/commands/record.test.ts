import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { replayStartFrom } from '../../../source/cli/commands/record.ts';
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
	const host = createOperateHost(simulator);
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

	const closed = Object.assign(new Error('closed'), { code: 'EPIPE' });
	const stdout = new Writable({ write: (_chunk, _encoding, done) => done(closed) });
	Object.assign(reader.host.program, { stdout });
	expect(await reader.run('replay', path)).toMatchObject({ code: 0, err: '' });
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
	const { run, path } = createHost(await startSimulator());
	const refused = (code: number, why: string) => ({ code, err: expect.stringContaining(why) });
	writeFileSync(path, 'precious');
	expect(await run('record', path)).toMatchObject(
		refused(1, `${path} already exists\nUse --force to overwrite it.`),
	);
	expect(await run('record', join(path, 'below'))).toMatchObject(refused(1, 'not a directory'));
	expect(await run('record')).toMatchObject({ code: 2 });
	expect(await run('record', path, '--for', 'ever')).toMatchObject({ code: 2 });
	expect(readFileSync(path, 'utf8')).toBe('precious');
	expect(await run('record', path, '--force', '--for', '2s')).toMatchObject({ code: 0 });
	expect(readFileSync(path, 'utf8')).toMatch(/^\{"recording":1/);
	expect(await run('record', '/dev/full', '--force')).toMatchObject(
		refused(1, 'Recording stopped: no space'),
	);
});

test('replay prints lines on a terminal for a person who has a screen reader', async () => {
	const { path } = await writeRecording(everyFact);
	const host = createTestHost();
	host.configure('screenReader = true\n');
	expect((await host.ran('replay', path)).out).toMatch(/^\d{4}-\d\d-\d\d /);
});

test('replay reports why a file cannot be replayed', async () => {
	const { path, text } = await writeRecording(everyFact);
	const host = createTestHost({ isTerminal: false });
	async function expectFailure(code: number, err: RegExp, ...words: readonly string[]) {
		expect(await host.ran('replay', ...words)).toMatchObject({
			code,
			err: expect.stringMatching(err),
		});
	}
	await expectFailure(1, /not a directory/, join(path, 'nothing'));
	await expectFailure(2, /--from 12:00 is outside the recording/, path, '--from', '12:00');
	await expectFailure(2, /--speed takes/, path, '--speed', '0');
	writeFileSync(path, '# notes\n');
	await expectFailure(1, /: line 1: this is not a recording of crowsnest/, path);
	writeFileSync(path, text.slice(0, -9));
	await expectFailure(1, /line \d+ is cut short\n$/, path);
});

test('replay --from accepts a time of day, a date with time, and a duration', () => {
	const end = start + 30 * 3_600_000;
	const after = (hours: number) => start + hours * 3_600_000;
	/** The local time, such as `2026-11-21 08:00`. */
	const local = (at: number) => new Date(at).toLocaleString('sv').slice(0, 16);
	for (const [text, at] of [
		['90m', after(1.5)],
		[local(after(2)).slice(11), after(2)],
		[local(after(23)).slice(11), after(23)],
		[local(after(25)), after(25)],
		[local(after(25)).replace(' ', 'T'), after(25)],
	] as const)
		expect(replayStartFrom(text, start, end), text).toBe(at);
	expect(replayStartFrom(local(start).slice(11), start + 5_000, end)).toBe(start + 5_000);
	for (const wrong of ['25:00', '8', 'noon', '2026-13-45 08:00', '', '5', 'm', '-1m'])
		expect(() => replayStartFrom(wrong, start, end)).toThrow(/--from takes a time/);
	for (const outside of ['40h', local(after(40))])
		expect(() => replayStartFrom(outside, start, end)).toThrow(/is outside/);
});

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveResponses } from '../../platform/loopback.ts';
import {
	createTestHost,
	environmentOf,
	startSimulator,
	startTwins,
	type TestHost,
} from '../host.ts';

type CheckRecord = Readonly<
	Record<'about' | 'state' | 'said', string> & { advice?: string; account?: string }
>;

async function reportOf(host: Pick<TestHost, 'ran'>, code: number, ...words: string[]) {
	const ran = await host.ran('doctor', '--json', ...words);
	expect(ran.code).toBe(code);
	return (JSON.parse(ran.out) as { checks: readonly CheckRecord[] }).checks;
}

const checksOf = async (host: TestHost, code: number) =>
	Object.fromEntries((await reportOf(host, code)).map(check => [check.about, check]));

test('doctor names the files of earlier builds', async () => {
	const host = createTestHost();
	mkdirSync(join(host.folder, 'state', 'journal'), { recursive: true, mode: 0o700 });
	expect((await checksOf(host, 0))['Earlier files']).toEqual({
		about: 'Earlier files',
		state: 'unsure',
		said: '~/state/journal is from an earlier build and is not read',
		advice: 'Remove ~/state/journal.',
	});
});

test('doctor reports files of each account that others can use, how to make them private, and other modes', async () => {
	const { host } = await startTwins();
	const path = (...parts: readonly string[]) => join(host.folder, ...parts);
	chmodSync(path('config', 'config.toml'), 0o666);
	chmodSync(path('state', 'tokens'), 0o755);
	chmodSync(path('state', 'tokens', 'work.json'), 0o400);
	chmodSync(path('state', 'tokens', 'lab.json'), 0o644);
	const checks = await reportOf(host, 1, '--all-profiles');
	const wrong = checks.filter(({ state }) => state === 'wrong');
	expect(wrong.slice(0, 3).map(({ said, advice }) => [said, advice])).toEqual([
		['~/config/config.toml can be written by others (its mode is 0666)', 'run chmod go-w on it'],
		['~/state/tokens can be read by others (its mode is 0755)', 'run chmod 700 on it'],
		['~/state/tokens/lab.json can be read by others (its mode is 0644)', 'run chmod 600 on it'],
	]);
	const said = checks.map(check => `${check.account}: ${check.said}`);
	expect(said).toContain('undefined: ~/state/tokens/work.json has mode 0400');
	expect(said).toContainEqual(expect.stringMatching(/^lab: Cannot \w+ the token: /));
});

test('doctor checks several accounts, and each line of a check names its account', async () => {
	const { host } = await startTwins();
	const { code, out } = await host.run('doctor', '--all-profiles', '--verbose');
	expect(code).toBe(0);
	expect(out).toMatch(/Sign-in +work: as o…@example\.com/);
	expect(out).toMatch(/Sign-in +lab: as o…@example\.com/);
	const checks = await reportOf(host, 0, '--all-profiles');
	const accountsOf = (subject: string) =>
		checks.flatMap(({ about, account }) => (about === subject ? [account] : []));
	expect(accountsOf('List')).toEqual(['work', 'lab']);
	expect(accountsOf('Program')).toEqual([undefined]);
});

test('doctor prints no secret that a platform quotes in an answer', async () => {
	const origin = await serveResponses(({ headers }, response) => {
		const status = headers.authorization?.split(' ')[1];
		response.end(JSON.stringify([{ sandbox_id: 'sb_1', status }]));
	});
	const env = { CROWSNEST_URL: `${origin}/v1`, CROWSNEST_TOKEN: 'the-secret-token' };
	const { out } = await createTestHost({ env, isTerminal: false }).ran('doctor', '--verbose');
	expect(out).toContain('unknown statuses: …');
	expect(out).not.toContain('secret');
});

test.each([
	['List', 'list', 'broken-json'],
	['Status', 'status', 'null-data'],
	['Detail', 'detail', 'proxy-page'],
	['Credits', 'credits', 'wrong-type'],
	['Subscription', 'subscription', '503'],
	['Latest version', 'latest', 'empty'],
	['Models', 'models', 'truncated'],
] as const)('doctor reports that the read “%s” fails', async (about, target, kind) => {
	const simulator = await startSimulator({ faults: [{ target, kind }] });
	const host = createTestHost({ env: environmentOf(simulator), clock: simulator.clock });
	const checks = await checksOf(host, 1);
	expect(checks[about]).toMatchObject({ state: 'wrong', advice: expect.stringMatching(/\w/) });
	expect(checks['Sign-in']?.state).toBe('right');
	const others = ['Status', 'Detail', 'Credits', 'Subscription', 'Latest version', 'Models'];
	for (const name of about === 'List' ? [] : others.filter(each => each !== about))
		expect(checks[name]?.state).toBe('right');
});

test('doctor reports an unknown status, and does not report an empty fleet as a failure', async () => {
	const strange = await startSimulator({ shapes: { words: 'exotic' } });
	const checks = await checksOf(createTestHost({ env: environmentOf(strange) }), 0);
	expect(checks['List']).toMatchObject({
		state: 'unsure',
		advice: 'crowsnest shows the rest, and an unknown status as the platform spells it.',
	});
	const empty = await startSimulator({ computers: 0 });
	const without = await checksOf(createTestHost({ env: environmentOf(empty) }), 0);
	expect(without['List']?.said).toContain('0 computers');
	expect(without['Status']?.state).toBe('skipped');
});

test('doctor says whether the token comes from the environment or from a sign-in', async () => {
	const simulator = await startSimulator();
	const env = { CROWSNEST_URL: simulator.baseUrl, CROWSNEST_TOKEN: 'no-such-token' };
	const checks = await checksOf(createTestHost({ env }), 1);
	expect(checks['Sign-in']).toMatchObject({
		state: 'wrong',
		said: 'the platform refuses the token',
	});
});

test('doctor asks for a password that has to be typed, and ends on Ctrl-C', async () => {
	const simulator = await startSimulator();
	const { CROWSNEST_PASSWORD: password, ...env } = environmentOf(simulator);
	const host = createTestHost({ env });
	const ended = host.run('doctor');
	await host.answer('Password of owner@example.com for 127.0.0.1', `${password}\r`);
	expect(await ended).toBe(0);
	expect(host.output()).not.toContain(password);

	const impatient = createTestHost({ env });
	const interrupted = impatient.run('doctor');
	await impatient.answer('Password of', '\u0003');
	expect(await interrupted).toBe(130);
	expect(impatient.isRaw()).toBe(false);

	const { 'Sign-in': check } = await checksOf(createTestHost({ env, isTerminal: false }), 1);
	expect(check?.said).toContain('no password: type it in a terminal');
});

test('a proxy that cannot be used ends list and the monitor with one line, and doctor goes on with the other checks', async () => {
	const { baseUrl } = await startSimulator();
	const env = {
		CROWSNEST_URL: baseUrl,
		CROWSNEST_TOKEN: 'token',
		https_proxy: 'ftp://me:secret@host',
	};
	const host = createTestHost({ isTerminal: false, env });
	const problem = 'https_proxy must begin with http:// or https://';
	for (const command of ['list', 'monitor']) {
		const { code, out, err } = await host.ran(command);
		expect({ code, out }).toEqual({ code: 2, out: '' });
		expect(err.split('\n')[0]).toBe(`crowsnest: ${problem}`);
	}
	const { code, out } = await host.ran('doctor', '--verbose');
	expect(code).toBe(1);
	expect(out).toContain(problem);
	expect(out).not.toContain('secret');
});

test('doctor reports at once that the platform accepts no requests for a time, and sends none', async () => {
	const simulator = await startSimulator();
	const host = createTestHost({
		isTerminal: false,
		env: environmentOf(simulator),
		clock: simulator.clock,
	});
	simulator.setFaults([{ target: 'list', kind: 'throttle' }]);
	expect(await host.run('list', '--timeout', '1s')).toBe(3);
	const [sent, start] = [simulator.requests.length, host.clock.now()];
	const checks = await checksOf(host, 1);
	expect(checks['List']).toMatchObject({
		state: 'wrong',
		said: expect.stringMatching(/accepts no requests for .+ \(rate limit\)/),
	});
	expect(simulator.requests.length).toBe(sent);
	expect(host.clock.now() - start).toBeLessThan(1_000);
});

test('doctor says what to change about the terminal and about tmux', async () => {
	const host = createTestHost({
		env: { TERM: 'xterm', LANG: 'C', VTE_VERSION: '7600', TMUX: '/tmp/tmux' },
	});
	const folder = join(host.folder, 'bin');
	mkdirSync(folder);
	writeFileSync(join(folder, 'tmux'), '#!/bin/sh\necho "0 off"\n', { mode: 0o755 });
	Object.assign(host.host.program.env, { PATH: `${folder}:/bin` });
	Object.assign(host.host.program.stdout, { columns: 20, rows: 5 });
	const checks = await checksOf(host, 1);
	expect(checks['Terminal size']).toMatchObject({ state: 'wrong', said: '20 × 5' });
	expect(checks['UTF-8']?.advice).toContain('UTF-8 locale');
	expect(checks['Clipboard']?.state).toBe('unsure');
	expect(checks['tmux']).toMatchObject({
		state: 'unsure',
		advice: 'Add to ~/.tmux.conf: set -g focus-events on; set -g allow-passthrough on',
	});
});

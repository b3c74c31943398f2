import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AccountSettings } from '../../../source/accounts/account-settings.ts';
import { maskedEmail } from '../../../source/cli/doctor/check.ts';
import { jsonShapeOf } from '../../../source/cli/doctor/http-tap.ts';
import { proxyCheck, tlsChecks } from '../../../source/cli/doctor/network.ts';
import { responseChecks } from '../../../source/cli/doctor/response-checks.ts';
import { terminalChecks } from '../../../source/cli/doctor/terminal.ts';
import type { Program } from '../../../source/terminal/terminal.ts';
import { createHeldClock } from '../../held-clock.ts';

const clock = createHeldClock();

test('the shape of a response in doctor’s report has the names and types of fields, and no values', () => {
	const body = {
		success: true,
		data: [{ sandbox_id: 'sb_secret', cpu: 12.5, metadata: { ip: null, ports: [] } }, {}],
		'sk-123456': 'a name that is a value',
	};
	expect(jsonShapeOf(body)).toBe(
		'{success: boolean, data: [2 × {sandbox_id: text, cpu: number, metadata: {ip: null, ports: []}}], …: text}',
	);
	expect(jsonShapeOf([[[[[[1]]]]]])).toBe('[1 × [1 × [1 × [1 × […]]]]]');
	const many = Object.fromEntries(
		Array.from({ length: 60 }, (_, at) => [
			`f${'x'.repeat(at % 30)}${'y'.repeat(at >= 30 ? 2 : 1)}`,
			1,
		]),
	);
	expect(jsonShapeOf(many)).toMatch(/, …\}$/);
});

test('doctor masks the e-mail address in its report', () => {
	expect(maskedEmail('owner@example.com')).toBe('o…@example.com');
	expect(maskedEmail('odd"@"one@example.com')).toBe('o…@example.com');
	expect(maskedEmail('@example.com')).toBe('…');
	expect(maskedEmail('nobody')).toBe('…');
});

test('doctor shows the host of the proxy, and not its password', () => {
	expect(proxyCheck({})).toMatchObject({
		status: 'right',
		finding: 'none: connections are direct',
	});
	const environment = {
		https_proxy: 'http://me:hunter22@proxy.example:3128',
		NO_PROXY: 'localhost',
	};
	expect(proxyCheck(environment)).toEqual({
		subject: 'Proxy',
		status: 'right',
		finding: 'HTTPS_PROXY is proxy.example:3128, not for localhost',
	});
	expect(proxyCheck({ HTTPS_PROXY: 'proxy.example:3128' })).toMatchObject({ status: 'right' });
	expect(proxyCheck({ HTTP_PROXY: 'ftp://hunter22' })).toMatchObject({
		status: 'wrong',
		finding: 'HTTP_PROXY must begin with http:// or https://',
	});
});

function accountAt(baseUrl: string): AccountSettings {
	const credentials = { kind: 'token', token: () => 'token' } as const;
	return { baseUrl, credentials } as AccountSettings;
}

test('doctor reports an untrusted certificate, and a setting that accepts every certificate', async () => {
	const pem = readFileSync(join(import.meta.dirname, '../../platform/loopback.pem'));
	const server = createServer({ key: pem, cert: pem });
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.close();
	});
	const account = accountAt(`https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
	expect(await tlsChecks(account, {}, clock)).toEqual([
		expect.objectContaining({
			status: 'wrong',
			finding: expect.stringContaining('not trusted'),
			advice: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
		}),
	]);
	const ignored = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
	expect(await tlsChecks(accountAt('http://127.0.0.1/v1'), ignored, clock)).toEqual([
		expect.objectContaining({ subject: 'Certificates', status: 'wrong' }),
		expect.objectContaining({ subject: 'TLS', status: 'right' }),
	]);
	const proxied = { HTTPS_PROXY: 'http://proxy.example:3128' };
	expect(await tlsChecks(account, proxied, clock)).toMatchObject([{ status: 'skipped' }]);
});

test('doctor reports a host that refuses connections', async () => {
	expect(await tlsChecks(accountAt('https://127.0.0.1:1/v1'), {}, clock)).toMatchObject([
		{ status: 'wrong', finding: '127.0.0.1:1: nothing answers at that address' },
	]);
});

test('doctor reports responses without rate limit headers or a date', () => {
	const seen = { status: 200, headers: new Headers(), sentAt: 0, answeredAt: 10, shape: '' };
	expect(responseChecks(seen)).toMatchObject([
		{ subject: 'Rate limits', status: 'unsure' },
		{ subject: 'Clock', status: 'skipped' },
	]);
	expect(responseChecks(undefined)).toEqual([]);
});

/** Creates a folder for PATH with a fake tmux that prints these settings, or without tmux. */
function folderWith(tmux: string | undefined) {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-tmux-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	if (tmux !== undefined) {
		writeFileSync(join(folder, 'tmux'), `#!/bin/sh\necho '${tmux}'\n`);
		chmodSync(join(folder, 'tmux'), 0o755);
	}
	return folder;
}

async function terminal(env: Record<string, string>, size = { columns: 120, rows: 40 }) {
	const stream = { isTTY: true, ...size };
	const program = {
		env: { TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
		stdin: stream,
		stdout: stream,
	} as unknown as Program;
	const checks = await terminalChecks(program, clock);
	return Object.fromEntries(checks.map(check => [check.subject, check]));
}

test('doctor reports a terminal that is too small as wrong, but not a narrow terminal', async () => {
	expect((await terminal({}))['Terminal size']).toMatchObject({
		status: 'right',
		finding: '120 × 40',
	});
	const narrow = await terminal({}, { columns: 60, rows: 20 });
	expect(narrow['Terminal size']).toMatchObject({
		status: 'right',
		finding: expect.stringMatching(/columns are hidden/),
	});
	for (const size of [
		{ columns: 29, rows: 40 },
		{ columns: 80, rows: 5 },
	]) {
		expect((await terminal({}, size))['Terminal size']?.status).toBe('wrong');
	}
});

test('doctor reports missing colours, UTF-8 and clipboard with advice', async () => {
	expect((await terminal({ COLORTERM: 'truecolor' }))['Colours']).toMatchObject({ finding: 'all' });
	expect((await terminal({ NO_COLOR: '1' }))['Colours']).toMatchObject({ status: 'right' });
	expect((await terminal({ TERM: 'vt100' }))['Colours']).toMatchObject({ status: 'unsure' });
	expect((await terminal({ LANG: 'C' }))['UTF-8']).toMatchObject({ status: 'unsure' });
	expect((await terminal({ TERM: 'linux' }))['UTF-8']).toMatchObject({ status: 'right' });
	expect((await terminal({}))['Clipboard']).toMatchObject({ status: 'right' });
	const terminals: Record<string, string>[] = [
		{ TERM: 'linux' },
		{ TERM_PROGRAM: 'Apple_Terminal' },
		{ VTE_VERSION: '7600' },
	];
	for (const env of terminals) {
		expect((await terminal(env))['Clipboard']).toMatchObject({ status: 'unsure' });
	}
	expect(await terminal({ TERM: 'dumb' })).toMatchObject({ Terminal: { status: 'unsure' } });
});

test('doctor reports unsuitable settings of tmux with advice', async () => {
	const under = (tmux: string | undefined) => terminal({ TMUX: '/x', PATH: folderWith(tmux) });
	expect(await under('on all on')).toMatchObject({
		tmux: { status: 'right', finding: 'focus-events on, allow-passthrough on, set-clipboard on' },
		Clipboard: { status: 'right' },
	});
	expect(await under('off off external')).toMatchObject({
		tmux: {
			status: 'unsure',
			advice: expect.stringMatching(/focus-events on; set -g allow-passthrough on$/),
		},
		Clipboard: { status: 'unsure', advice: expect.stringContaining('set-clipboard on') },
	});
	expect(await under('1  on')).toMatchObject({ Clipboard: { status: 'right' } });
	expect(await under('nonsense')).toMatchObject({ tmux: { status: 'unsure' } });
	expect(await under(undefined)).toMatchObject({ tmux: { status: 'unsure' } });
});

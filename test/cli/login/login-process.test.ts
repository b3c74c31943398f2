import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as ask } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { startLiveSimulator } from '../../live-simulator.ts';

const root = join(import.meta.dirname, '../../..');
const certificate = join(root, 'test/platform/loopback.pem');
const folder = mkdtempSync(join(tmpdir(), 'crowsnest-process-'));
const program = inject('program');

afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a simulator behind a TLS proxy with a self-signed certificate. */
async function startSecureSimulator() {
	const simulator = await startLiveSimulator();
	const pem = readFileSync(certificate);
	const { port } = new URL(simulator.authUrl);
	const server = createServer({ key: pem, cert: pem }, (incoming, outgoing) => {
		const { method, url, headers } = incoming;
		const onward = ask({ host: '127.0.0.1', port, method, path: url, headers }, answer => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		incoming.pipe(onward);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
	return { ...simulator, baseUrl: `${origin}/v1`, authUrl: origin };
}

const environment = (name: string) => ({
	PATH: process.env['PATH'] ?? '',
	TERM: 'xterm-256color',
	HOME: join(folder, name),
	LANG: 'C.UTF-8',
	XDG_CACHE_HOME: inject('caches').program,
	NODE_EXTRA_CA_CERTS: certificate,
});

async function run(env: Record<string, string>, words: readonly string[], input = '') {
	const child = spawn(process.execPath, [program, ...words], { env });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			output += chunk.toString('utf8');
		});
	}
	child.stdin.end(input);
	const code = await new Promise<number | null>(resolve => child.on('close', resolve));
	return { code, output };
}

test('login reads the password from a pipe, signs in over TLS, and doctor accepts the profile', async () => {
	const simulator = await startSecureSimulator();
	const env = { ...environment('piped'), CROWSNEST_ANON_KEY: simulator.anonKey };
	const { baseUrl, authUrl, email, password } = simulator;
	const words = ['login', '--url', baseUrl, '--auth-url', authUrl, '--email', email];
	const login = await run(env, [...words, '--password-stdin'], `${password}\n`);
	expect(login).toEqual({ code: 0, output: expect.stringContaining('3 computers.') });
	expect(login.output).toContain('/piped/.config/crowsnest/config.toml');

	const doctor = await run(environment('piped'), ['doctor', '--json']);
	const { checks } = JSON.parse(doctor.output) as {
		checks: { about: string; state: string; said: string }[];
	};
	expect(checks.filter(({ state }) => state === 'wrong')).toEqual([]);
	expect(checks.find(({ about }) => about === 'Program')?.said).toContain(
		`Node ${process.version}`,
	);
	expect(checks.find(({ about }) => about === 'Sign-in')?.state).toBe('right');

	const { NODE_EXTRA_CA_CERTS: _, ...untrusting } = environment('piped');
	const refused = await run(untrusting, ['doctor']);
	expect(refused.code).toBe(1);
	expect(refused.output).toMatch(/not trusted here.*\n.*NODE_EXTRA_CA_CERTS/);
});

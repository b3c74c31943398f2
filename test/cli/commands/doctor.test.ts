import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveResponses } from '../../platform/loopback.ts';
import { createTestHost, startTwins, type TestHost } from '../host.ts';

type Check = Readonly<
	Record<'about' | 'state' | 'said' | 'advice' | 'account', string | undefined>
>;

async function checksOf(host: Pick<TestHost, 'ran'>, code: number, ...words: string[]) {
	const ran = await host.ran('doctor', '--json', ...words);
	expect(ran.code).toBe(code);
	const { checks }: { checks: readonly Check[] } = JSON.parse(ran.out);
	return { checks, about: Object.fromEntries(checks.map(check => [check.about, check])) };
}

test('doctor names the files of earlier builds', async () => {
	const host = createTestHost();
	mkdirSync(join(host.folder, 'state', 'journal'), { recursive: true, mode: 0o700 });
	const { about } = await checksOf(host, 0);
	expect(about['Earlier files']).toEqual({
		about: 'Earlier files',
		state: 'unsure',
		said: '~/state/journal is from an earlier build and is not read',
		advice: 'Remove ~/state/journal.',
	});
});

test('doctor says every mistake of the configuration, also one that only the monitor meets', async () => {
	const host = createTestHost();
	mkdirSync(join(host.folder, 'config'), { mode: 0o700 });
	const config = '[keys]\nnonsense = "x"\n[commands.wipe]\nkey = "W"\n';
	writeFileSync(join(host.folder, 'config', 'config.toml'), config);
	const { about } = await checksOf(host, 1);
	expect(about['Configuration']).toMatchObject({
		state: 'wrong',
		said: expect.stringMatching(/nonsense.*commands\.wipe has no command/),
	});
});

test('doctor reports files of each account that others can use, how to make them private, and other modes', async () => {
	const { host } = await startTwins();
	const path = (...parts: readonly string[]) => join(host.folder, ...parts);
	chmodSync(path('config', 'config.toml'), 0o666);
	chmodSync(path('state', 'tokens'), 0o755);
	chmodSync(path('state', 'tokens', 'work.json'), 0o400);
	chmodSync(path('state', 'tokens', 'lab.json'), 0o644);
	const { checks } = await checksOf(host, 1, '--all-profiles');
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

test('doctor says what to change about the terminal and about tmux', async () => {
	const host = createTestHost({
		env: { TERM: 'xterm', LANG: 'C', VTE_VERSION: '7600', TMUX: '/tmp/tmux' },
	});
	const folder = join(host.folder, 'bin');
	mkdirSync(folder);
	writeFileSync(join(folder, 'tmux'), '#!/bin/sh\necho "0 off"\n', { mode: 0o755 });
	Object.assign(host.host.program.env, { PATH: `${folder}:/bin` });
	Object.assign(host.host.program.stdout, { columns: 20, rows: 5 });
	const { about } = await checksOf(host, 1);
	expect(about).toMatchObject({
		'Terminal size': { state: 'wrong', said: '20 × 5' },
		'UTF-8': { advice: expect.stringContaining('UTF-8 locale') },
		Clipboard: { state: 'unsure' },
		tmux: {
			state: 'unsure',
			advice: 'Add to ~/.tmux.conf: set -g focus-events on; set -g allow-passthrough on',
		},
	});
});

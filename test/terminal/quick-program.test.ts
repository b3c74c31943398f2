import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createSimulator, type Simulator } from '../../source/simulator/simulator.ts';
import { createHeldClock } from '../held-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'crowsnest-quick-'));
const limits = { create: 1000, status: 1000, other: 1000 };
let one: Simulator;
let other: Simulator;

beforeAll(async () => {
	one = await createSimulator({ clock: createHeldClock(), computers: 5, limits });
	other = await createSimulator({ clock: createHeldClock(), computers: 3, limits });
	mkdirSync(join(folder, 'two'));
	const profiles = [profileText('lab', one), profileText('work', other)];
	writeFileSync(join(folder, 'two', 'config.toml'), profiles.join('\n'), { mode: 0o600 });
});
afterAll(async () => {
	await Promise.all([one.close(), other.close()]);
	rmSync(folder, { recursive: true, force: true });
});

const profileText = (name: string, { baseUrl, authUrl, anonKey, email, password }: Simulator) =>
	`[profiles.${name}]
url = "${baseUrl}"
authUrl = "${authUrl}"
anonKey = "${anonKey}"
email = "${email}"
passwordCommand = ["echo", "${password}"]
`;

const environmentOf = ({ baseUrl, authUrl, anonKey, email, password }: Simulator) => ({
	CROWSNEST_URL: baseUrl,
	CROWSNEST_AUTH_URL: authUrl,
	CROWSNEST_ANON_KEY: anonKey,
	CROWSNEST_EMAIL: email,
	CROWSNEST_PASSWORD: password,
});

type Written = { code: number; out: string; err: string };

/** Runs the built program in a home of its own. */
function run(
	words: readonly string[],
	env: Record<string, string>,
): Promise<Written & { home: string }> {
	const home = mkdtempSync(join(folder, 'home-'));
	const fullEnv = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', ...env };
	return new Promise(resolve => {
		const line = [inject('program'), ...words];
		execFile(process.execPath, line, { env: fullEnv, cwd: home }, (error, out, err) => {
			// Times are removed, because the two runs do not happen at the same moment, and a minute may end between them.
			const [shown = '', said = ''] = [out, err].map(text =>
				text
					.replace(/\b\d+ ?(?:s|m|min|h|d)\b|\b\d\d:\d\d\b/g, '#')
					.replace(/((?:"startedAt": |Started +))\S+/g, '$1#'),
			);
			resolve({ code: Number(error?.code ?? 0), out: shown, err: said, home });
		});
	});
}

/** The names of the programs whose compiled code a run has kept. */
const programsOf = (home: string) =>
	readdirSync(join(home, '.cache', 'crowsnest'))
		.filter(name => name.endsWith('.v8'))
		.map(name => (name.endsWith('-quick-brief.v8') ? 'quick' : 'whole'));

const envs = {
	'an account': () => environmentOf(one),
	'two accounts': () => ({ CROWSNEST_CONFIG_DIR: join(folder, 'two') }),
	'a wrong password': () => ({ ...environmentOf(one), CROWSNEST_PASSWORD: 'wrong' }),
	'no account': () => ({}),
	'a platform that cannot be reached': () => ({
		...environmentOf(one),
		...{ CROWSNEST_URL: 'http://127.0.0.1:9/api', CROWSNEST_AUTH_URL: 'http://127.0.0.1:9' },
	}),
};

// A command line that begins with an option is run by the whole program. So each line has an option that can be moved
// to its beginning.
test.each([
	['list', '--timeout 20', '', 'an account'],
	['list', '--json', '--sort cpu:desc --limit 3', 'an account'],
	['list', '--columns name,status,ports', '--filter status:active', 'an account'],
	['list', '--sort mood', '', 'an account'],
	['list', '--all-profiles', '', 'two accounts'],
	['list', '--all-profiles', '--json', 'two accounts'],
	['list', '--timeout 20', '', 'a wrong password'],
	['list', '--json', '', 'no account'],
	['list', '--timeout 20', '', 'a platform that cannot be reached'],
	['show', '--timeout 20', 'atlas', 'an account'],
	['show', '--json', 'nosuch', 'an account'],
	['credits', '--json', '', 'an account'],
	['log', '--limit 5', '--fresh', 'an account'],
] as const)(
	'the quick program prints for `%s %s %s` with %s what the whole program prints',
	async (name, option, rest, envName) => {
		const env = envs[envName]();
		const [first, others] = [option.split(' '), rest.split(' ').filter(Boolean)];
		const [{ home, ...small }, { home: wholeHome, ...whole }] = await Promise.all([
			run([name, ...first, ...others], env),
			run([...first, name, ...others], env),
		]);
		expect(small).toEqual(whole);
		expect(small.out + small.err).not.toBe('');
		if (small.code === 2) return;
		expect(programsOf(home)).toEqual(['quick']);
		expect(programsOf(wholeHome)).toEqual(['whole']);
	},
);

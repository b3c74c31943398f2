import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readLines } from '../../source/journal/log-files.ts';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { signedIn, simulator } = registerLiveAccount({ computers: 4 });

test('after `kill -9` of the only monitor, log and screen say that the outcome of its command is unknown', async () => {
	const [config, state] = [join(folder(), 'config'), join(folder(), 'state')];
	mkdirSync(config, { recursive: true });
	// The program is short, because nothing ends the child of a killed process.
	const nap = '[commands.nap]\nkey = "N"\ncommand = ["sleep", "20"]\noutput = "none"\n';
	writeFileSync(join(config, 'config.toml'), nap);
	const environment = {
		...signedIn(),
		CROWSNEST_STATE_DIR: state,
		CROWSNEST_CONFIG_DIR: config,
	};
	const first = open({ words: '', env: environment });
	await first.sees('4 computers');
	await first.press('N');
	await first.pressUntil('y', () => !first.text().includes('Run nap'));
	await first.sees('running nap');
	const isWritten = () => readLines(join(state, 'log')).some(line => line.includes('"to":"sent"'));
	await first.until('the journal', isWritten);
	first.pty.kill('SIGKILL');
	await first.ended();

	const logged = execFileSync(process.execPath, [program, 'log'], {
		env: { ...process.env, ...environment },
		encoding: 'utf8',
	});
	expect(logged).toMatch(/nap outcome unknown: crowsnest ended while it ran/);

	const second = open({ words: '', env: environment });
	await second.sees('4 computers');
	await second.sees('nap outcome unknown');
	second.press('q');
	await second.ended();
});

test('a command that is killed before its request leaves has noted the request, and its outcome is unknown', async () => {
	const preload = join(folder(), 'kill-at-request.cjs');
	const killsAtRequest = `
		const http = require('node:http');
		const { request } = http;
		http.request = (...words) => {
			if (words.some(each => each.method === 'POST' && String(words[0]).includes('/sandbox/')))
				process.kill(process.pid, 'SIGKILL');
			return request(...words);
		};`;
	writeFileSync(preload, killsAtRequest);
	const environment = {
		...process.env,
		...signedIn(),
		CROWSNEST_STATE_DIR: join(folder(), 'state-of-command'),
		CROWSNEST_CONFIG_DIR: join(folder(), 'config-of-command'),
	};
	const before = simulator().requests.length;
	const words = ['--require', preload, program, 'stop', 'atlas', '--yes'];
	// The simulator runs in this process, which must not wait for the command without handling requests.
	const killed = promisify(execFile)(process.execPath, words, { env: environment });
	await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL', stderr: '' });
	const sent = simulator().requests.slice(before);
	expect(sent.filter(({ method, path }) => method === 'POST' && path.includes('stop'))).toEqual([]);
	const logged = execFileSync(process.execPath, [program, 'log'], {
		env: environment,
		encoding: 'utf8',
	});
	expect(logged).toMatch(/atlas.* outcome unknown: crowsnest ended while it ran/);
});

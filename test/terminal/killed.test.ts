import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { env, simulator } = registerLiveAccount({ computers: 4 });

test('after `kill -9` of the only monitor, log and screen say that the outcome of its command is unknown', async () => {
	const [config, state] = [join(folder(), 'config'), join(folder(), 'state')];
	mkdirSync(config, { recursive: true });
	// The program is short, because nothing ends the child of a killed process.
	const nap =
		'[commands.nap]\nkey = "N"\ncommand = ["sleep", "20"]\nconfirm = false\noutput = "none"\n';
	writeFileSync(join(config, 'config.toml'), nap);
	const environment = {
		...env(),
		CROWSNEST_PASSWORD: simulator().password,
		...{ CROWSNEST_STATE_DIR: state, CROWSNEST_CONFIG_DIR: config },
	};
	const line = `exec ${process.execPath} ${program}`;
	const first = open({ line, env: environment });
	await first.sees('4 computers');
	first.press('N');
	await first.sees('running nap');
	const journal = join(state, 'journal', 'journal.jsonl');
	const isWritten = () =>
		existsSync(journal) && readFileSync(journal, 'utf8').includes('"to":"sent"');
	await first.until('the journal', isWritten);
	first.pty.kill('SIGKILL');
	await first.ended();

	const logged = execFileSync(process.execPath, [program, 'log'], {
		env: { ...process.env, ...environment },
		encoding: 'utf8',
	});
	expect(logged).toMatch(/nap outcome unknown: crowsnest in pane \d+ ended while it ran/);

	const second = open({ line, env: environment });
	await second.sees('4 computers');
	await second.sees('nap outcome unknown');
	second.press('q');
	await second.ended();
});

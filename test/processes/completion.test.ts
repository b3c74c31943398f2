import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { accountKey } from '../../source/accounts/credentials.ts';
import { writeFleet } from '../../source/journal/fleet-file.ts';
import { program, registerSessions } from './session.ts';

// These tests press Tab in real shells. The shells that are not installed on this host are left out.

const { open, folder } = registerSessions();

const shells = [
	{
		shell: 'bash',
		start: 'exec bash --norc -i',
		setup: 'eval "$(crowsnest completion bash)"',
	},
	{
		shell: 'zsh',
		start: 'exec zsh -i',
		setup: 'autoload -Uz compinit && compinit -D && eval "$(crowsnest completion zsh)"',
	},
	{
		shell: 'fish',
		start: 'exec fish -i --no-config',
		setup: 'crowsnest completion fish | source',
	},
].filter(({ shell }) => spawnSync(shell, ['--version']).status === 0);

/** A shell would run, expand or divide each of these names if it stood on the command line without quotes. */
const names = [
	'atlas',
	'b $(touch pwned) `touch pwned`;touch pwned',
	'e"f\'g|h>i&',
	'j:k=l@m',
	'n!!o\\p',
	'q*{1,2}?[a] r#s ~ $HOME',
];

/** Opens a shell with completion, in which every other command of the program only prints its arguments. */
async function openShell({ start, setup }: (typeof shells)[number]) {
	const home = mkdtempSync(join(folder(), 'home-'));
	const url = 'https://platform.example/v1';
	const account = accountKey({ baseUrl: url, user: 'owner@example.com' });
	const computers = names.map((name, index) => ({
		reading: { id: `id_${index}`, name, status: 'active', ports: [{ port: 8080 + index }] },
		seenAt: 1,
	}));
	writeFleet(join(home, 'state/log'), account, [{ account, at: 1, type: 'recalled', computers }]);
	mkdirSync(join(home, 'bin'));
	const script = `#!/bin/sh
case $1 in
complet*) exec '${process.execPath}' '${program}' "$@" ;;
*) (printf '<%s>' "$@"; echo) >>"$HOME/ran" ;;
esac
`;
	writeFileSync(join(home, 'bin/crowsnest'), script, { mode: 0o755 });
	writeFileSync(join(home, '.zshrc'), "PS1='prompt> '");
	const session = open({
		line: `cd '${home}' && ${start}`,
		columns: 120,
		rows: 40,
		env: {
			HOME: home,
			ZDOTDIR: home,
			PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
			CROWSNEST_CONFIG_DIR: join(home, 'config'),
			CROWSNEST_STATE_DIR: join(home, 'state'),
			CROWSNEST_URL: url,
			CROWSNEST_AUTH_URL: 'https://id.example',
			CROWSNEST_ANON_KEY: 'key',
			CROWSNEST_EMAIL: 'owner@example.com',
		},
	});
	writeFileSync(join(home, 'ran'), '');
	const ran = () => readFileSync(join(home, 'ran'), 'utf8').split('\n').slice(0, -1);
	const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 50_000 });
	session.pressInShell(`${setup}; crowsnest ready\r`);
	await until(() => expect(ran(), session.text()).toEqual(['<ready>']));
	return {
		home,
		/** Types a line, presses Tab and then Enter, and resolves when the program got these arguments. */
		async completes(line: string, ...args: readonly string[]) {
			const count = ran().length;
			session.pressInShell(`crowsnest ${line}\t\r`);
			await until(() => expect(ran().length, session.text()).toBeGreaterThan(count));
			expect(ran().slice(count)).toEqual([args.map(arg => `<${arg}>`).join('')]);
		},
	};
}

test.each(shells)(
	'$shell passes every completed name as one argument, runs none of them, and completes ports, options and files',
	async opening => {
		const { home, completes } = await openShell(opening);
		for (const name of names) await completes(`show ${name[0]}`, 'show', name);
		expect(existsSync(join(home, 'pwned'))).toBe(false);
		await completes('open atlas 80', 'open', 'atlas', '8080');
		await completes('monitor --theme=d', 'monitor', '--theme=dark');
		writeFileSync(join(home, 'my recording.jsonl'), '');
		await completes('replay my', 'replay', 'my recording.jsonl');
	},
);

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
async function openShell({ shell, start, setup }: (typeof shells)[number]) {
	const home = join(folder, shell);
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
	writeFileSync(join(home, 'ran'), '');
	const session = open({
		line: `cd '${home}' && ${start}`,
		home: shell,
		columns: 120,
		rows: 40,
		env: {
			HOME: home,
			ZDOTDIR: home,
			PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
			CROWSNEST_URL: url,
			CROWSNEST_AUTH_URL: 'https://id.example',
			CROWSNEST_ANON_KEY: 'key',
			CROWSNEST_EMAIL: 'owner@example.com',
		},
	});
	const ran = () => readFileSync(join(home, 'ran'), 'utf8').split('\n').slice(0, -1);
	/** Types a line, and returns what the program then ran with. */
	async function ranAfter(line: string) {
		const count = ran().length;
		session.pressInShell(line);
		await session.until('the program', () => ran().length > count);
		return ran().slice(count);
	}
	expect(await ranAfter(`${setup}; crowsnest ready\r`)).toEqual(['<ready>']);
	return {
		home,
		/** Types a line, presses Tab and then Enter, and fails unless the program got these arguments. */
		async completes(line: string, ...args: readonly string[]) {
			const given = args.map(arg => `<${arg}>`).join('');
			expect(await ranAfter(`crowsnest ${line}\t\r`)).toEqual([given]);
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
		for (const quote of ['"', "'"])
			await completes(
				`list --filter ${quote}cpu:1 status:act`,
				...['list', '--filter', 'cpu:1 status:active'],
			);
		await completes('list --filter status:act', 'list', '--filter', 'status:active');
		writeFileSync(join(home, 'my recording.jsonl'), '');
		await completes('replay my', 'replay', 'my recording.jsonl');
	},
);

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountKey } from '../../../source/accounts/account-key.ts';
import { commands } from '../../../source/cli/catalog.ts';
import { bashCompletion } from '../../../source/cli/completion/bash.ts';
import { fishCompletion } from '../../../source/cli/completion/fish.ts';
import { zshCompletion } from '../../../source/cli/completion/zsh.ts';
import { writeSnapshot } from '../../../source/journal/snapshot-file.ts';
import { createOperateHost, createTestHost, startSimulator } from '../host.ts';

const names = [
	'atlas',
	'my box',
	"it's",
	'$(touch pwned)',
	'-rf',
	'web',
	'web',
	'a"b;c',
	'bo\trder',
];

/** Creates a host with a snapshot of these computers from an earlier run. */
async function hostThatKnows() {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	const computers = names.map((name, place) => ({
		reading: { id: `sb_${place}`, name, status: 'active', ports: [{ port: 8080 + place }] },
		seenAt: 1,
	}));
	const account = accountKey({ baseUrl: simulator.baseUrl, user: simulator.email });
	const place = { directory: join(host.folder, 'state/journal'), account };
	const fact = { account, at: 1, type: 'fleetRecalled', computers } as const;
	await writeSnapshot(place, 1, [fact]);
	return { simulator, host };
}

test('completion offers the computers of the last known fleet, without a request', async () => {
	const { simulator, host } = await hostThatKnows();
	const { code, out, err } = await host.run('complete', 'computers');
	expect({ code, err }).toEqual({ code: 0, err: '' });
	const words = out.split('\n').map(line => line.split('\t')[0]);
	// A computer is offered by its id if its name is not unique, begins with a dash or is not one word.
	expect(words).toEqual([
		...['atlas', 'my box', "it's", '$(touch pwned)', 'sb_4', 'sb_5', 'sb_6', 'a"b;c', 'sb_8', ''],
	]);
	expect((await host.run('complete', 'computers', 'sb_0')).out).toContain('sb_0\tatlas, active\n');
	expect((await host.run('complete', 'ports', 'atlas')).out).toBe('8080\tpublished\n');
	expect((await host.run('complete', 'ports', 'web')).out).toBe('');
	expect(simulator.requests).toEqual([]);
});

test('completion prints no error into the command line of the shell', async () => {
	const nothing = createTestHost({ isTerminal: false });
	for (const words of [['computers'], ['ports', 'x'], ['profiles'], ['nonsense'], []]) {
		expect(await nothing.run('complete', ...words)).toBe(0);
	}
	mkdirSync(join(nothing.folder, 'config'));
	writeFileSync(join(nothing.folder, 'config/config.toml'), '[[[');
	expect(await nothing.run('complete', 'computers')).toBe(0);
	expect(nothing.output()).toBe('');
});

/** Returns the completions that bash offers for the last word, with a fake `crowsnest complete`. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
	const { host } = await hostThatKnows();
	const { out: computers } = await host.run('complete', 'computers');
	const script = `${bashCompletion(commands)}
crowsnest() { [[ $* == *computers* ]] && printf %s "$computers"; [[ $* == *'ports atlas'* ]] && echo 8080; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_crowsnest
for each in "\${COMPREPLY[@]}"; do printf '%s\\n' "$each"; done`;
	const args = ['--norc', '-u', '-c', script, 'bash', 'crowsnest', ...words];
	const { stdout, stderr } = spawnSync('bash', args, {
		encoding: 'utf8',
		cwd: host.folder,
		env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', computers },
	});
	expect(stderr).toBe('');
	expect(spawnSync('ls', ['pwned'], { cwd: host.folder }).status).not.toBe(0);
	return stdout.split('\n').filter(line => line !== '');
}

test('the bash script completes commands, options and arguments', async () => {
	expect(await offered('sto')).toEqual(['stop']);
	expect(await offered('billing', '')).toEqual(['setup']);
	expect(await offered('comp')).toEqual(['completion']);
	expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
	expect(await offered('log', '--s')).toEqual(['--since']);
	expect(await offered('billing', 'setup', '--y')).toEqual(['--yes']);
	expect(await offered('stop', '--timeout', '')).toEqual([]);
	expect(await offered('stop', '--timeout', '5', 'at')).toEqual(['atlas']);
	expect(await offered('open', 'atlas', '')).toEqual(['8080']);
	expect(await offered('publish', 'atlas', '80')).toEqual(['8080']);
	expect(await offered('stop', 'atlas', 'my')).toEqual(['my\\ box']);
	expect(await offered('list', '')).toEqual([]);
	expect(await offered('replay', 'x')).toEqual([]);
});

test('the bash script quotes every name of a computer and never runs it', async () => {
	expect(await offered('stop', '$')).toEqual(['\\$\\(touch\\ pwned\\)']);
	expect(await offered('stop', "'$")).toEqual(["'$(touch pwned)"]);
	expect(await offered('stop', '"$')).toEqual([]);
	expect(await offered('stop', "'it")).toEqual(["'it'\\''s"]);
	expect(await offered('stop', 'my\\ b')).toEqual(['my\\ box']);
	expect(await offered('stop', '"my')).toEqual(['"my box']);
	expect(await offered('stop', 'a')).toEqual(['atlas', 'a\\"b\\;c']);
});

test('the scripts for zsh and fish quote every command and option', () => {
	const [zsh, fish] = [zshCompletion(commands), fishCompletion(commands)];
	for (const { name, options, isHidden } of commands) {
		if (isHidden) continue;
		expect(zsh).toContain(`\t'${name}'`);
		expect(fish).toContain(`-n '__crowsnest_in ${name}' -s h -l help `);
		for (const option of options) {
			expect(zsh).toContain(`'--${option.name}:`);
			expect(fish).toContain(`-n '__crowsnest_in ${name}' -l ${option.name} `);
		}
	}
	// An unescaped apostrophe in a help text would end its quoted word.
	expect(fish).toContain("the terminal\\'s own");
	expect(zsh).toContain("the terminal'\\''s own");
});

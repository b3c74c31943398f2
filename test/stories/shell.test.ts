import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ProfileOnSimulator, startSimulator } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';
import { createHeldClock } from '../held-clock.ts';

const second = 1_000;

type Options = Partial<Parameters<typeof openConfiguredMonitor>[0]> & {
	endsWith?: number;
	/** Of each account, by its name. */
	settings?: Readonly<Record<string, readonly string[]>>;
};

const settingsOf = (name: string) => ({ [name]: [`ssh = { user = "${name}", port = 2222 }`] });

/** Opens accounts with an `ssh` that writes down how it was called. */
async function openWithSsh({ endsWith = 0, settings = settingsOf('work'), ...options }: Options) {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-ssh-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = join(folder, 'called');
	writeFileSync(join(folder, 'ssh'), `#!/bin/sh\necho "$*" >> ${file}\nexit ${endsWith}\n`);
	chmodSync(join(folder, 'ssh'), 0o755);
	const clock = createHeldClock();
	const profiles: Record<string, ProfileOnSimulator> = {};
	for (const [name, lines] of Object.entries(settings))
		profiles[name] = { simulator: await startSimulator({ computers: 7, clock }), lines };
	const monitor = await openConfiguredMonitor({ profiles, ...options });
	monitor.host.program.env['PATH'] = `${folder}:${process.env['PATH']}`;
	const called = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
	return { ...monitor, called };
}

test('the first shell shows its command and asks; the next one opens at once, and the terminal comes back', async () => {
	const monitor = await openWithSsh({ endsWith: 1 });
	await monitor.goTo('atlas');
	await monitor.pass(second, second);
	await monitor.press('!').see('Run ssh on atlas?', /ssh -l work -p 2222 -- 198\.18\.0\.\d+/);
	await monitor.answer('!', 'enter');
	expect(monitor.called()).toBe('');
	await monitor.press('y').see('atlas: processed with ssh by you');
	expect(monitor.called()).toMatch(/^-l work -p 2222 -- 198\.18\.0\.\d+\n$/);
	await monitor.pass(5 * second, second);
	await monitor.press('!');
	expect(monitor.called().split('\n')).toHaveLength(3);
	expect(monitor.lent).toEqual(['lent', 'taken back', 'lent', 'taken back']);
	expect(monitor.operationRequests('work')).toEqual([]);
});

test('two accounts reach their computers as each of them says, and the first shell in each asks', async () => {
	const monitor = await openWithSsh({
		settings: { ...settingsOf('work'), ...settingsOf('lab') },
		words: ['--all-profiles'],
	});
	for (const name of ['work', 'lab']) {
		await monitor.press('/', `name:atlas account:${name}`, 'enter');
		await monitor.pass(second, second);
		await monitor.press('!').see('Run ssh on atlas?', `Account ${name}`);
		await monitor.answer('y');
		await monitor.pass(second, second);
		await monitor.press('escape');
	}
	expect(monitor.called()).toMatch(/^-l work -p 2222 -- \S+\n-l lab -p 2222 -- \S+\n$/);
});

test('a stopped computer is offered to be started, even if a start asks nothing, and no shell opens by itself', async () => {
	const monitor = await openWithSsh({ top: ['[confirm]', 'start = "off"'] });
	await monitor.press(':', 'ssh cygnus', 'enter').see('Start cygnus?');
	await monitor.answer('y');
	await monitor.pass(60 * second, second).see(/cygnus .*● Active/);
	expect(monitor.operationRequests('work')).toHaveLength(1);
	expect(monitor.called()).toBe('');
	await monitor.goTo('cygnus');
	await monitor.press('!').see('Run ssh on cygnus?');
});

test('no shell opens where it is refused: locked, read-only, on several, to an address inside, or by a file of others', async () => {
	const monitor = await openWithSsh({});
	await monitor.goTo('atlas');
	await monitor.press('space', 'j', 'space', '!');
	await monitor.see('ssh runs on one computer at a time, and 2 are marked');
	await monitor.press('escape', 'L', '!').see('Nothing can be changed until you unlock');
	const readOnly = await openWithSsh({ words: ['--read-only'] });
	await readOnly.press('!').see('Read-only: nothing can be changed here');
	const inside = await openWithSsh({ settings: { work: [] } });
	await inside.goTo('atlas');
	await inside.press('!').see(/Cannot run ssh on atlas: 198\.18\.0\.\d+ is internal: set \[ssh\]/);
	const distrusted = await openWithSsh({
		prepare: home => chmodSync(join(home, 'config', 'config.toml'), 0o666),
	});
	await distrusted.press('!').see('Shells and own commands do not run:');
	for (const each of [monitor, readOnly, inside, distrusted]) expect(each.called()).toBe('');
});

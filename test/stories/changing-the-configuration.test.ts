import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSimulator, startWorkAndLab } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';

const second = 1_000;

async function openWith(...top: readonly string[]) {
	const simulator = await startSimulator();
	const monitor = await openConfiguredMonitor({ profiles: { work: { simulator } }, top });
	const path = join(monitor.folder, 'config', 'config.toml');
	const profiles = readFileSync(path, 'utf8').slice(top.join('\n').length);
	async function change(...lines: readonly string[]) {
		writeFileSync(path, `${lines.join('\n')}\n${profiles}`);
		await monitor.pass(6 * second);
	}
	await monitor.see('3 computers');
	return { ...monitor, simulator, change, path };
}

test('what the file says anew applies in the open monitor: columns, colours, keys, questions, notices, the lock and own commands', async () => {
	const monitor = await openWith();
	monitor.simulator.world.fail('borealis', 'it broke');
	await monitor.pass(6 * second);
	await monitor.change(
		'columns = ["name", "status"]',
		'theme = { background = "dark", bad = "#ffff00" }',
		'keys = { stop = "ctrl-x" }',
		'confirm = { stop = "type" }',
		'notify = { computerFailed = "off" }',
		'lockAfter = "1m"',
		'[commands.look]',
		'key = "K"',
		'command = ["true"]',
	);
	expect(monitor.troubles).toEqual(['Read the configuration again']);
	await monitor.seeNo('VERSION');
	expect(monitor.device.colouredLine('borealis')).toContain('\x1b[38;5;226m');
	await monitor.goTo('atlas');
	await monitor.press('K').see('Run look on atlas?');
	await monitor.press('escape', 'ctrl-x').see('Type atlas to stop it');
	await monitor.press('escape', ':');
	await monitor.answer('notify computers fail').see('Notify when computers fail: off → notify');
	await monitor.press('escape');
	await monitor.pass(70 * second).see('locked');
});

test.each([
	['columns = ["name"]\ntheme = "dark', 'config.toml: not valid TOML in line 2'],
	['columns = ["name"]\n\n[theme]\nbad = "rde"', 'config.toml:4: theme.bad must be one of'],
	['columns = ["nmae"]', 'No column nmae. Did you mean name?'],
	['columns = ["name"]\n[keys]\nstop = "s"', 'keys: the key s is bound twice'],
	['columns = ["name"]\n[commands.a]\ncommand = []', 'commands.a.command must be a list'],
])(
	'a mistake in the changed file (%j) leaves everything as it was, and is said',
	async (text, said) => {
		const monitor = await openWith('readOnly = true');
		await monitor.change(text);
		expect(monitor.troubles).toEqual([expect.stringContaining(said)]);
		expect(monitor.troubles[0]).toMatch(/The old settings stay$/);
		await monitor.see('VERSION', 'read-only');
		await monitor.pass(6 * second);
		expect(monitor.troubles).toHaveLength(1);
		await monitor.change('readOnly = true\ncolumns = ["name", "status"]');
		expect(monitor.troubles.slice(1)).toEqual(['Read the configuration again']);
		await monitor.seeNo('VERSION');
	},
);

test('a file that cannot be read leaves everything as it was, and is said once', async () => {
	const monitor = await openWith('columns = ["name", "status"]');
	const text = readFileSync(monitor.path, 'utf8');
	rmSync(monitor.path);
	mkdirSync(monitor.path);
	await monitor.pass(12 * second).seeNo('VERSION');
	expect(monitor.troubles).toEqual([
		`Cannot read ${monitor.path}: it is not a file. The old settings stay`,
	]);
	rmSync(monitor.path, { recursive: true });
	writeFileSync(monitor.path, text.replace(', "status"', ', "version"'));
	await monitor.pass(6 * second).see('VERSION');
});

test('the file makes the monitor read-only at once, which cancels what is not sent, and only a restart ends it', async () => {
	const monitor = await openWith();
	await monitor.goTo('atlas');
	await monitor.confirm('r').see('Restarting atlas in');
	writeFileSync(monitor.path, `readOnly = true\n${readFileSync(monitor.path, 'utf8')}`);
	await monitor.press('?');
	await monitor.pass(6 * second);
	await monitor.press('?');
	await monitor.pass(6 * second).see('read-only');
	expect(monitor.troubles).toEqual(['Read the configuration again. Read-only now: work']);
	await monitor.press('x').see('Read-only');
	expect(monitor.operationRequests('work')).toEqual([]);
	await monitor.change('readOnly = false', 'glyphs = "ascii"');
	expect(monitor.troubles.at(-1)).toBe(
		'Read the configuration again. After a restart: glyphs, readOnly = false',
	);
	await monitor.see('read-only');
});

test('a question about an own command stays as it was asked, although the file changes the command', async () => {
	const monitor = await openWith('[commands.look]', 'key = "K"', 'command = ["true"]');
	await monitor.goTo('atlas');
	await monitor.press('K').see('Run look on atlas?');
	await monitor.change('[commands.look]', 'key = "K"', 'command = ["false"]');
	expect(monitor.troubles).toEqual([]);
	await monitor.answer('y');
	await monitor.pass(6 * second).see('processed with look');
	await monitor.pass(6 * second);
	expect(monitor.troubles).toEqual(['Read the configuration again']);
});

test('a file is read when it is whole, and a change that concerns nothing here is not mentioned', async () => {
	const monitor = await openWith('mouse = true');
	for (const text of ['mou', 'mouse = fal', 'mouse = true\n[profiles.']) {
		writeFileSync(monitor.path, text);
		await monitor.pass(2 * second, 2 * second);
	}
	await monitor.change('mouse = true', '# nothing', '[profiles.other]', 'short = "o"');
	expect(monitor.troubles).toEqual([]);
	await monitor.change('mouse = false');
	expect(monitor.troubles).toEqual(['Read the configuration again']);
});

test('a hook that the file adds runs for what happens from then on, and one that it drops does not', async () => {
	const monitor = await openWith();
	const ran = join(monitor.folder, 'ran');
	const write = JSON.stringify(['sh', '-c', `echo "$CROWSNEST_COMPUTER_NAME" >> ${ran}`]);
	monitor.simulator.world.fail('borealis', 'it broke');
	await monitor.pass(6 * second);
	await monitor.change('[[hooks]]', 'on = ["computerFailed"]', `command = ${write}`);
	monitor.simulator.world.fail('atlas', 'it broke');
	await monitor.pass(20 * second);
	expect(readFileSync(ran, 'utf8')).toBe('atlas\n');
	await monitor.change('mouse = true');
	monitor.simulator.world.fail('cygnus', 'it broke');
	await monitor.pass(20 * second);
	expect(readFileSync(ran, 'utf8')).toBe('atlas\n');
});

test('of several accounts, only the one whose profile says so becomes read-only, and its short name follows', async () => {
	const { profiles } = await startWorkAndLab();
	const monitor = await openConfiguredMonitor({ profiles, words: ['--all-profiles'] });
	const path = join(monitor.folder, 'config', 'config.toml');
	const text = readFileSync(path, 'utf8');
	writeFileSync(path, text.replace('[profiles.lab]', '$&\nreadOnly = true\nshort = "lb"'));
	await monitor.pass(6 * second).see(/lb ro +atlas/);
	await monitor.seeNo('work ro');
	await monitor.press('/', 'atlas', 'enter', 'a', 'r').see('Restart atlas?', 'lab is read-only');
	await monitor.answer('y');
	await monitor.pass(8 * second);
	expect(monitor.operationRequests('work')).toEqual(['POST /atlas/restart 200']);
	expect(monitor.operationRequests('lab')).toEqual([]);
});

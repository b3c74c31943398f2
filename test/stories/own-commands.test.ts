import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { actions } from '../../source/monitor/actions/table.ts';
import { openOwnCommands } from '../../source/monitor/open-monitor.ts';
import { startSimulator, startWorkAndLab } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';

const second = 1_000;

type Options = Pick<Parameters<typeof openConfiguredMonitor>[0], 'words' | 'prepare'>;

/** Opens one account with these commands. Each command can write into a file. */
async function openWithCommands(commands: (file: string) => readonly string[], options?: Options) {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-own-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = join(folder, 'written');
	const simulator = await startSimulator({ computers: 7 });
	const profiles = { work: { simulator } };
	const monitor = await openConfiguredMonitor({ profiles, top: commands(file), ...options });
	const written = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
	return { ...monitor, simulator, written };
}

const recording = (file: string) => [
	'[commands.record]',
	'key = "K"',
	'output = "none"',
	`command = ["sh", "-c", 'echo "$@" >> ${file}', "sh", "--", "{name}", "{account}", "{address}"]`,
];

test('the key of an own command asks with the exact arguments, runs it once, and shows its outcome', async () => {
	const monitor = await openWithCommands(recording);
	await monitor.see('K record');
	await monitor.goTo('atlas');
	await monitor.press('K').see('Run record on atlas?', /sh -- atlas[\s│]+work/);
	expect(monitor.written()).toBe('');
	await monitor.answer('K', 'enter');
	expect(monitor.written()).toBe('');
	await monitor.press('y');
	await monitor.pass(4 * second, 4 * second).see('atlas: processed with record by you');
	expect(monitor.written()).toMatch(/^-- atlas work 198\.18\.0\.\d+\n$/);
	expect(monitor.operationRequests('work')).toEqual([]);
});

/** A command that greets most computers, and fails where a test of the shell does not hold. */
const ping = (greeting: string, test: string) => [
	'[commands.ping]',
	'key = "K"',
	'shell = true',
	`command = "echo hello ${greeting}; test ${test} || { echo no route >&2; exit 7; }"`,
];

test('a command on marked computers runs on each, and says which of them failed and why', async () => {
	const monitor = await openWithCommands(() => ping('$2', '$2 != cygnus'));
	for (const name of ['atlas', 'borealis', 'cygnus']) {
		await monitor.goTo(name);
		await monitor.press('space');
	}
	await monitor.press('K').see('Run ping on 3 computers?');
	await monitor.answer('y');
	await monitor.pass(5 * second, 4 * second).see('3 ended', 'hello atlas', 'no route');
	await monitor.see(/ping on cygnus .*ended with code 7/, '✖ Processed with ping 2 of 3');
	await monitor.see('ended with code 7: no route');
	await monitor.press('J', 'F').see('Run ping on cygnus?');
});

test('a command on computers of two accounts with the same ids says which account failed, and sends nothing', async () => {
	const { profiles } = await startWorkAndLab();
	const monitor = await openConfiguredMonitor({
		profiles,
		words: ['--all-profiles'],
		top: ping('$4/$2', '$4 != lab'),
	});
	await monitor.press('/', 'atlas', 'enter', 'a', 'K').see('Run ping on 2 computers?');
	await monitor.see('work: 1 (atlas)', 'lab: 1 (atlas)');
	expect(monitor.text().match(/work: \/bin\/sh -c/g)).toHaveLength(1);
	await monitor.see(/ping \S+ atlas 198\.18\.0\.\d+ lab /, 'y runs ping ·');
	await monitor.answer('y');
	await monitor.pass(5 * second, 4 * second).see('hello work/atlas', 'hello lab/atlas');
	await monitor.see('✖ Processed with ping 1 of 2');
	await monitor.press('J').see(/lab\/atlas.*ended with code 7: no route/);
	await monitor.press('F').see('Run ping on atlas?', 'Account lab');
	await monitor.answer('escape');
	await monitor.press('escape', '5').see('you processed with ping 1 of 2 computers (work/atlas)');
	expect([...monitor.operationRequests('work'), ...monitor.operationRequests('lab')]).toEqual([]);
});

test('the question shows the whole of a long command, page by page where it has no room', async () => {
	const steps = Array.from({ length: 12 }, (_, at) => `echo step-${at} of the release`);
	const monitor = await openWithCommands(() => [
		...['[commands.release]', 'key = "K"', 'shell = true'],
		`command = "${steps.join('; ')}"`,
	]);
	await monitor.goTo('atlas');
	await monitor.press('K').see('step-0 of', 'step-11 of');
	await monitor.seeNo('Pagedown');
	monitor.device.resize(60, 15);
	await monitor.see(/1–\d+ of \d+ lines · Pagedown shows the next/);
	await monitor.seeNo('step-11 of');
	const pages = [monitor.text()];
	for (let page = 0; page < 3; page += 1) {
		await monitor.press('pagedown');
		pages.push(monitor.text());
	}
	for (const at of steps.keys()) expect(pages.join('')).toContain(`step-${at}`);
	await monitor.press('pageup', 'pageup', 'pageup').see(/1–\d+ of \d+ lines/);
});

const deploying = (file: string) => [
	'[commands.deploy]',
	'key = "K"',
	'output = "none"',
	'inputs = [',
	'	{ name = "branch", label = "Branch", options = ["main", "next", "old"] },',
	'	{ name = "note" },',
	']',
	`command = ["sh", "-c", 'printf "<%s>" "$@" >> ${file}', "{branch}", "{name}", "--", "{note}"]`,
];

test('a command asks for its inputs first, shows what it will run with them, and passes each as one whole argument', async () => {
	const monitor = await openWithCommands(deploying);
	await monitor.goTo('atlas');
	await monitor.press('K').see('Branch (main, next, old): main');
	await monitor.press('tab').see('old): next');
	await monitor.press('ctrl-u', 'develop');
	await monitor.answer('enter').see('Enter one of main, next, old.');
	await monitor.press('ctrl-u', 'o', 'tab');
	await monitor.answer('enter').see('note:');
	await monitor.answer('enter').see('Enter something.');
	await monitor.paste('-x "$(reboot)" {name}\nand more');
	await monitor.answer('enter').see(/written' old\s+│\s+│ atlas -- '-x "\$\(reboot\)" \{name\}'/);
	await monitor.answer('K', 'enter');
	expect(monitor.written()).toBe('');
	await monitor.answer('y');
	await monitor.pass(5 * second, 4 * second);
	expect(monitor.written()).toMatch(/^<atlas><--><-x "\$\(reboot\)" \{name\}.*>$/);
	const logs = [...monitor.sessions.store.getState().accounts.values()].map(
		({ changes }) => changes,
	);
	expect(JSON.stringify(logs)).toContain('command deploy');
	expect(JSON.stringify(logs)).not.toMatch(/reboot|old/);
});

test('the answer for one computer is in sight before it counts, however long the command is', async () => {
	const monitor = await openWithCommands(() => [
		'[commands.deploy]',
		'key = "K"',
		'shell = true',
		'inputs = [{ name = "branch", label = "Branch" }]',
		`command = '${'true; '.repeat(60)}echo "$6"'`,
	]);
	await monitor.goTo('atlas');
	await monitor.press('K', 'next');
	await monitor.answer('enter');
	await monitor.see('y runs deploy');
	await monitor.see('{branch} is next');
});

test('the answers for several computers stand above their commands, and Esc goes back through them', async () => {
	const monitor = await openWithCommands(deploying);
	await monitor.press('space', 'j', 'space', 'K');
	await monitor.answer('enter');
	await monitor.press('soon');
	await monitor.answer('enter').see('{branch} is main', '{note} is soon');
	await monitor.see("'{branch}' draco -- '{note}'");
	await monitor.press('escape').see('note: soon');
	await monitor.press('escape', 'escape').seeNo('Branch');
	expect(monitor.written()).toBe('');
});

test('a command that changes nothing runs with the last answer, which may be no option of its program', async () => {
	const monitor = await openWithCommands(file => [
		'[commands.find]',
		'key = "K"',
		'output = "none"',
		'changes = false',
		'inputs = [{ name = "text", label = "Text" }]',
		`command = ["sh", "-c", 'echo "$1" >> ${file}', "sh", "{text}"]`,
	]);
	await monitor.goTo('atlas');
	await monitor.press('K', '-rf');
	await monitor.answer('enter').see('It may not begin with "-"');
	expect(monitor.written()).toBe('');
	await monitor.press('ctrl-u', 'rf');
	await monitor.answer('enter').see('atlas: processed with find by you');
	expect(monitor.written()).toBe('rf\n');
});

test('a command that uses the terminal gets it, and the monitor takes it back afterwards', async () => {
	const monitor = await openWithCommands(() => [
		'[commands.shell]',
		'key = "K"',
		'output = "terminal"',
		'confirm = "ask"',
		'command = ["true"]',
	]);
	await monitor.confirm('K');
	expect(monitor.lent).toEqual(['lent', 'taken back']);
	await monitor.press('space', 'j', 'space', 'K');
	await monitor.see('shell runs on one computer at a time, and 2 are marked');
});

test('read-only and the lock refuse a command that may change something, and allow one that changes nothing', async () => {
	const harmless = (file: string) => [
		...recording(file),
		'[commands.look]',
		'key = "U"',
		'output = "none"',
		'changes = false',
		`command = ["sh", "-c", 'echo "$1" >> ${file}', "sh", "{name}"]`,
	];
	const monitor = await openWithCommands(harmless, { words: ['--read-only'] });
	await monitor.goTo('atlas');
	await monitor.press('K').see('Read-only: nothing can be changed here');
	await monitor.press('U').see('atlas: processed with look by you');
	expect(monitor.written()).toBe('atlas\n');
	const locked = await openWithCommands(harmless);
	await locked.goTo('atlas');
	await locked.press('L', 'K').see('Nothing can be changed until you unlock');
	await locked.answer('escape');
	await locked.press('U').see('atlas: processed with look by you');
	expect(locked.written()).toBe('atlas\n');
});

test('a wrong command and a taken key are reported once, and everything else works', async () => {
	const monitor = await openWithCommands(file => [
		...recording(file),
		'[commands.bad]',
		'command = ["echo", "x{name}"]',
		'[commands.late]',
		'key = "x"',
		'output = "none"',
		`command = ["sh", "-c", 'echo "$1" >> ${file}', "sh", "{name}"]`,
	]);
	expect(monitor.troubles).toEqual([
		'config.toml: commands.bad.command contains {name} inside "x{name}"; it can only be a whole argument (and 1 more: see crowsnest doctor)',
	]);
	await monitor.goTo('atlas');
	await monitor.press('x').see('Stop atlas?');
	await monitor.answer('escape');
	await monitor.press(':', 'run late', 'enter').see('Run late on atlas?');
	await monitor.answer('y');
	await monitor.pass(4 * second, 4 * second);
	expect(monitor.written()).toBe('atlas\n');
});

test.each([
	['refuses the token', 'unauthorized', 'signed out'],
	['cannot be reached', 'reset', 'offline'],
] as const)(
	'on a small screen, when the platform %s, a command runs with what was known last, and its question says how old that is',
	async (_, kind, header) => {
		const monitor = await openWithCommands(recording);
		await monitor.goTo('atlas');
		const targets = ['list', 'status', 'credits'] as const;
		monitor.simulator.setFaults(targets.map(target => ({ target, kind })));
		await monitor.pass(60 * second, 5 * second);
		monitor.device.resize(60, 15);
		await monitor.see(header);
		await monitor.press('K').see('Run record on atlas?', /not answered|signed out/i);
		await monitor.answer('y');
		await monitor.pass(4 * second, 4 * second).see('atlas: processed with record');
		expect(monitor.written()).toMatch(/^-- atlas work 198\.18\.0\.\d+\n$/);
	},
);

test('own commands do not run if others can write the configuration, and their keys say so', async () => {
	const monitor = await openWithCommands(recording, {
		prepare: home => chmodSync(join(home, 'config', 'config.toml'), 0o666),
	});
	await monitor.press('K').see('Shells and own commands do not run:');
	expect(monitor.troubles[0]).toContain('can be written by others');
	expect(monitor.written()).toBe('');
});

test('own commands do not run in the demo, and their keys say so', async () => {
	const monitor = await openWithCommands(recording);
	// The demo adds the commands of the configuration in the same way.
	const own = openOwnCommands(monitor.host, {
		operations: monitor.sessions.operations,
		barredBecause: 'Shells and own commands do not run in the demo',
		onTrouble() {},
	});
	own.load(actions);
	onTestFinished(own.close);
	await monitor.press('K').see('Shells and own commands do not run in the demo');
	expect(monitor.written()).toBe('');
});

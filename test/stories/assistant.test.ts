import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { commands } from '../../source/cli/catalog.ts';
import { runCommandLine } from '../../source/cli/command-line.ts';
import { type Host, programWith } from '../../source/session/host.ts';
import { createSeveralAccountsHost, startSimulator, startWorkAndLab } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';

const second = 1_000;

/** What `crowsnest mcp` answers to these lines, by the ids of the requests. */
async function answersOf(host: Host, lines: readonly unknown[], words: readonly string[] = []) {
	const [stdin, stdout] = [new PassThrough(), new PassThrough()];
	const program = programWith(host.program, { stdin, stdout } as unknown as Host['program']);
	const own = { ...host, processId: 'assistant', bootIdentity: () => ['machine', 'boot'], program };
	for (const line of lines)
		stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
	stdin.end();
	expect(await runCommandLine(own, commands, ['mcp', ...words])).toBe(0);
	const answers = String(stdout.read() ?? '').split('\n');
	return answers.filter(Boolean).map(line => JSON.parse(line));
}

const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });

const callOf = (name: string, given: object = {}) =>
	request('tools/call', { name, arguments: given });

/** What one tool returns, and whether it is an error. */
async function call(host: Host, name: string, given: object = {}, words?: readonly string[]) {
	const [{ result }] = await answersOf(host, [callOf(name, given)], words);
	return [result.content.map(({ text }: { text: string }) => text).join('\n'), result.isError];
}

async function openShared(options: Partial<Parameters<typeof openConfiguredMonitor>[0]> = {}) {
	const simulator = await startSimulator({ computers: 7 });
	const profiles = { work: { simulator } };
	const monitor = await openConfiguredMonitor({ profiles, isShared: true, ...options });
	const propose = (operation: string, given: object = {}) =>
		call(monitor.host, 'propose', { operation, ...given });
	/** What crosses the socket comes with a later turn. */
	async function see(text: string) {
		for (let turns = 0; turns < 50 && !monitor.text().includes(text); turns += 1)
			await monitor.idle();
		await monitor.see(text);
	}
	return { ...monitor, simulator, propose, see };
}

test('the server speaks JSON-RPC: it says what it can, and refuses what is no request of the protocol', async () => {
	const { host } = await createSeveralAccountsHost({});
	const answers = await answersOf(host, [
		request('initialize', { protocolVersion: '2025-06-18' }),
		request('initialize', { protocolVersion: '1999-01-01' }),
		{ jsonrpc: '2.0', method: 'notifications/initialized' },
		request('ping'),
		'{"id":',
		[],
		request('resources/list'),
		request('constructor'),
		callOf('stop', { computers: ['atlas'] }),
	]);
	expect(answers).toMatchObject([
		{ id: 1, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} } } },
		{ id: 1, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'crowsnest' } } },
		{ jsonrpc: '2.0', id: 1, result: {} },
		{ id: null, error: { code: -32_700 } },
		{ id: null, error: { code: -32_600 } },
		{ id: 1, error: { code: -32_601 } },
		{ id: 1, error: { code: -32_601 } },
		{ id: 1, error: { code: -32_602 } },
	]);
	const long = `"${'x'.repeat(1_500_000)}"`;
	expect(await answersOf(host, [long, request('ping')])).toMatchObject([
		{ id: null, error: { code: -32_700 } },
		{ id: 1, result: {} },
	]);
});

test('the tools are the commands that read, and a proposal only where something may be changed', async () => {
	const { host } = await createSeveralAccountsHost({});
	const namesWith = async (words: readonly string[]) => {
		const [{ result }] = await answersOf(host, [request('tools/list')], words);
		return result.tools.map(({ name }: { name: string }) => name);
	};
	const reading = [
		'list',
		'show',
		'status',
		'log',
		'models',
		'versions',
		'credits',
		'subscription',
	];
	expect(await namesWith([])).toEqual([...reading, 'profiles', 'propose', 'proposals']);
	expect(await namesWith(['--read-only'])).toEqual([...reading, 'profiles']);
});

test('an assistant reads and proposes only in the profiles that a person has chosen for it', async () => {
	const simulator = await startSimulator();
	const lab = await startSimulator({ clock: simulator.clock });
	const profiles = { work: { simulator }, lab: { simulator: lab } };
	const { host } = await openShared({ profiles, words: ['--all-profiles'] });
	const answerTo = async (given: object) =>
		(await answersOf(host, [callOf('list', given)], ['--profile', 'work']))[0];
	for (const given of [
		{ profile: 'lab' },
		{ profile: 'work,lab' },
		{ 'all-profiles': true },
		{ 'profile=lab': true },
	])
		expect(await answerTo(given)).toMatchObject({ error: { code: -32_602 } });
	expect(await answerTo({ profile: 'work' })).toMatchObject({ result: { isError: false } });
	expect(await call(host, 'list', { profile: 'lab' })).toMatchObject([/"atlas"/, false]);
});

test('an assistant reads what the monitor knows, and is told what is wrong with its request', async () => {
	const { host } = await openShared();
	const [list, isError] = await call(host, 'list', { filter: 'name:atlas', limit: 1 });
	expect([JSON.parse(list), isError]).toMatchObject([[{ name: 'atlas', status: 'active' }], false]);
	expect(await call(host, 'show', { computers: ['atlas'] })).toMatchObject([/"sb_/, false]);
	// It cannot choose how long it keeps the next ones waiting.
	expect(await call(host, 'list', { timeout: 'for ever' })).toMatchObject([/"atlas"/, false]);
	expect(await call(host, 'list', { colour: 'red' })).toMatchObject([/Unknown option/, true]);
	expect(await call(host, 'show', { computers: ['nobody'] })).toMatchObject([/No computer/, true]);
});

test('a proposal is a message in the monitor, and nothing is sent until a person opens its question and answers it', async () => {
	const monitor = await openShared({ top: ['[confirm]', 'start = "off"'] });
	const [said, isError] = await monitor.propose('stop', { computers: ['atlas'] });
	expect([said, isError]).toMatchObject([/Nothing is sent/, false]);
	await monitor.see('An assistant proposes: stop atlas · A asks');
	await monitor.propose('start', { computers: ['cygnus'] });
	await monitor.press('y', 'enter');
	await monitor.pass(20 * second, second);
	expect(monitor.operationRequests('work')).toEqual([]);
	await monitor.press('A');
	await monitor.see('Stop atlas?');
	await monitor.answer('A', 'enter', 'escape');
	await monitor.see('An assistant proposes: start cygnus');
	await monitor.pass(second, second);
	await monitor.press('A');
	await monitor.see('Start cygnus?');
	await monitor.answer('y');
	await monitor.pass(2 * second, second);
	expect(monitor.operationRequests('work')).toHaveLength(1);
	await monitor.press('A');
	await monitor.see('No assistant proposes anything');
});

test('a proposal cannot give a computer another name, and its port makes no stop look like one of a port', async () => {
	const monitor = await openShared();
	await monitor.propose('stop', { computers: ['atlas'], name: 'old-test', port: '8080' });
	await monitor.see('An assistant proposes: stop atlas · A asks');
	await monitor.press('A');
	await monitor.see('Stop atlas?');
	await monitor.seeNo('old-test');
});

test('a proposal leaves room for a countdown and for what a key says, and never looks like an operation under way', async () => {
	const monitor = await openShared();
	monitor.device.resize(60, 15);
	await monitor.propose('start', { computers: ['cygnus'] });
	await monitor.press('2');
	monitor.simulator.world.sleep('fornax');
	await monitor.pass(5 * second, second);
	await monitor.see('An assistant proposes: start cygnus');
	await monitor.press('1', 'X');
	await monitor.see('X does nothing here');
	await monitor.pass(20 * second, second);
	await monitor.press('/');
	await monitor.type('name:atlas');
	await monitor.press('enter', 'r');
	await monitor.answer('y');
	await monitor.see('in 4 s, Esc to cancel');
	await monitor.seeNo('start cygnus');
	await monitor.press('escape');
});

test('a proposal is refused where nobody could answer it, where it cannot be done, or where nothing may be changed', async () => {
	const monitor = await openShared({ top: ['[commands.wipe]', 'command = ["true"]'] });
	const refused = (operation: string, given: object, why: RegExp) =>
		expect(monitor.propose(operation, given)).resolves.toMatchObject([why, true]);
	await refused('stop', { computers: ['nobody'] }, /No computer has the id or name nobody/);
	await refused('stop', {}, /stop needs computers.*See crowsnest mcp --help/);
	await refused('create', { computers: ['atlas'] }, /create takes no computers/);
	await refused('start', { computers: ['atlas'] }, /atlas: already running/);
	await refused('command wipe', { computers: ['atlas'] }, /--operation does not take command wipe/);
	await monitor.press('L');
	await monitor.propose('stop', { computers: ['atlas'] });
	await monitor.see('An assistant proposes: stop atlas');
	await monitor.press('A');
	await monitor.see('Nothing can be changed until you unlock');
	await monitor.answer('escape');
	await monitor.see('An assistant proposes: stop atlas');
	await monitor.pass(11 * 60 * second, 60 * second);
	await monitor.seeNo('An assistant proposes');
	await monitor.closeAll();
	await refused('stop', { computers: ['atlas'] }, /no open monitor of work has answered/);
	const readOnly = await openShared({ top: ['readOnly = true'] });
	expect(await readOnly.propose('stop', { computers: ['atlas'] })).toMatchObject([
		/Read-only/,
		true,
	]);
	expect(monitor.operationRequests('work')).toEqual([]);
});

test('nothing is proposed to a read-only monitor, nor where ten proposals wait, and the assistant is told so', async () => {
	const readOnly = await openShared({ words: ['--read-only'] });
	expect(await readOnly.propose('stop', { computers: ['atlas'] })).toMatchObject([
		/the monitor of work is read-only/,
		true,
	]);
	await readOnly.seeNo('An assistant proposes');
	const monitor = await openShared();
	const publish = (port: number) =>
		monitor.propose('publish', { computers: ['atlas'], port: String(port) });
	for (let port = 3000; port < 3010; port += 1)
		expect(await publish(port)).toMatchObject([/Shown/, false]);
	expect(await publish(3010)).toMatchObject([/10 proposals wait/, true]);
	expect(await publish(3009)).toMatchObject([/Shown/, false]);
});

test('Esc dismisses the proposal that is shown, where nothing else is open, and the assistant hears what became of each', async () => {
	const monitor = await openShared();
	const outcomes = async () =>
		JSON.parse((await call(monitor.host, 'proposals'))[0]).map(
			({ operation, outcome }: Record<string, string>) => `${operation} ${outcome}`,
		);
	await monitor.propose('stop', { computers: ['atlas'] });
	await monitor.see('An assistant proposes: stop atlas · A asks, Esc dismisses');
	monitor.simulator.world.sleep('fornax');
	await monitor.pass(5 * second, second);
	for (const key of ['/', ':', '?', 'r', '[']) {
		await monitor.press(key).seeNo('A asks', 'Esc dismisses');
		await monitor.press('escape').see('A asks, Esc dismisses');
	}
	await monitor.propose('start', { computers: ['cygnus'] });
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.seeNo('Esc dismisses');
	await monitor.press('escape');
	await monitor.see('was not restarted');
	expect(await outcomes()).toEqual(['stop waiting', 'start waiting']);
	await monitor.press('escape');
	await monitor.see('Dismissed, and the assistant is told: stop atlas');
	await monitor.press('A');
	await monitor.see('Start cygnus?');
	await monitor.answer('escape');
	await monitor.propose('delete', { computers: ['atlas'] });
	await monitor.pass(11 * 60 * second, 60 * second);
	await monitor.seeNo('An assistant proposes');
	expect(await outcomes()).toEqual(['stop dismissed', 'start opened', 'delete expired']);
	expect(monitor.operationRequests('work')).toEqual([]);
});

test('at 60 columns and with two accounts the message names the account, and an assistant that repeats itself is shown once', async () => {
	const { profiles } = await startWorkAndLab();
	const monitor = await openShared({ profiles, words: ['--all-profiles'] });
	monitor.device.resize(60, 15);
	for (const port of [3000, 3000])
		await monitor.propose('publish', { computers: ['atlas'], port: String(port), profile: 'lab' });
	await monitor.see('An assistant proposes in lab: publish port 3000 of atlas');
	await monitor.press('A');
	await monitor.see('Publish port 3000 of atlas?');
	await monitor.see('Account lab');
	await monitor.answer('escape');
	await monitor.press('A');
	await monitor.see('No assistant proposes anything');
});

test('Esc dismisses no proposal that has just come, which nobody can have read', async () => {
	const monitor = await openShared();
	await monitor.propose('stop', { computers: ['atlas'] });
	await monitor.press('escape');
	await monitor.see('An assistant proposes: stop atlas');
	await monitor.pass(300);
	await monitor.press('escape');
	await monitor.see('Dismissed, and the assistant is told: stop atlas');
});

test('a burst of Esc dismisses one proposal, because nobody can have read the next one', async () => {
	const monitor = await openShared();
	for (const name of ['atlas', 'gemini']) await monitor.propose('stop', { computers: [name] });
	await monitor.see('An assistant proposes: stop atlas');
	await monitor.pass(second);
	await monitor.press('escape', 'escape', 'escape');
	await monitor.see('An assistant proposes: stop gemini');
	await monitor.pass(300);
	await monitor.press('j', 'escape');
	await monitor.see('Dismissed, and the assistant is told: stop gemini');
});

test('where a proposal has little room, it is said in fewer words, and never cut', async () => {
	const monitor = await openShared();
	await monitor.propose('publish', { computers: ['atlas'], port: '3000' });
	await monitor.see('An assistant proposes: publish port 3000 of atlas · A asks, Esc dismisses');
	monitor.device.resize(40, 10);
	await monitor.see('Proposed: publish port 3000 of atlas');
	monitor.device.resize(30, 8);
	await monitor.see('Proposed: publish · A asks');
});

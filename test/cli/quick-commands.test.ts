import { expect, test } from 'vitest';
import { commands } from '../../source/cli/catalog.ts';
import { runQuickCommand } from '../../source/cli/quick-commands.ts';
import { quickNames } from '../../source/cli/quick-names.ts';
import { createOperateHost, startSimulator } from './host.ts';

test('each command of the quick program is a command of the whole program', () => {
	expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining([...quickNames]));
});

test.each([
	['has a mistake', 'list --mood'],
	['has an option of another command', 'show --yes atlas'],
	['has an argument too many', 'credits atlas'],
	['asks for help', 'log --help'],
	['asks for the version', 'list --version'],
	['opens the demo', 'list --demo'],
	['opens the demo for a command that sends nothing', 'status --demo'],
	['names another command', 'stop atlas --yes'],
	['names no command', '--json'],
])('the quick program leaves a command line to the whole program if it %s', async (_, line) => {
	const simulator = await startSimulator();
	const { host, output } = createOperateHost(simulator);
	expect(await runQuickCommand(host, line.split(' '))).toBeUndefined();
	expect(output()).toBe('');
	expect(simulator.requests).toEqual([]);
});

test('the quick program leaves a command that sends requests to the whole program if the environment names a proxy', async () => {
	const simulator = await startSimulator();
	const { host, output } = createOperateHost(simulator);
	host.program.env['https_proxy'] = 'http://198.18.0.1:3128';
	expect(await runQuickCommand(host, ['list'])).toBeUndefined();
	expect(output()).toBe('');
	expect(simulator.requests).toEqual([]);
});

test('the quick program prints the status even if the environment names a proxy', async () => {
	const simulator = await startSimulator();
	const { host, output } = createOperateHost(simulator);
	host.program.env['https_proxy'] = 'http://198.18.0.1:3128';
	expect(await runQuickCommand(host, ['status'])).toBe(1);
	expect(output()).toBe('no data\n');
});

import { expect, test } from 'vitest';
import { commands } from '../../source/cli/catalog.ts';
import { commandsOfPrograms } from '../../source/cli/program-commands.ts';
import { runInQuickProgram, runInReadingProgram } from '../../source/cli/small-programs.ts';
import { createOperateHost, startSimulator } from './host.ts';

test('each command of a small program is a command of the whole program', () => {
	const names = commands.map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining([...commandsOfPrograms.quick]));
	expect(names).toEqual(expect.arrayContaining([...commandsOfPrograms.reading]));
});

test.each([
	['has a mistake', 'list --mood'],
	['has an option of another command', 'show --yes atlas'],
	['has an argument too many', 'credits atlas'],
	['asks for help', 'log --help'],
	['asks for the version', 'list --version'],
	['opens the demo', 'list --demo'],
	['names another command', 'stop atlas --yes'],
	['names no command', '--json'],
])('the reading program leaves a command line to the whole program if it %s', async (_, line) => {
	const simulator = await startSimulator();
	const { host, output } = createOperateHost(simulator);
	expect(await runInReadingProgram(host, line.split(' '))).toBeUndefined();
	expect(output()).toBe('');
	expect(simulator.requests).toEqual([]);
});

test('the reading program leaves every command line to the whole program if the environment names a proxy', async () => {
	const simulator = await startSimulator();
	const { host, output } = createOperateHost(simulator);
	host.program.env['https_proxy'] = 'http://198.18.0.1:3128';
	expect(await runInReadingProgram(host, ['list'])).toBeUndefined();
	expect(output()).toBe('');
	expect(simulator.requests).toEqual([]);
});

test.each([
	['a list that no running monitor prints', 'list'],
	['a mistake', 'status --mood'],
	['the demo', 'status --demo'],
	['a command that sends a request', 'credits'],
])('the quick program leaves %s to a larger program', async (_, line) => {
	const simulator = await startSimulator();
	const { host, output } = createOperateHost(simulator);
	expect(await runInQuickProgram(host, line.split(' '))).toBeUndefined();
	expect(output()).toBe('');
	expect(simulator.requests).toEqual([]);
});

test('the quick program prints the status even if the environment names a proxy', async () => {
	const simulator = await startSimulator();
	const { host, output } = createOperateHost(simulator);
	host.program.env['https_proxy'] = 'http://198.18.0.1:3128';
	expect(await runInQuickProgram(host, ['status'])).toBe(1);
	expect(output()).toBe('no data\n');
});

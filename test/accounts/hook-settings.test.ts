import { expect, test } from 'vitest';
import { configExample, configFrom } from '../../source/accounts/config-text.ts';
import { hookExample } from '../../source/accounts/hook-settings.ts';

test('a wrong hook disables only itself, and its problem names the hook', () => {
	const text = [
		'readOnly = true',
		'[[hooks]]',
		'on = ["computerFailed"]',
		'command = ["one"]',
		'',
		'[[hooks]]',
		'on = ["computerFaild"]',
		'command = ["two"]',
		'[[hooks]]',
		'on = "stateChanged"',
		'to = ["stoped"]',
		'command = "three"',
		'[profiles.work]',
		'short = "wk"',
		'[[hooks]]',
		'on = ["creditsLow"]',
		'from = ["active"]',
		'command = ["four"]',
		'[[hooks]]',
		'on = ["accountDown"]',
		'[[hooks]]',
		'on = ["stateChanged"]',
		'from = "active"',
		'command = ["five", "{id}"]',
		'cooldown = "5m"',
		'timeout = "1m"',
		'maxRunning = 1',
	].join('\n');
	const { config, problems } = configFrom(text);
	expect(problems).toEqual([]);
	expect(config.readOnly).toBe(true);
	expect(config.hooks.hooks).toMatchObject([
		{ on: ['computerFailed'], command: ['one'], cooldownMs: 60_000, timeoutMs: 10_000 },
		{ from: ['active'], command: ['five', '{id}'], cooldownMs: 300_000, maxRunning: 1 },
	]);
	expect(config.hooks.problems.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^hooks\.2\.on must be one of .*did you mean "computerFailed"\?$/),
		expect.stringMatching(/^hooks\.3\.to must be one of .*did you mean "stopped"\?$/),
		expect.stringMatching(/^hooks\.3\.command must be a program with its arguments/),
		expect.stringMatching(/^hooks\.4 has from or to, which only "stateChanged" uses$/),
		expect.stringMatching(/^hooks\.5 has no command; /),
	]);
});

test('the hooks of the example configuration can be used', () => {
	expect(configExample()).toContain(hookExample);
	const { config, problems } = configFrom(hookExample.replaceAll(/^#(?=\S)/gm, ''));
	expect(problems).toEqual([]);
	expect(config.hooks.problems).toEqual([]);
	expect(config.hooks.hooks).toHaveLength(3);
});

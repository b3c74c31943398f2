import { expect, test } from 'vitest';
import { withProfile } from '../../source/accounts/config-edit.ts';
import { configExample, configFrom } from '../../source/accounts/config-text.ts';
import { hookExample } from '../../source/accounts/hook-settings.ts';

test('a wrong hook disables only itself, and its problem names the line', () => {
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
		{ line: 2, on: ['computerFailed'], command: ['one'], cooldownMs: 60_000, timeoutMs: 10_000 },
		{ line: 21, from: ['active'], command: ['five', '{id}'], cooldownMs: 300_000, maxRunning: 1 },
	]);
	expect(config.hooks.problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([
		expect.stringMatching(/^7: hooks\.2\.on must be one of .*did you mean "computerFailed"\?$/),
		expect.stringMatching(/^11: hooks\.3\.to must be one of .*did you mean "stopped"\?$/),
		expect.stringMatching(/^12: hooks\.3\.command must be a program with its arguments/),
		expect.stringMatching(/^15: hooks\.4 has from or to, which only "stateChanged" uses$/),
		expect.stringMatching(/^19: hooks\.5 has no command; /),
	]);
});

test('the hooks of the example configuration can be used', () => {
	expect(configExample()).toContain(hookExample);
	const { config, problems } = configFrom(hookExample.replaceAll(/^#(?=\S)/gm, ''));
	expect(problems).toEqual([]);
	expect(config.hooks.problems).toEqual([]);
	expect(config.hooks.hooks).toHaveLength(3);
});

test('a profile is added to a configuration with hooks without a change of the hooks', () => {
	const text =
		'[[hooks]]\non = ["computerFailed"]\ncommand = ["one"]\n[[hooks]]\non = ["accountDown"]\ncommand = ["two"]\n';
	const edited = withProfile(text, 'work', { url: 'https://api.example.com/v1' });
	expect(configFrom(edited ?? '').config.hooks.hooks).toHaveLength(2);
	expect(edited).toContain('[profiles.work]');
});

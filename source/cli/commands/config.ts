import type { LoadedSettings } from '../../accounts/account-settings.ts';
import { configExample, configFrom } from '../../accounts/config-text.ts';
import type { Preferences } from '../../accounts/settings.ts';
import { exitCodes, UsageError } from '../../foundation/error.ts';
import { actionsFor } from '../../monitor/open-monitor.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { displayOptionsFrom } from '../../script/display-options.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import {
	loadSettings,
	problemLines,
	readConfigText,
	severalProfilesText,
} from '../../session/settings.ts';
import type { Command } from '../command.ts';
import { severalAccountsOptions } from '../options.ts';

export const config: Command = {
	name: 'config',
	summary: 'check the configuration',
	options: [
		...severalAccountsOptions,
		{ name: 'example', help: 'print a configuration that explains every setting' },
		{ name: 'path', help: 'print the path of the configuration' },
	],
	examples: ['crowsnest config', 'crowsnest config --example'],
	async run(host, args) {
		const { stdout, stderr } = host.program;
		const { configPath } = pathsOf(host);
		if (args.flag('example')) {
			stdout.write(configExample());
			return exitCodes.done;
		}
		if (args.flag('path')) {
			stdout.write(`${configPath}\n`);
			return exitCodes.done;
		}
		const settings = loadSettings(host, args);
		if (settings.kind === 'wrong') {
			stderr.write(`${problemLines(settings.problems, configPath)}\n`);
			return exitCodes.failed;
		}
		const text = readConfigText(configPath);
		const mistakes = mistakesIn(host, settings, text ?? '');
		if (mistakes.length > 0) {
			stderr.write(`${mistakes.join('\n')}\n`);
			return exitCodes.failed;
		}
		stdout.write(
			text !== undefined
				? `${configPath} is valid.\n`
				: `${configPath} does not exist. It is optional.\n`,
		);
		stdout.write(
			accountLines(settings)
				.map(line => `${cleanText(line)}\n`)
				.join(''),
		);
		return exitCodes.done;
	},
};

/** Returns the mistakes that leave an account usable, but not its hooks, its own commands or the monitor. */
function mistakesIn(
	host: Host,
	settings: Exclude<LoadedSettings, { kind: 'wrong' }>,
	text: string,
): readonly string[] {
	const preferences =
		settings.kind === 'accounts'
			? settings.accounts.map(account => account.preferences)
			: [settings.preferences];
	const { commands, hooks } = configFrom(text).config;
	const problems = [...commands.problems, ...hooks.problems];
	const lines = problems.map(problem => problemLines([problem], pathsOf(host).configPath));
	return [...new Set([...preferences.flatMap(each => monitorMistakesIn(host, each)), ...lines])];
}

/** Returns what the monitor refuses: its columns and its keys. */
const monitorMistakesIn = (host: Host, preferences: Preferences): readonly string[] =>
	[displayOptionsFrom, actionsFor].flatMap(read => {
		try {
			read(host, preferences);
			return [];
		} catch (error) {
			if (error instanceof UsageError) return [error.message];
			throw error;
		}
	});

function accountLines(settings: Exclude<LoadedSettings, { kind: 'wrong' }>): readonly string[] {
	switch (settings.kind) {
		case 'none':
			return ['No account is configured. Run `crowsnest login` to set one up.'];
		case 'choice':
			return [severalProfilesText(settings.profiles)];
		case 'accounts':
			return settings.accounts.map(({ name, baseUrl }) => `Account in use: ${name} at ${baseUrl}`);
	}
}

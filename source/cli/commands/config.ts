import { existsSync } from 'node:fs';
import type { LoadedSettings } from '../../accounts/account-settings.ts';
import { configExample } from '../../accounts/config-text.ts';
import { exitCodes, UsageError } from '../../foundation/error.ts';
import { actionsFor } from '../../monitor/open-monitor.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { displayOptionsFrom } from '../../script/display-options.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import {
	loadSettings,
	problemLines,
	readConfig,
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
		if (args.flag('example') || args.flag('path')) {
			stdout.write(args.flag('example') ? configExample() : `${configPath}\n`);
			return exitCodes.done;
		}
		const settings = loadSettings(host, args);
		const mistakes = mistakesIn(host, settings);
		if (settings.kind === 'wrong' || mistakes.length > 0) {
			stderr.write(`${mistakes.join('\n')}\n`);
			return exitCodes.failed;
		}
		const state = existsSync(configPath) ? 'is valid' : 'does not exist. It is optional';
		for (const line of [`${configPath} ${state}.`, ...accountLines(settings)])
			stdout.write(`${cleanText(line)}\n`);
		return exitCodes.done;
	},
};

/** Returns all mistakes, also those that leave an account usable, but not its hooks, its own commands or the monitor. */
function mistakesIn(host: Host, settings: LoadedSettings): readonly string[] {
	const { configPath } = pathsOf(host);
	if (settings.kind === 'wrong') return [problemLines(settings.problems, configPath)];
	const owners = settings.kind === 'accounts' ? settings.accounts : [settings];
	const refused = owners.flatMap(({ preferences }) =>
		[displayOptionsFrom, actionsFor].flatMap(read => {
			try {
				read(host, preferences);
				return [];
			} catch (error) {
				if (error instanceof UsageError) return [error.message];
				throw error;
			}
		}),
	);
	const { commands, hooks } = readConfig(host).config;
	const problems = [...commands.problems, ...hooks.problems];
	return [...new Set([...refused, ...problems.map(each => problemLines([each], configPath))])];
}

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

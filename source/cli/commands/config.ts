import type { LoadedSettings } from '../../accounts/account-settings.ts';
import { configExample } from '../../accounts/config-text.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { pathsOf } from '../../session/host.ts';
import { type Command, exitCodes } from '../../shell/command.ts';
import {
	loadSettings,
	problemLines,
	readConfigText,
	severalProfilesText,
} from '../../shell/load-settings.ts';
import { severalAccountsOptions } from '../../shell/options.ts';

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
		const exists = readConfigText(configPath) !== undefined;
		stdout.write(
			exists ? `${configPath} is valid.\n` : `${configPath} does not exist. It is optional.\n`,
		);
		stdout.write(
			accountLines(settings)
				.map(line => `${cleanText(line)}\n`)
				.join(''),
		);
		return exitCodes.done;
	},
};

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

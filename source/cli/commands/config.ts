import { configExample } from '../../accounts/config-text.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { pathsOf } from '../../session/host.ts';
import { type Command, exitCodes } from '../../shell/command.ts';
import { loadSettings, problemLines, readConfigText } from '../../shell/load-settings.ts';
import { accountOptions } from '../../shell/options.ts';

export const config: Command = {
	name: 'config',
	summary: 'check the configuration',
	options: [
		...accountOptions,
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
			settings.kind === 'none'
				? 'No account is configured. Run `crowsnest login` to set one up.\n'
				: `${cleanText(`Account in use: ${settings.account.name} at ${settings.account.baseUrl}`)}\n`,
		);
		return exitCodes.done;
	},
};

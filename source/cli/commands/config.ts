import { configExample } from '../../accounts/setting-table.ts';
import { cleanText } from '../../platform/clean.ts';
import { pathsOf } from '../../session/host.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import { loadSettings, problemLines, readConfigText } from '../../shell/load-settings.ts';

/** Shows an example of a configuration, or says whether the one there is right. */
export const config: Run = async (host, args) => {
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
	const isThere = readConfigText(configPath) !== undefined;
	stdout.write(`${configPath} ${isThere ? 'is right' : 'is not there, which is fine'}.\n`);
	stdout.write(
		settings.kind === 'none'
			? 'No account is configured; `crowsnest login` sets one up.\n'
			: cleanText(`Used is ${settings.account.name}: ${settings.account.baseUrl}`).concat('\n'),
	);
	return exitCodes.done;
};

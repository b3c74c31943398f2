import { configExample } from '../../accounts/setting-table.ts';
import { cleanText } from '../../platform/clean.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import { configTextAt, pathsOf, problemLines, settingsOf } from '../../shell/load-settings.ts';

/** Shows an example of a configuration, or says whether the one there is right. */
export const config: Run = async (host, given) => {
	const { stdout, stderr } = host.program;
	const { configPath } = pathsOf(host);
	if (given.flag('example')) {
		stdout.write(configExample());
		return exitCodes.done;
	}
	if (given.flag('path')) {
		stdout.write(`${configPath}\n`);
		return exitCodes.done;
	}
	const settings = settingsOf(host, given);
	if (settings.kind === 'wrong') {
		stderr.write(`${problemLines(settings.problems, configPath)}\n`);
		return exitCodes.failed;
	}
	const isThere = configTextAt(configPath) !== undefined;
	stdout.write(`${configPath} ${isThere ? 'is right' : 'is not there, which is fine'}.\n`);
	stdout.write(
		settings.kind === 'none'
			? 'No account is configured; `crowsnest login` sets one up.\n'
			: cleanText(`Used is ${settings.account.name}: ${settings.account.baseUrl}`).concat('\n'),
	);
	return exitCodes.done;
};

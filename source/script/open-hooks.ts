import type { LoadedSettings } from '../accounts/account-settings.ts';
import { reasonToDistrust } from '../accounts/private-file.ts';
import { createHooks, type Hooks } from '../journal/hooks.ts';
import { childEffectsOf, type Host, pathsOf } from '../session/host.ts';
import { problemLines } from '../session/settings.ts';
import { logPath } from '../session/state-folder.ts';

export async function openHooks(
	host: Host,
	{ hooks, problems }: Extract<LoadedSettings, { kind: 'accounts' }>['hooks'],
	onProblem: (message: string) => void,
): Promise<Hooks | undefined> {
	if (hooks.length === 0 && problems.length === 0) return undefined;
	const { configPath } = pathsOf(host);
	const distrust = reasonToDistrust(configPath);
	if (distrust !== undefined) {
		onProblem(`No hook runs: ${distrust}`);
		return undefined;
	}
	if (problems.length > 0) onProblem(problemLines(problems, configPath));
	if (hooks.length === 0) return undefined;
	return createHooks({
		...childEffectsOf(host),
		hooks,
		onProblem,
		directory: logPath(host),
		environment: host.program.env,
	});
}

import { reasonToDistrust } from '../../accounts/config-trust.ts';
import type { Hook, HookSettings } from '../../accounts/hook-settings.ts';
import type { Paths } from '../../accounts/paths.ts';
import type { Environment } from '../../children/child-environment.ts';
import { problemLines } from '../../shell/load-settings.ts';
import { type Check, shortPath } from './check.ts';
import { isProgram } from './program-search.ts';

/** Checks whether each hook of the configuration can run. */
export function hookChecks(
	{ hooks, problems }: HookSettings,
	{ configPath }: Pick<Paths, 'configPath'>,
	environment: Environment,
	home: string,
): readonly Check[] {
	const subject = 'Hooks';
	if (hooks.length === 0 && problems.length === 0) return [];
	const distrust = reasonToDistrust(configPath);
	if (distrust !== undefined)
		return [{ subject, status: 'wrong', finding: `none runs: ${distrust}` }];
	const path = shortPath(configPath, home);
	return [
		...problems.map((problem): Check => {
			const finding = `not used: ${problemLines([problem], path)}`;
			return { subject, status: 'wrong', finding, advice: 'See `crowsnest config --example`.' };
		}),
		...hooks.map((hook): Check => {
			const text = hookText(hook);
			if (isProgram(hook.command[0] ?? '', environment['PATH'] ?? ''))
				return { subject, status: 'right', finding: text };
			return {
				subject,
				status: 'wrong',
				finding: `${text}: there is no program ${hook.command[0]}`,
			};
		}),
	];
}

const hookText = ({ command, on, line }: Hook) =>
	`${on.join(', ')} → ${command[0]}${line === undefined ? '' : ` (line ${line})`}`;

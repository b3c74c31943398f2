import { basename } from 'node:path';
import { createCommandRunner } from '../operations/command-runner.ts';
import type { Operations } from '../operations/operations.ts';
import { addOwnCommands } from '../operations/own-commands.ts';
import { childEffectsOf, type Host, pathsOf } from '../session/host.ts';
import { type LoadedCommands, loadOwnCommands, problemLines } from '../session/settings.ts';
import { takenKeyText, withOwnCommands } from '../views/actions/table.ts';
import type { Action } from '../views/scene.ts';

/** `barredBecause` says why commands cannot run here. Their keys then say it. */
export function openOwnCommands(
	host: Host,
	builtIn: readonly Action[],
	options: {
		operations: Pick<Operations, 'setCommandRuns'>;
		barredBecause?: string;
		onTrouble: (message: string) => void;
	},
) {
	const loaded = loadOwnCommands(host);
	const barredBecause = options.barredBecause ?? loaded.barredBecause;
	const effects = { ...childEffectsOf(host), activity: host.activity };
	const runner = createCommandRunner(effects, host.program.env, options.operations.setCommandRuns);
	const remove = addOwnCommands(loaded.commands, { runner, barredBecause });
	const { actions, withoutKey } = withOwnCommands(builtIn, loaded.commands);
	const trouble = troubleText(host, loaded, withoutKey);
	if (trouble !== undefined) options.onTrouble(trouble);
	return {
		runner,
		actions,
		/** Ends the running commands, and removes all from the tables. */
		async close() {
			await runner.close();
			remove();
		},
	};
}

function troubleText(
	host: Host,
	{ problems, barredBecause }: LoadedCommands,
	withoutKey: ReturnType<typeof withOwnCommands>['withoutKey'],
): string | undefined {
	const { configPath } = pathsOf(host);
	const [first, ...others] = [
		...(barredBecause === undefined ? [] : [barredBecause]),
		...problems.map(problem => problemLines([problem], basename(configPath))),
		...withoutKey.map(takenKeyText),
	];
	if (first === undefined || others.length === 0) return first;
	return `${first} (and ${others.length} more: see crowsnest doctor)`;
}

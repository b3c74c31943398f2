import { basename } from 'node:path';
import { type CommandRunner, createCommandRunner } from '../operations/command-runner.ts';
import type { Operations } from '../operations/operations.ts';
import { addOwnCommands } from '../operations/own-commands.ts';
import { childEffectsOf, type Host, pathsOf } from '../session/host.ts';
import { type LoadedCommands, loadOwnCommands, problemLines } from '../session/settings.ts';
import { takenKeyText, withOwnCommands } from '../views/actions/configured.ts';
import type { Action } from '../views/scene.ts';

/** The own commands of a monitor, as rows of the table of operations. */
export type OwnCommands = {
	runner: CommandRunner;
	actions: readonly Action[];
	/** Ends the running commands, and removes all own commands from the tables. */
	close(): Promise<void>;
};

/**
 * Adds the own commands of the configuration to the tables of operations and keys. If commands cannot run here,
 * `barredBecause` is the reason, which their keys then show.
 */
export function openOwnCommands(
	host: Host,
	builtIn: readonly Action[],
	options: {
		operations: Pick<Operations, 'setCommandRuns'>;
		barredBecause?: string;
		onTrouble: (message: string) => void;
	},
): OwnCommands {
	const loaded = loadOwnCommands(host);
	const barredBecause = options.barredBecause ?? loaded.barredBecause;
	const effects = { ...childEffectsOf(host), activity: host.activity };
	const runner = createCommandRunner(effects, host.program.env);
	const stopShowing = runner.runs.subscribe(options.operations.setCommandRuns);
	const remove = addOwnCommands(loaded.commands, { runner, barredBecause });
	const { actions, withoutKey } = withOwnCommands(builtIn, loaded.commands);
	const trouble = troubleText(host, loaded, withoutKey);
	if (trouble !== undefined) options.onTrouble(trouble);
	return {
		runner,
		actions,
		async close() {
			await runner.close();
			remove();
			stopShowing();
		},
	};
}

/**
 * Returns the first problem of the configured commands, and the number of the other problems, which `crowsnest
 * doctor` lists.
 */
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

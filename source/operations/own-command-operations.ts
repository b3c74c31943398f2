import type { OwnCommand } from '../fleet/operations/own-command.ts';
import { ownCommandId, ownCommandRow } from '../fleet/operations/own-command-row.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import { addOperation } from '../platform/operation-requests.ts';
import type { CommandRunner } from './command-runner.ts';

/**
 * Adds own commands to the table of operations, so that they take the one path of all operations: question, lock,
 * read-only, batch, journal. Their program runs in place of a request. The returned function removes them.
 */
export function addOwnCommands(
	commands: readonly OwnCommand[],
	{ runner, barredBecause }: { runner: CommandRunner; barredBecause?: string | undefined },
): () => void {
	const removals = commands.map(command =>
		addOperation(
			ownCommandId(command),
			ownCommandRow(command, barredBecause),
			async (_, { key, computer = '', name, commandLine }, { onSent, signal }) => {
				onSent?.();
				if (signal?.aborted || !commandLine || barredBecause !== undefined)
					throw new PlatformError(createFailure('cancelled', 'the command was not run'));
				await runner.run(command, { key, computer: name ?? computer }, commandLine);
				return {};
			},
		),
	);
	return () => {
		for (const remove of removals) remove();
	};
}

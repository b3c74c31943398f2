import type { CommandValues, OwnCommand } from '../fleet/operations/own-command.ts';
import { ownCommandId, ownCommandRow } from '../fleet/operations/own-command-row.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import { addOperation } from '../platform/operation-requests.ts';
import { lastPublishedPortOf } from '../store/change-log.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import type { CommandRunner } from './command-runner.ts';

/**
 * Adds own commands to the table of operations, so that questions, lock, read-only, batches and the journal apply to
 * them as to all operations. A program runs in place of a request. The returned function removes the commands.
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

/** Returns the values of a computer that an own command receives. */
export function commandValuesOf(
	source: {
		state: AccountState;
		accountName: string;
		publicAddress: (id: string, port: number) => string;
	},
	{ id, reading }: ComputerState,
): CommandValues {
	const { state, accountName, publicAddress } = source;
	const ports = reading.ports ?? [];
	const latest = lastPublishedPortOf(state, id);
	const port = ports.find(each => each.port === latest) ?? ports[0];
	return {
		id,
		name: reading.name || id,
		account: accountName,
		address: reading.address ?? '',
		url: port ? (port.url ?? publicAddress(id, port.port)) : '',
	};
}

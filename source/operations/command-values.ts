import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import type { CommandValues } from '../fleet/operations/own-command.ts';
import { lastPublishedPortOf } from '../store/change-log.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { detailsOf, type Question } from './question.ts';

/** The account of the targets, and a function that finds the values for an own command. */
export type TargetSource = {
	account: string;
	state: AccountState;
	/** The name of the account's profile. */
	accountName: string;
	publicAddress: (id: string, port: number) => string;
};

/** Returns the values of a computer that an own command receives. */
export function valuesFrom(
	{ state, accountName, publicAddress }: TargetSource,
	{ id, reading }: ComputerState,
): CommandValues {
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

/**
 * Adds the details to each operation of an account: the answers to the question, and the command line of an own
 * command.
 */
export function specsWithDetails(
	question: Question,
	{ account, specs }: { account: string; specs: readonly OperationSpec[] },
): readonly { spec: OperationSpec; details: OperationDetails }[] {
	const details = detailsOf(question);
	const commandLines = new Map(
		question.targets.flatMap(target =>
			target.account === account && target.commandLine
				? [[target.id, target.commandLine] as const]
				: [],
		),
	);
	return specs.map(spec => {
		const commandLine = commandLines.get(spec.computer ?? '');
		return { spec, details: commandLine ? { ...details, commandLine } : details };
	});
}

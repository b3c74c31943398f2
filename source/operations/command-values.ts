import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import type { CommandValues } from '../fleet/operations/own-command.ts';
import { lastPublishedPortOf } from '../store/change-log.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { detailsOf, type Question } from './question.ts';

/** The account of the targets, and how to find the values that an own command gets. */
export type TargetSource = {
	account: string;
	state: AccountState;
	/** The name of the account's profile. */
	accountName: string;
	publicAddress: (id: string, port: number) => string;
};

/** Returns what an own command gets to know about a computer. */
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

/** Adds to each operation of an account what it needs: the answers of the question, and what its command runs. */
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

import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import type { Outcome } from '../views/phrases/outcome.ts';
import { withAccount } from './command.ts';
import type { Fleet } from './fleet.ts';
import { isSuccess, outcomeLine, outcomeRecord } from './follow-operations.ts';
import { accountOf } from './read-accounts.ts';

/** The outcome of an operation, and its account. */
type AccountOutcome = { fleet: Fleet; outcome: Outcome };

export type OperationReport = {
	/** Adds outcomes to the report. An outcome that has already been added is not printed again. */
	add(outcomes: readonly AccountOutcome[]): void;
	end(): void;
};

/**
 * Prints each outcome as soon as it is added to the report. With --json, prints the last outcome of each
 * computer at the end.
 */
export function createOperationReport(
	{ stdout, stderr }: Program,
	isJson: boolean,
): OperationReport {
	const added = new Map<string, AccountOutcome>();
	return {
		add(outcomes) {
			for (const { fleet, outcome } of outcomes) {
				const key = `${fleet.name}/${outcome.computer ?? ''}`;
				const isNew = added.get(key)?.outcome.stage !== outcome.stage;
				// The records are in the order in which their outcomes were last added. At the end, the command adds
				// all outcomes again in its own order.
				added.delete(key);
				added.set(key, { fleet, outcome });
				if (!isNew || isJson) continue;
				const output = isSuccess(outcome) ? stdout : stderr;
				output.write(`${cleanForTerminal(outcomeLine(namedOutcome(fleet, outcome)))}\n`);
			}
		},
		end() {
			if (!isJson) return;
			const records = [...added.values()].map(({ fleet, outcome }) =>
				withAccount(outcomeRecord(outcome), accountOf(fleet)),
			);
			stdout.write(`${JSON.stringify(records, undefined, 2)}\n`);
		},
	};
}

/** Names the computer with its account, if there are several accounts. */
function namedOutcome(fleet: Fleet, outcome: Outcome): Outcome {
	const account = accountOf(fleet);
	const name = outcome.name ?? outcome.computer;
	return account === undefined || name === undefined
		? outcome
		: { ...outcome, name: `${account}/${name}` };
}

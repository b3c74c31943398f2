import { type Change, changeSchema } from '../fleet/change.ts';
import type { Fact } from '../fleet/fact.ts';
import * as v from '../foundation/schema.ts';
import { jsonFrom, validatorOf } from '../foundation/validate.ts';
import { changesBetween, explainedBetween } from '../store/change-log.ts';
import type { AccountState } from '../store/state.ts';

const formatVersion = 1;

/** When the reason of an error is read later, the change is stored once more, and the reader merges the two lines. */
export function changesToKeep(
	before: AccountState,
	fact: Fact,
	after: AccountState,
	process: string,
): readonly Change[] {
	const explained = isReadOfComputers(fact) ? explainedBetween(before, after) : [];
	return [...explained, ...changesBetween(before, after)].map(change =>
		change.type === 'operationMoved' && change.pane === undefined
			? { ...change, pane: process }
			: change,
	);
}

export function logLine(account: string, what: Change, machine?: string): string {
	const ofOperation = what.type === 'operationMoved' ? { machine } : {};
	return JSON.stringify({ version: formatVersion, account, what, ...ofOperation });
}

const isReadOfComputers = ({ type }: Fact) =>
	type === 'listRead' || type === 'statusRead' || type === 'detailRead';

const entrySchema = v.object({
	version: v.literal(formatVersion),
	account: v.account,
	what: changeSchema,
	machine: v.optional(v.word),
});
const { isValid: isEntry } = validatorOf(entrySchema);

/** Undefined if the line is damaged, or tells of another account. */
export function changeIn(line: string, account: string, ownMachine?: string): Change | undefined {
	// Looking for the account takes less time than parsing the line.
	const entry = line.includes(JSON.stringify(account)) ? jsonFrom(line) : undefined;
	if (!isEntry(entry) || entry.account !== account) return undefined;
	const { what, machine } = entry;
	const isHere = machine === undefined || machine === ownMachine;
	return what.type === 'operationMoved' && !isHere ? { ...what, isElsewhere: true } : what;
}

export function withoutOwnPane(change: Change, process: string): Change {
	if (change.type !== 'operationMoved' || change.isElsewhere || change.pane !== process)
		return change;
	const { pane: _, ...own } = change;
	return own;
}

import { type Change, changeSchema } from '../fleet/change.ts';
import * as v from '../foundation/schema.ts';
import { jsonFrom, validatorOf } from '../foundation/validate.ts';
import { changesBetween } from '../store/change-log.ts';
import type { AccountState } from '../store/state.ts';

export type LogEntry = {
	version: typeof formatVersion;
	account: string;
	what: Change;
	machine?: string | undefined;
};

const formatVersion = 1;

/** When the reason of an error is read later, the change is stored once more, and the reader merges the two lines. */
export function changesToKeep(
	before: AccountState,
	after: AccountState,
	process: string,
): readonly Change[] {
	const { explainedChanges = [] } = after;
	const explained = explainedChanges === before.explainedChanges ? [] : explainedChanges;
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

const entrySchema = v.object({
	version: v.count,
	account: v.account,
	what: changeSchema,
	machine: v.optional(v.word),
});
const { isValid: isEntry } = validatorOf(entrySchema);

export function entryFrom(line: string): LogEntry | undefined {
	const value = jsonFrom(line);
	return isEntry(value) && value.version === formatVersion
		? { ...value, version: formatVersion }
		: undefined;
}

export function changeOf(
	{ what, machine }: Pick<LogEntry, 'what' | 'machine'>,
	ownMachine: string | undefined,
): Change {
	if (what.type !== 'operationMoved' || machine === undefined || machine === ownMachine)
		return what;
	return { ...what, isElsewhere: true };
}

export function withoutOwnPane(change: Change, process: string): Change {
	if (change.type !== 'operationMoved' || change.isElsewhere || change.pane !== process)
		return change;
	const { pane: _, ...own } = change;
	return own;
}

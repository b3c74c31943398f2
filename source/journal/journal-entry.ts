import { type Change, changeSchema } from '../fleet/change.ts';
import { type CreditSample, creditSampleSchema } from '../fleet/computers/runway.ts';
import type { Fact } from '../fleet/fact.ts';
import * as v from '../foundation/schema.ts';
import { jsonFrom, type Validator, validatorOf } from '../foundation/validate.ts';
import { changesBetween, explainedBetween } from '../store/change-log.ts';
import { type AccountState, emptyAccount, type State } from '../store/state.ts';
import { fileVersion, versionOf } from './file-version.ts';

/**
 * One line of a journal file. Changes and credits have separate files, so that the many changes of a busy fleet do
 * not push the credits out of the file.
 */
export type JournalEntry<T> = {
	version: number;
	account: string;
	what: T;
	/** The machine on which the process of an operation runs; absent in lines of earlier versions. */
	machine?: string | undefined;
};

type NewEntries = {
	changes: readonly JournalEntry<Change>[];
	credits: readonly JournalEntry<CreditSample>[];
};

const sampleIntervalMs = 60_000;

/**
 * Returns what the journal stores for a fact: the changes that the fact caused or explained, and a credit balance every
 * five minutes. Entries about operations name this process, so that another one can say which process acted.
 */
export function newEntriesOf(before: State, fact: Fact, after: State, pid?: number): NewEntries {
	const { account } = fact;
	const known = before.accounts.get(account) ?? emptyAccount;
	const now = after.accounts.get(account) ?? emptyAccount;
	const sample = fact.type === 'creditsRead' ? sampleToStore(known, now) : undefined;
	// The reason of an error may be read after the change that led to it. Then the change is stored once more, and the
	// two lines are merged when they are read.
	const explained = isReadOfComputers(fact) ? explainedBetween(known, now) : [];
	return {
		changes: [...explained, ...changesBetween(known, now)].map(change => {
			const isOurs = change.type === 'operationMoved' && change.pane === undefined;
			const what = isOurs && pid !== undefined ? { ...change, pane: pid } : change;
			return { version: fileVersion, account, what };
		}),
		credits: sample ? [{ version: fileVersion, account, what: sample }] : [],
	};
}

const isReadOfComputers = ({ type }: Fact) =>
	type === 'listRead' || type === 'statusRead' || type === 'detailRead';

function sampleToStore(before: AccountState, after: AccountState): CreditSample | undefined {
	const [last, sample] = [before.samples.at(-1), after.samples.at(-1)];
	const slotOf = ({ at }: CreditSample) => Math.floor(at / sampleIntervalMs);
	if (!sample || sample === last) return undefined;
	return !last || slotOf(last) < slotOf(sample) ? sample : undefined;
}

const changeEntry = validatorOf(
	v.object({ account: v.account, what: changeSchema, machine: v.optional(v.word) }),
);
const creditEntry = validatorOf(v.object({ account: v.account, what: creditSampleSchema }));

/** Reads an entry from a line. Returns undefined if the line is damaged or of another version. */
export function changeEntryFrom(line: string): JournalEntry<Change> | undefined {
	return entryFrom(line, changeEntry);
}

/** Returns the change of an entry, marked if another machine than this one caused it. */
export function changeOf(
	{ what, machine }: JournalEntry<Change>,
	ownMachine: string | undefined,
): Change {
	if (what.type !== 'operationMoved' || machine === undefined || machine === ownMachine)
		return what;
	return { ...what, isElsewhere: true };
}

/** Returns a change without the process that caused it, if that was this process. */
export function withoutOwnPane(change: Change, pid: number): Change {
	if (change.type !== 'operationMoved' || change.isElsewhere || change.pane !== pid) return change;
	const { pane: _, ...own } = change;
	return own;
}

export function creditEntryFrom(line: string): JournalEntry<CreditSample> | undefined {
	return entryFrom(line, creditEntry);
}

function entryFrom<T>(
	line: string,
	{ isValid }: Validator<Omit<JournalEntry<T>, 'version'>>,
): JournalEntry<T> | undefined {
	if (versionOf(line) !== fileVersion) return undefined;
	const value = jsonFrom(line);
	return isValid(value) ? { ...value, version: fileVersion } : undefined;
}

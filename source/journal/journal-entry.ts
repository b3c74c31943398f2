import type { Change } from '../fleet/change.ts';
import type { Fact } from '../fleet/fact.ts';
import type { CreditSample } from '../fleet/runway.ts';
import { type AccountState, emptyAccount, type State } from '../store/state.ts';
import { belongsTo, fileVersion, type LinesOwner, versionOf } from './file-version.ts';
import {
	type Check,
	isNullOr,
	isNumber,
	isObject,
	isObjectWith,
	isOneOf,
	isText,
	jsonFrom,
} from './validators.ts';

/**
 * One line of a journal file. Changes and credits have separate files, so that the changes of a busy fleet do
 * not displace the credits.
 */
export type JournalEntry<T> = { version: number; account: string; what: T };

type NewEntries = {
	changes: readonly JournalEntry<Change>[];
	credits: readonly JournalEntry<CreditSample>[];
};

const sampleIntervalMs = 5 * 60_000;

/**
 * Returns what the journal stores for a fact: the changes that the fact caused, and a credit balance every five
 * minutes.
 */
export function entriesOf(before: State, fact: Fact, after: State): NewEntries {
	const { account } = fact;
	const known = before.accounts.get(account) ?? emptyAccount;
	const now = after.accounts.get(account) ?? emptyAccount;
	const added = now.changeCount - known.changeCount;
	const changes = added > 0 ? now.changes.slice(-added) : [];
	const sample = fact.type === 'creditsRead' ? sampleToStore(known, now) : undefined;
	return {
		changes: changes.map(what => ({ version: fileVersion, account, what })),
		credits: sample ? [{ version: fileVersion, account, what: sample }] : [],
	};
}

function sampleToStore(known: AccountState, now: AccountState): CreditSample | undefined {
	const [last, sample] = [known.samples.at(-1), now.samples.at(-1)];
	const slotOf = ({ at }: CreditSample) => Math.floor(at / sampleIntervalMs);
	if (!sample || sample === last) return undefined;
	return !last || slotOf(last) < slotOf(sample) ? sample : undefined;
}

const isOperationSpec = isObjectWith(
	{ key: isText, operation: isText },
	{ computer: isText, name: isText, port: isNumber, version: isText, batch: isText },
);

const noticedFields = { at: isNumber, notBefore: isNumber };

const changeChecks: Readonly<Record<string, Check>> = {
	statusChanged: isObjectWith(
		{ ...noticedFields, id: isText, from: isNullOr(isText), to: isNullOr(isText) },
		{ name: isText, lasted: isNumber, reason: isOneOf('asked', 'asleep', 'credits', 'unknown') },
	),
	operationMoved: isObjectWith(
		{
			at: isNumber,
			wish: isOperationSpec,
			to: isOneOf('sent', 'unknown', 'failed', 'settled', 'cancelled'),
			took: isNumber,
		},
		{ who: isText, message: isText },
	),
	toppedUp: isObjectWith({ ...noticedFields, from: isNumber, to: isNumber }),
	released: isObjectWith({ ...noticedFields, from: isText, to: isText }),
} satisfies Record<Change['type'], Check>;

const isChange: Check = value => {
	const type = isObject(value) ? String(value['type']) : '';
	return Object.hasOwn(changeChecks, type) && changeChecks[type]?.(value) === true;
};

const isSample = isObjectWith({ at: isNumber, balance: isNumber });

/** Returns undefined if the line is damaged or of a newer version. */
export function changeEntryFrom(line: string): JournalEntry<Change> | undefined {
	return entryFrom<Change>(line, isChange);
}

export function creditEntryFrom(line: string): JournalEntry<CreditSample> | undefined {
	return entryFrom<CreditSample>(line, isSample);
}

function entryFrom<T>(line: string, isWhat: Check): JournalEntry<T> | undefined {
	const of = versionOf(line);
	if (of > fileVersion) return undefined;
	const value = jsonFrom(line);
	if (!isObjectWith({ account: isText, what: isWhat })(value)) return undefined;
	return { ...(value as JournalEntry<T>), version: of };
}

export function isEntryOfOwner<T extends { at: number }>(
	owner: LinesOwner,
	entry: JournalEntry<T>,
): boolean {
	return belongsTo(owner, { ...entry, at: entry.what.at });
}

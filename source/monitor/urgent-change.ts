import { isSameButUsage } from '../fleet/computers/computer.ts';
import { isListComplete } from '../store/freshness.ts';
import type { AccountState, ComputerReads, ComputerState } from '../store/state.ts';
import type { MonitorData } from '../views/monitor-data.ts';
import { frameIntervalBeforeRowsMs, frameIntervalMs } from './joined-store.ts';

/**
 * Returns whether a change must be drawn at once. Most answers bring only a new time and other values of CPU and
 * memory, and the counts of requests change with every request. They are not urgent, and are drawn with the next
 * urgent change or the next second. On a slow line, the next time is drawn only with the next minute, so there only
 * they wait.
 */
export function isUrgentChange(
	before: MonitorData,
	after: MonitorData,
	isLowBandwidth = false,
): boolean {
	if (!hasSameValues(before, after, isNever, ['accounts'])) return true;
	return !hasSameItems(before.accounts, after.accounts, (was, is) =>
		hasOnlyNewNumbers(was, is, isLowBandwidth),
	);
}

type Compare<Value> = (before: Value, after: Value) => boolean;

/** Returns the time between two frames. It is longer until there are rows, a failure or a question for a password. */
export function frameIntervalIn({ accounts, passwordPrompt }: MonitorData): number {
	if (passwordPrompt) return frameIntervalMs;
	for (const { computers, reads } of accounts.values()) {
		if (computers.size > 0 || reads.list?.answer || reads.list?.failing) return frameIntervalMs;
	}
	return frameIntervalBeforeRowsMs;
}

/** For the parts of an account that most answers change: whether nothing is new in them but numbers. */
const calmParts: { [Part in keyof AccountState]?: Compare<AccountState[Part]> } = {
	standings: (was, is) =>
		(['status', 'other', 'create'] as const).every(
			scope =>
				was?.[scope].limit === is?.[scope].limit &&
				was?.[scope].frozenUntil === is?.[scope].frozenUntil &&
				was?.[scope].isAlone === is?.[scope].isAlone,
		),
	usage: () => true,
	contact: (was, is) => was?.since === is?.since,
	reads: (was, is) =>
		hasSameValues(
			was,
			is,
			(one, other) =>
				(one?.answer === undefined) === (other?.answer === undefined) &&
				one?.failing === other?.failing,
		),
	computerReads: (was, is) => hasSameItems(was, is, hasSameKindsOfAnswers),
	computers: (was, is) => hasSameItems(was, is, hasOtherUsageOnly),
};

function hasOnlyNewNumbers(was: AccountState, is: AccountState, isLowBandwidth: boolean): boolean {
	return (
		isListComplete(was) === isListComplete(is) &&
		hasSameValues(was, is, (one, other, part) => {
			if (isLowBandwidth && part !== 'standings') return false;
			const isCalm = calmParts[part] as Compare<typeof one> | undefined;
			return isCalm?.(one, other) ?? false;
		})
	);
}

const hasSameKindsOfAnswers: Compare<ComputerReads> = (was, is) =>
	was.failing === is.failing &&
	was.restoredFrom === is.restoredFrom &&
	(['status', 'detail', 'list'] as const).every(
		read => (was[read] === undefined) === (is[read] === undefined),
	) &&
	was.status?.hasStatus === is.status?.hasStatus &&
	was.detail?.hasStatus === is.detail?.hasStatus;

const hasOtherUsageOnly: Compare<ComputerState> = (was, is) =>
	hasSameValues(
		was,
		is,
		(_, __, part) => part === 'reading' && isSameButUsage(was.reading, is.reading),
	);

const isNever = () => false;

/** Whether two objects have the same keys, and for each key the same value or values that `isSame` accepts. */
function hasSameValues<T extends object>(
	one: T,
	other: T,
	isSame: (one: T[keyof T], other: T[keyof T], key: keyof T) => boolean,
	except: readonly (keyof T)[] = [],
): boolean {
	const keys = Object.keys(other) as (keyof T)[];
	return (
		keys.length === Object.keys(one).length &&
		keys.every(
			key => one[key] === other[key] || except.includes(key) || isSame(one[key], other[key], key),
		)
	);
}

/** Whether two maps have the same keys in the same order, and for each key items that are identical or accepted. */
function hasSameItems<Item>(
	one: ReadonlyMap<string, Item>,
	other: ReadonlyMap<string, Item>,
	isSame: Compare<Item>,
): boolean {
	if (one === other) return true;
	if (one.size !== other.size) return false;
	const earlierItems = one.entries();
	for (const [id, item] of other) {
		const [earlierId, earlier] = earlierItems.next().value ?? [];
		if (earlierId !== id || earlier === undefined) return false;
		if (earlier !== item && !isSame(earlier, item)) return false;
	}
	return true;
}

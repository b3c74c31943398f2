import { isCountedPhase, type Phase } from '../fleet/computers/computer.ts';
import { type CreditsLevel, creditsLevel } from '../fleet/computers/credits-level.ts';
import { type GlobalId, globalIdOf } from '../fleet/computers/global-id.ts';
import { isVersionNotRead } from '../fleet/computers/not-read.ts';
import { type Runway, runwayOf } from '../fleet/computers/runway.ts';
import { isOutdated } from '../fleet/computers/version.ts';
import { isUnderWay, type Operation } from '../fleet/operations/operation.ts';
import { keysThatMayDiffer } from '../foundation/layered-map.ts';
import { memoize } from '../foundation/memoize.ts';
import type { AccountState, ComputerState } from './state.ts';

/** One computer as the table shows it. The object is replaced only when one of its values changes. */
export type FleetRow = {
	id: GlobalId;
	/** The account of the computer, as a key of the store. */
	account: string;
	computer: ComputerState;
	/** The last operation on the computer, while it is under way, or failed and no person has seen the failure. */
	operation?: Operation;
	/** Whether a newer version is available. */
	isOutdated: boolean;
};

/** Iterates over the computers of rows without creating another list. */
export function* computersOf(rows: Iterable<Pick<FleetRow, 'computer'>>): Generator<ComputerState> {
	for (const { computer } of rows) yield computer;
}

/**
 * Creates a selector for the rows of an account in list order. It returns the same array while no row changes.
 */
export function createRowsSelector(account: string): (state: AccountState) => readonly FleetRow[] {
	let rows: readonly FleetRow[] = [];

	const make = memoize(
		(
			computers: AccountState['computers'],
			operations: AccountState['operations'],
			latest: string | undefined,
		) => {
			const asked = shownOperationByComputer(operations);
			const isBehindLatest = createOutdatedCheck(latest);
			const rowBefore = createEarlierRows(rows);
			const all: FleetRow[] = [];
			for (const computer of computers.values()) {
				const operation = asked.get(computer.id);
				const isBehind = isBehindLatest(computer.reading.version);
				const before = rowBefore(computer.id, all.length);
				const isSame =
					before?.computer === computer &&
					before.operation === operation &&
					before.isOutdated === isBehind;
				if (isSame) {
					all.push(before);
					continue;
				}
				const id = before?.id ?? globalIdOf(account, computer.id);
				const row: FleetRow = { id, account, computer, isOutdated: isBehind };
				if (operation) row.operation = operation;
				all.push(row);
			}
			const isSame = all.length === rows.length && all.every((row, place) => row === rows[place]);
			rows = isSame ? rows : all;
			return rows;
		},
	);
	return ({ computers, operations, release }) => make(computers, operations, release?.version);
}

/** Returns a function that makes the row of a computer, for a list that is shown once. */
export function createRowMaker(
	account: string,
	{ operations, release }: AccountState,
): (computer: ComputerState) => FleetRow {
	const asked = shownOperationByComputer(operations);
	const isBehindLatest = createOutdatedCheck(release?.version);
	return computer => {
		const id = globalIdOf(account, computer.id);
		const row: FleetRow = {
			id,
			account,
			computer,
			isOutdated: isBehindLatest(computer.reading.version),
		};
		const operation = asked.get(computer.id);
		if (operation) row.operation = operation;
		return row;
	};
}

/**
 * Returns the operation on each computer that its row shows, keyed by computer id. An own command may run beside another
 * operation, whose countdown a person has to see.
 */
export function shownOperationByComputer(
	operations: AccountState['operations'],
): ReadonlyMap<string, Operation> {
	const shown = new Map<string, Operation>();
	for (const operation of operations.values()) {
		const { computer } = operation.spec;
		const other = computer === undefined ? undefined : shown.get(computer);
		const isShown = other === undefined || urgencyOf(operation) >= urgencyOf(other);
		if (computer !== undefined && isShown) shown.set(computer, operation);
	}
	return shown;
}

function urgencyOf(operation: Operation): number {
	if (operation.stage === 'counting' || operation.stage === 'held') return 2;
	return isUnderWay(operation) ? 1 : 0;
}

/** Creates a function that says whether a version is behind the latest. It caches the answer for each version. */
export function createOutdatedCheck(latest: string | undefined) {
	const known = new Map<string | null | undefined, boolean>();
	return (version: string | null | undefined): boolean => {
		let answer = known.get(version);
		if (answer === undefined) {
			answer = isOutdated(version, latest);
			known.set(version, answer);
		}
		return answer;
	};
}

/**
 * Finds the earlier row of a computer. Most rows keep their position, so the map is built only when one moved.
 */
function createEarlierRows(rows: readonly FleetRow[]) {
	let byId: ReadonlyMap<string, FleetRow> | undefined;
	return (id: string, place: number): FleetRow | undefined => {
		const row = rows[place];
		if (row?.computer.id === id) return row;
		byId ??= new Map(rows.map(each => [each.computer.id, each]));
		return byId.get(id);
	};
}

/** Returns the e-mail address of the signed-in user, if the platform reports it. */
export function signedInEmailOf({ signIn }: Pick<AccountState, 'signIn'>): string | undefined {
	return signIn?.isSignedIn ? signIn.email : undefined;
}

export type FleetCounts = {
	/** How many computers there are, without removed ones. */
	total: number;
	/** How many computers are in each phase. */
	phases: Readonly<Partial<Record<Phase, number>>>;
	outdated: number;
	/** How many versions are known, and how many nobody has read yet; absent if all were read. */
	versions?: { known: number; notRead: number };
	/** How many computers have a status that is older than the rest. `phases` does not count them. */
	old?: number;
};

type PhaseCounts = Pick<FleetCounts, 'total' | 'phases'>;

function phaseCountsOf<T>(items: Iterable<T>, phaseOf: (item: T) => Phase): PhaseCounts {
	const phases: Partial<Record<Phase, number>> = {};
	let total = 0;
	for (const item of items) {
		const phase = phaseOf(item);
		if (!isCountedPhase(phase)) continue;
		phases[phase] = (phases[phase] ?? 0) + 1;
		total += 1;
	}
	return { total, phases };
}

/** Creates a selector that counts computers by phase. It returns the same object until a phase changes. */
export function createPhasesSelector(): (account: AccountState) => PhaseCounts {
	let last: { computers: AccountState['computers']; counts: PhaseCounts } | undefined;
	return ({ computers }) => {
		if (last?.computers === computers) return last.counts;
		const changed = last && keysThatMayDiffer(last.computers, computers);
		const counts =
			last && changed
				? recounted(last.counts, last.computers, computers, changed)
				: phaseCountsOf(computers.values(), ({ phase }) => phase);
		last = { computers, counts };
		return counts;
	};
}

/** Counts again only the computers that may differ. Returns the same counts if no phase has changed. */
function recounted(
	counts: PhaseCounts,
	before: AccountState['computers'],
	after: AccountState['computers'],
	ids: ReadonlySet<string>,
): PhaseCounts {
	const all = new Map(Object.entries(counts.phases)) as Map<Phase, number>;
	let hasChanged = false;
	const add = (phase: Phase | undefined, count: 1 | -1) => {
		if (phase !== undefined && isCountedPhase(phase)) all.set(phase, (all.get(phase) ?? 0) + count);
	};
	for (const id of ids) {
		const [was, is] = [before.get(id)?.phase, after.get(id)?.phase];
		if (was === is) continue;
		hasChanged = true;
		add(was, -1);
		add(is, 1);
	}
	if (!hasChanged) return counts;
	const present = [...all].filter(([, count]) => count > 0);
	const total = present.reduce((sum, [, count]) => sum + count, 0);
	return { total, phases: Object.fromEntries(present) };
}

export function createCountsSelector(): (rows: readonly FleetRow[]) => FleetCounts {
	return memoize(rows => {
		let outdated = 0;
		let known = 0;
		let notRead = 0;
		for (const { computer, isOutdated } of rows) {
			if (!isCountedPhase(computer.phase)) continue;
			if (isOutdated) outdated += 1;
			if (computer.reading.version) known += 1;
			if (isVersionNotRead(computer)) notRead += 1;
		}
		const phases = phaseCountsOf(rows, ({ computer }) => computer.phase);
		return { ...phases, outdated, ...(notRead > 0 && { versions: { known, notRead } }) };
	});
}

/**
 * Creates a selector that returns the burn rate, how long the credits last and whether that is too short, or null if
 * there are too few samples.
 */
export function createRunwaySelector(lowCreditsMs = 0): (account: AccountState) => Runway | null {
	let level: CreditsLevel | undefined;
	// The price is measured from the balances. Between two of them, only the number of active computers changes.
	const make = memoize(
		(
			samples: AccountState['samples'],
			changes: AccountState['changes'],
			computers: AccountState['computers'],
			credits: AccountState['credits'],
		) => {
			const runway = runwayOf({ samples, changes, computers });
			level = creditsLevel({ credits, runway }, lowCreditsMs, level) ?? level;
			return runway && level === 'low' ? { ...runway, isLow: true as const } : runway;
		},
	);
	return ({ samples, changes, computers, credits }) => make(samples, changes, computers, credits);
}

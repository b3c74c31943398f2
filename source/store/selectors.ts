import { accountEvents, type Change } from '../fleet/change.ts';
import type { AccountProfile } from '../fleet/computers/account.ts';
import {
	changingPhases,
	isCountedPhase,
	isVersionNotRead,
	type Phase,
} from '../fleet/computers/computer.ts';
import { type GlobalId, globalIdOf } from '../fleet/computers/global-id.ts';
import {
	type CreditsLevel,
	creditsLevel,
	creditsLevels,
	type Runway,
	runwayOf,
} from '../fleet/computers/runway.ts';
import { isBehind } from '../fleet/filters/order.ts';
import {
	hasUnknownOutcome,
	isUnderWay,
	isUnsent,
	type Operation,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import { memoize } from '../foundation/memoize.ts';
import { latestChanges } from './change-log.ts';
import { type AccountState, type ComputerState, emptyAccount, type State } from './state.ts';

export type FleetRow = {
	id: GlobalId;
	account: string;
	computer: ComputerState;
	operation?: Operation;
	isBehind: boolean;
	listFields: AccountState['listFields'];
};

export function* computersOf(rows: Iterable<Pick<FleetRow, 'computer'>>): Generator<ComputerState> {
	for (const { computer } of rows) yield computer;
}

export function rowsOf(
	account: string,
	state: Pick<AccountState, 'computers' | 'operations' | 'release' | 'listFields'>,
	computers: Iterable<ComputerState> = state.computers.values(),
): readonly FleetRow[] {
	const shown = shownOperationByComputer(state.operations);
	return Array.from(computers, computer => ({
		id: globalIdOf(account, computer.id),
		account,
		computer,
		operation: shown.get(computer.id),
		isBehind: isBehind(computer.reading.version, state.release?.version),
		listFields: state.listFields,
	}));
}

/** An own command may run beside another operation, whose countdown a person has to see. */
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

export type FleetCounts = {
	total: number;
	phases: Readonly<Partial<Record<Phase, number>>>;
	behind: number;
	versions?: { known: number; notRead: number };
	/** Their status is older than the rest, and `phases` does not count them. */
	old?: number;
};

export function phaseCountsOf<T>(items: Iterable<T>, phaseOf: (item: T) => Phase) {
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

export function countsOf(rows: readonly FleetRow[]): FleetCounts {
	const counted = rows.filter(({ computer }) => isCountedPhase(computer.phase));
	const countIn = (isMatch: (row: FleetRow) => unknown) => counted.filter(isMatch).length;
	const known = countIn(({ computer }) => computer.reading.version);
	const notRead = countIn(({ computer }) => isVersionNotRead(computer));
	return {
		...phaseCountsOf(rows, ({ computer }) => computer.phase),
		behind: countIn(row => row.isBehind),
		versions: notRead > 0 ? { known, notRead } : undefined,
	};
}

const ranks = { error: 0, unknown: 1, changing: 2, behind: 3, rest: 4, archived: 5 } as const;

function troubleRankOf({ computer, operation, isBehind }: FleetRow): number {
	const { phase, isMissing } = computer;
	if (operation && hasUnknownOutcome(operation)) return ranks.unknown;
	if (phase === 'error' || operation?.stage === 'failed') return ranks.error;
	if (phase === 'unknown' || isMissing || operation?.stage === 'unknown') return ranks.unknown;
	// While its operation is unsent, the computer stays where the person chose it.
	if ((operation && !isUnsent(operation)) || changingPhases.includes(phase)) return ranks.changing;
	if (phase === 'archived') return ranks.archived;
	return isBehind ? ranks.behind : ranks.rest;
}

export const isInTrouble = (row: FleetRow) => troubleRankOf(row) <= ranks.unknown;

/** The same number for all groups of computers without trouble. */
export const worstTroubleIn = (rows: readonly FleetRow[]): number =>
	rows.reduce<number>((worst, row) => Math.min(worst, troubleRankOf(row)), ranks.changing);

const afterAllTimes = 1e14;

/** By rank, then computers in trouble by the time when it began, newest first. */
export function troubleOrderOf(row: FleetRow): number {
	const rank = troubleRankOf(row);
	return rank > ranks.unknown ? rank : rank - troubledSince(row) / afterAllTimes;
}

function troubledSince({ computer: { phase, since }, operation }: FleetRow): number {
	const isItsPhase = phase === 'error' || phase === 'unknown';
	const inPhaseSince = isItsPhase && !since.isLowerBound ? since.at : 0;
	const { endedAt = 0, sentAt = 0 } = operation ?? {};
	return Math.max(inPhaseSince, operation?.stage === 'unknown' ? sentAt : endedAt);
}

export type OpenedAccount = { profile: AccountProfile; state: AccountState };

export function createOpenedAccountsSelector() {
	const open = memoize((profiles: readonly AccountProfile[], ...states: readonly AccountState[]) =>
		profiles.map((profile, at): OpenedAccount => ({ profile, state: states[at] ?? emptyAccount })),
	);
	return (accounts: State['accounts'], profiles: readonly AccountProfile[]) =>
		open(profiles, ...profiles.map(({ account }) => accounts.get(account) ?? emptyAccount));
}

export function accountOfRow(
	accounts: readonly OpenedAccount[],
	row: Pick<FleetRow, 'account'> | undefined,
): OpenedAccount | undefined {
	return row && accounts.find(({ profile }) => profile.account === row.account);
}

export type AccountNameOf = (row: FleetRow) => string | undefined;

/** The filter finds the short name, which the table shows, and the whole one. */
export function accountNamesOf(profiles: readonly AccountProfile[]): AccountNameOf {
	const names = new Map(
		profiles.map(({ account, name, shortName }) => [
			account,
			name.includes(shortName) ? name : `${name} ${shortName}`,
		]),
	);
	return profiles.length > 1 ? row => names.get(row.account) : () => undefined;
}

export function createJointRowsSelector(): (
	accounts: readonly OpenedAccount[],
) => readonly FleetRow[] {
	const createReader = (account: string) =>
		memoize(
			(
				computers: AccountState['computers'],
				operations: AccountState['operations'],
				release: AccountState['release'],
				listFields: AccountState['listFields'],
			) => rowsOf(account, { computers, operations, release, listFields }),
		);
	const readers = new Map<string, ReturnType<typeof createReader>>();
	const join = memoize(
		(first: readonly FleetRow[] = [], ...others: readonly (readonly FleetRow[])[]) =>
			others.length === 0 ? first : first.concat(...others),
	);
	return accounts => {
		const all = accounts.map(({ profile: { account }, state }) => {
			const read = readers.get(account) ?? createReader(account);
			readers.set(account, read);
			return read(state.computers, state.operations, state.release, state.listFields);
		});
		return join(...all);
	};
}

/** The table is shown as fresh as its oldest rows. Accounts that do not answer have a line of their own. */
export function oldestAnswering(accounts: readonly OpenedAccount[]): AccountState {
	const states = accounts.map(({ state }) => state);
	const answering = states.filter(({ reads }) => !reads.list?.failing && !reads.status?.failing);
	const answeredAt = ({ reads }: AccountState) => reads.list?.answer?.at ?? 0;
	const [oldest] = answering.toSorted((a, b) => answeredAt(a) - answeredAt(b));
	return oldest ?? states[0] ?? emptyAccount;
}

export type Happenings = Pick<AccountState, 'operations' | 'endedOperations' | 'changes'>;

/** With several, the names of computers begin with the account, as in `lab/nova`. */
export function happeningsIn(accounts: readonly OpenedAccount[]): Happenings {
	const [first] = accounts;
	if (first && accounts.length === 1) return first.state;
	const operationsIn = (name: 'operations' | 'endedOperations') =>
		new Map(
			accounts
				.flatMap(({ profile, state }) =>
					[...state[name].values()].map((operation): Operation => {
						return { ...operation, spec: specWithAccountName(profile.name, operation.spec) };
					}),
				)
				.sort((a, b) => a.askedAt - b.askedAt)
				.map(operation => [operation.spec.key, operation]),
		);
	const changes = accounts.flatMap(({ profile, state }) =>
		state.changes.map(each => changeWithAccountName(profile.name, each)),
	);
	return {
		operations: operationsIn('operations'),
		endedOperations: operationsIn('endedOperations'),
		changes: latestChanges(changes.sort((a, b) => a.at - b.at)),
	};
}

export const nameWithAccount = (account: string, name: string) => `${account}/${name}`;

export const specWithAccountName = (account: string, spec: OperationSpec): OperationSpec => {
	const name = spec.name ?? spec.computer;
	return name === undefined ? spec : { ...spec, name: nameWithAccount(account, name) };
};

export function changeWithAccountName(account: string, change: Change): Change {
	if (change.type === 'statusChanged')
		return { ...change, name: nameWithAccount(account, change.name ?? change.id) };
	if (change.type === 'operationMoved')
		return { ...change, wish: specWithAccountName(account, change.wish) };
	if (change.type === 'accountNoted') return { ...change, name: account };
	return change;
}

export function notedLevel({ changes }: AccountState): CreditsLevel | undefined {
	let level: CreditsLevel | undefined;
	for (const change of changes) {
		const row = change.type === 'accountNoted' && accountEvents[change.event];
		if (row && row.about === 'credits') level = row.to;
	}
	return level;
}

/** For the log and the header: credits that were noted as low are so until they are clearly enough. */
export const creditsLevelIn = (
	account: AccountState,
	lowCreditsMs: number,
	runway = runwayOf(account),
	before = notedLevel(account),
): CreditsLevel | undefined =>
	creditsLevel({ credits: account.credits, runway }, lowCreditsMs, before) ?? before;

/** The time left is that of the account whose credits end first. */
export const createJointRunwaySelector = () =>
	memoize((accounts: readonly OpenedAccount[]): Runway | null => {
		const runways = accounts.flatMap(({ profile, state }): Runway[] => {
			const runway = runwayOf(state);
			const level = creditsLevelIn(state, profile.lowCreditsMs, runway);
			return runway ? [{ ...runway, level }] : [];
		});
		const [first] = runways;
		if (!first || accounts.length === 1) return first ?? null;
		const times = runways.flatMap(({ timeLeftMs }) => timeLeftMs ?? []);
		return {
			isEstimate: runways.some(({ isEstimate }) => isEstimate) || undefined,
			level: creditsLevels.find(worst => runways.some(({ level }) => level === worst)),
			burnPerHour: runways.reduce((sum, { burnPerHour }) => sum + burnPerHour, 0),
			measuredMs: Math.min(...runways.map(({ measuredMs = 0 }) => measuredMs)),
			timeLeftMs: times.length > 0 ? Math.min(...times) : null,
		};
	});

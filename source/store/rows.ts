import type { Operation } from '../fleet/operation.ts';
import { isBehind } from '../fleet/version.ts';
import { remember } from './memory.ts';
import type { AccountState, ComputerState } from './state.ts';

/** One computer as the table shows it. The same object as long as nothing in it changed. */
export type Row = {
	computer: ComputerState;
	/** The last thing we asked of it, while that is under way or failed unseen. */
	operation?: Operation;
	/** A newer version than its own is out. */
	isBehind: boolean;
};

/** The rows of an account in the order of its list; the same array when no row changed. */
export function createRowsOf(): (account: AccountState) => readonly Row[] {
	let rows: readonly Row[] = [];

	const make = remember(
		(
			computers: AccountState['computers'],
			operations: AccountState['operations'],
			latest: string | undefined,
		) => {
			const asked = operationsByComputer(operations);
			const isBehindLatest = createBehind(latest);
			const rowBefore = createRowBefore(rows);
			const all: Row[] = [];
			for (const computer of computers.values()) {
				const operation = asked.get(computer.id);
				const isBehind = isBehindLatest(computer.reading.version);
				const before = rowBefore(computer.id, all.length);
				const isSame =
					before?.computer === computer &&
					before.operation === operation &&
					before.isBehind === isBehind;
				all.push(isSame ? before : { computer, ...(operation && { operation }), isBehind });
			}
			const isSame = all.length === rows.length && all.every((row, place) => row === rows[place]);
			rows = isSame ? rows : all;
			return rows;
		},
	);
	return ({ computers, operations, release }) => make(computers, operations, release?.version);
}

/** What was asked of each computer last. */
export function operationsByComputer(
	operations: AccountState['operations'],
): ReadonlyMap<string, Operation> {
	const last = new Map<string, Operation>();
	for (const operation of operations.values()) {
		const { computer } = operation.wish;
		if (computer !== undefined) last.set(computer, operation);
	}
	return last;
}

/** There are few versions in a fleet, and each is compared once. */
function createBehind(latest: string | undefined) {
	const known = new Map<string | null | undefined, boolean>();
	return (version: string | null | undefined): boolean => {
		let answer = known.get(version);
		if (answer === undefined) {
			answer = isBehind(version, latest);
			known.set(version, answer);
		}
		return answer;
	};
}

/** Most stand where they stood, and only for others is a map made of all. */
function createRowBefore(rows: readonly Row[]) {
	let byId: ReadonlyMap<string, Row> | undefined;
	return (id: string, place: number): Row | undefined => {
		const row = rows[place];
		if (row?.computer.id === id) return row;
		byId ??= new Map(rows.map(each => [each.computer.id, each]));
		return byId.get(id);
	};
}

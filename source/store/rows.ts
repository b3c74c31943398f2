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
	let known = new Map<string, Row>();
	let rows: readonly Row[] = [];

	const make = remember(
		(
			computers: AccountState['computers'],
			operations: AccountState['operations'],
			latest: string | undefined,
		) => {
			const asked = operationsByComputer(operations);
			const next = new Map<string, Row>();
			for (const computer of computers.values()) {
				const row = rowFrom(computer, asked.get(computer.id), latest);
				const before = known.get(computer.id);
				next.set(computer.id, before && isSameRow(before, row) ? before : row);
			}
			const all = [...next.values()];
			const isSame = all.length === rows.length && all.every((row, place) => row === rows[place]);
			known = next;
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

function rowFrom(
	computer: ComputerState,
	operation: Operation | undefined,
	latest: string | undefined,
): Row {
	return {
		computer,
		...(operation && { operation }),
		isBehind: isBehind(computer.reading.version, latest),
	};
}

function isSameRow(one: Row, other: Row): boolean {
	return (
		one.computer === other.computer &&
		one.operation === other.operation &&
		one.isBehind === other.isBehind
	);
}

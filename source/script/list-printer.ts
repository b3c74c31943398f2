import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { MapField } from '../screen/map-look.ts';
import type { ComputerState } from '../store/state.ts';
import { createNotify, withAccount } from './command.ts';
import { computerRecord } from './json-records.ts';
import type { ListLook } from './list-look.ts';
import { type ListedAccount, orderedRows } from './list-order.ts';
import { plainGroupLines } from './plain-groups.ts';
import { placedColumns, plainTableLines, unreadableLine } from './plain-list.ts';
import { accountColumn, accountOf } from './read-accounts.ts';

/** The account of a list, with the names that the output uses. */
export type ListedFleet = {
	name: string;
	shortName: string;
	isOneOfSeveral: boolean;
	session: {
		profile: AccountProfile;
		/** Returns the address of a port that is published without an address of its own. */
		platform: { publicAddress(id: string, port: number): string };
	};
};

/** Where a list is printed. */
export type ListOutput = {
	/** Writes lines to standard output. */
	write(lines: string): void;
	stderr: { write(lines: string): unknown };
	hasUnicode: boolean;
	/** The width of the terminal in cells; infinite for a pipe or a file. */
	width: number;
	now(): number;
};

type Listed = ListedAccount & { computers: readonly ComputerState[] };

/** The computers of an account that a list prints. */
export type ListResult = { fleet: ListedFleet; result: Listed };

/**
 * Prints the computers of each account as a table, or all of them as one JSON array at the end. Only the first part
 * of the table has titles. A list with --sort or --limit is also printed at the end.
 */
export function createListPrinter(
	fleets: readonly ListedFleet[],
	look: ListLook,
	{ write, stderr, hasUnicode, width, now }: ListOutput,
) {
	const column = accountColumn(fleets);
	const form = { ...look, hasUnicode, width, accountTitle: column.title };
	const { isJson, grouping, ordering, limit } = look;
	const isJoint = ordering !== undefined || limit !== undefined;
	const results: ListResult[] = [];
	let isFirst = true;

	function printTable(accounts: readonly ListResult[]): void {
		const listed = accounts.map(({ fleet, result }) => ({
			...result,
			accountCell: column.cellOf(fleet),
		}));
		const lines = plainTableLines(listed, now(), form).slice(isFirst ? 0 : 1);
		isFirst = false;
		write(lines.map(line => `${line}\n`).join(''));
	}

	return {
		print(more: readonly ListResult[]): void {
			results.push(...more);
			for (const { fleet, result } of more)
				stderr.write(unreadableLine(result.account, accountOf(fleet)));
			if (!isJson && !grouping && !isJoint) printTable(more);
		},
		end(): void {
			const ordered = fleets.flatMap(fleet => results.filter(each => each.fleet === fleet));
			if (ordered.length === 0) return;
			if (grouping) write(groupLines(ordered, grouping, now()));
			else if (isJson) write(jsonText(ordered, isJoint, look, now()));
			else {
				if (isJoint) printTable(ordered);
				notifyOfHiddenColumns(createNotify({ stderr }, false), form);
			}
		},
	};
}

function groupLines(results: readonly ListResult[], grouping: MapField, now: number): string {
	const accounts = results.map(({ fleet, result }) => {
		return { profile: fleet.session.profile, state: result.account };
	});
	const computers = new Set(results.flatMap(({ result }) => result.computers));
	const lines = plainGroupLines(accounts, computers, grouping, now);
	return lines.map(line => `${line}\n`).join('');
}

/** Without --sort or --limit, the records are in the order of the platform. */
function jsonText(
	results: readonly ListResult[],
	isJoint: boolean,
	{ ordering, limit }: ListLook,
	now: number,
): string {
	const all = results.map(({ fleet, result }) => ({ ...result, fleet }));
	const computers = isJoint
		? orderedRows(all, ordering, now)
				.slice(0, limit)
				.map(({ row, listed }) => ({ ...listed, computer: row.computer }))
		: all.flatMap(({ fleet, account, computers: own }) =>
				own.map(computer => ({ computer, fleet, account })),
			);
	const records = computers.map(({ computer, fleet, account }) =>
		withAccount(
			computerRecord(computer, fleet.session.platform.publicAddress, account.listFields),
			accountOf(fleet),
		),
	);
	return `${JSON.stringify(records, undefined, 2)}
`;
}

/** Says which of the columns that a person named do not fit on the terminal. */
function notifyOfHiddenColumns(
	notify: (line: string) => void,
	form: Parameters<typeof placedColumns>[0],
): void {
	const { columns: chosen = [] } = form;
	const shown = new Set(placedColumns(form).map(({ column }) => column));
	const hidden = chosen.filter(each => !shown.has(each)).map(({ name }) => name);
	if (hidden.length > 0) notify(`The terminal is too narrow for ${hidden.join(', ')}`);
}

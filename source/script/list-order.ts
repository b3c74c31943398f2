import {
	isReversible,
	type Ordering,
	orderFieldFrom,
	orderFields,
} from '../fleet/computers/order-fields.ts';
import { createSorter } from '../fleet/computers/ordering.ts';
import { sortKeyOf } from '../fleet/computers/sort-values.ts';
import { UsageError } from '../foundation/error.ts';
import { createRowMaker, type FleetRow } from '../store/selectors.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { troubleOrderOf } from '../store/trouble-rank.ts';
import { type ParsedArgs, wrongValueText } from './command.ts';

const directions = ['asc', 'desc'];

/** Returns the order that --sort names; undefined without the option. */
export function orderingFrom(args: ParsedArgs): Ordering | undefined {
	const text = args.text('sort');
	if (text === undefined) return undefined;
	if (text.includes(',')) throw new UsageError('--sort takes one field, and orders equals by name');
	const [word = '', direction = 'asc', ...rest] = text.split(':');
	const by = orderFieldFrom(word);
	if (by === undefined) throw new UsageError(wrongValueText('--sort', word, orderFields));
	const isDirection = directions.includes(direction) && rest.length === 0;
	if (!isDirection || (direction === 'desc' && !isReversible(by))) {
		const wrong = [direction, ...rest].join(':');
		const known = isReversible(by) ? `${by}, ${by}:asc or ${by}:desc` : by;
		throw new UsageError(`--sort takes ${known}, but got ${by}:${wrong}`);
	}
	return { by, isReversed: direction === 'desc' };
}

/** The computers of one account that a list prints. */
export type ListedAccount = { account: AccountState; computers: Iterable<ComputerState> };

export type ListedRow<Listed> = { row: FleetRow; listed: Listed };

/**
 * Returns the rows of all accounts together, in this order. Without one, accounts are in the order in which they were
 * chosen, and the computers of an account are ordered by name.
 */
export function orderedRows<Listed extends ListedAccount>(
	all: readonly Listed[],
	ordering: Ordering | undefined,
	now: number,
): readonly ListedRow<Listed>[] {
	if (!ordering) return all.flatMap(rowsByName);
	const rows = all.flatMap((listed, at) => {
		const rowOf = createRowMaker('', listed.account);
		const accountKey = String(at).padStart(6, '0');
		return Array.from(listed.computers, computer => ({
			row: rowOf(computer),
			listed,
			accountKey,
		}));
	});
	const sort = createSorter<(typeof rows)[number]>({
		fieldSourceOf: ({ row }) => row.computer,
		accountOf: ({ accountKey }) => accountKey,
		troubleOrderOf: ({ row }) => troubleOrderOf(row),
	});
	return sort(rows, ordering, now);
}

/** Stands between a name and an id. It comes before every character in the order of texts. */
const separator = '\0';

/**
 * Orders the computers of an account by name, and those with the same name by id, as the sorter does. V8 sorts texts much
 * faster by itself than with a function that compares them, which a command runs for the first time.
 */
function rowsByName<Listed extends ListedAccount>(listed: Listed): readonly ListedRow<Listed>[] {
	const rowOf = createRowMaker('', listed.account);
	const rows = new Map<string, ListedRow<Listed>>();
	for (const computer of listed.computers) {
		const { name, id } = computer.reading;
		rows.set(sortKeyOf(name ?? id) + separator + id, { row: rowOf(computer), listed });
	}
	return [...rows.keys()].sort().flatMap(key => rows.get(key) ?? []);
}

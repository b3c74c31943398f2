import {
	isReversible,
	type Ordering,
	orderFieldFrom,
	orderFields,
} from '../fleet/computers/order-fields.ts';
import { sortComputers } from '../fleet/computers/ordering.ts';
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
	const rows = all.flatMap((listed, at) => {
		const rowOf = createRowMaker('', listed.account);
		const accountKey = String(at).padStart(6, '0');
		return Array.from(listed.computers, computer => ({
			row: rowOf(computer),
			listed,
			accountKey,
		}));
	});
	return sortComputers(rows, ordering ?? { by: 'account', isReversed: false }, now, {
		computerOf: ({ row }) => row.computer,
		accountOf: ({ accountKey }) => accountKey,
		troubleOrderOf: ({ row }) => troubleOrderOf(row),
	});
}

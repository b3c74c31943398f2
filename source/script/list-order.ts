import {
	type OrderField,
	type Ordering,
	orderFieldFrom,
	orderFields,
} from '../fleet/computers/order-fields.ts';
import { createSorter } from '../fleet/computers/ordering.ts';
import { wrongValueText } from '../shell/check-options.ts';
import type { ParsedArgs } from '../shell/command.ts';
import { UsageError } from '../shell/errors.ts';
import { createRowsSelector, type FleetRow } from '../store/selectors.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { troubleOrderOf } from '../store/trouble-rank.ts';

const directions = ['asc', 'desc'];

/** Returns the order that --sort names; undefined without the option. */
export function orderingFrom(args: ParsedArgs): Ordering | undefined {
	const text = args.text('sort');
	if (text === undefined) return undefined;
	const words = args.list('sort');
	const orderings = (words.length > 0 ? words : [text]).map(orderingOf);
	const twice = orderings.find(({ by }, at) => orderings.findIndex(each => each.by === by) < at);
	if (twice) throw new UsageError(`--sort names ${twice.by} twice`);
	return orderings.reduceRight((ties, ordering) => ({ ...ordering, ties }));
}

function orderingOf(text: string): Ordering {
	const [word = '', direction = 'asc', ...rest] = text.split(':');
	const by = orderFieldFrom(word);
	if (by === undefined) throw new UsageError(wrongValueText('--sort', word, orderFields));
	if (!directions.includes(direction) || rest.length > 0) {
		const wrong = [direction, ...rest].join(':');
		throw new UsageError(`--sort takes ${by}, ${by}:asc or ${by}:desc, but got ${by}:${wrong}`);
	}
	return { by, isReversed: direction === 'desc' };
}

/** The computers of one account that a list prints. */
export type ListedAccount = { account: AccountState; computers: Iterable<ComputerState> };

export type ListedRow<Listed> = { row: FleetRow; listed: Listed };

// Accounts are in the order in which they were chosen, and the computers of an account are ordered by name.
const byAccount: Ordering = { by: 'account' satisfies OrderField, isReversed: false };

/** Returns the rows of all accounts together, in this order. */
export function orderedRows<Listed extends ListedAccount>(
	all: readonly Listed[],
	ordering: Ordering = byAccount,
	now: number,
): readonly ListedRow<Listed>[] {
	const rows = all.flatMap((listed, at) => {
		const rowOf = new Map<ComputerState, FleetRow>();
		for (const row of createRowsSelector('')(listed.account)) rowOf.set(row.computer, row);
		const accountKey = String(at).padStart(6, '0');
		const found: { row: FleetRow; listed: Listed; accountKey: string }[] = [];
		for (const computer of listed.computers) {
			const row = rowOf.get(computer);
			if (row) found.push({ row, listed, accountKey });
		}
		return found;
	});
	const sort = createSorter<(typeof rows)[number]>({
		fieldSourceOf: ({ row }) => row.computer,
		accountOf: ({ accountKey }) => accountKey,
		troubleOrderOf: ({ row }) => troubleOrderOf(row),
	});
	return sort(rows, ordering, now);
}

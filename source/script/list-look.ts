import type { ReadingField } from '../fleet/computers/computer.ts';
import type { Ordering } from '../fleet/computers/order-fields.ts';
import { UsageError } from '../foundation/error.ts';
import type { MapField } from '../screen/map-look.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import type { Column } from '../views/fleet/columns.ts';
import { columns } from '../views/fleet/columns.ts';
import type { ParsedArgs } from './command.ts';
import { computersWithoutReason } from './complete-readings.ts';
import { orderedRows, orderingFrom } from './list-order.ts';
import { groupingFrom } from './plain-groups.ts';
import { type ComputerFilter, readingFieldsOf } from './select-computers.ts';

/** How a person wants to see the list. A field that is undefined was not chosen. */
export type ListLook = {
	isJson: boolean;
	grouping: MapField | undefined;
	ordering: Ordering | undefined;
	columns: readonly Column[] | undefined;
	limit: number | undefined;
};

/** Returns how to show the list according to the options. Throws if the options contradict each other. */
export function lookFrom(args: ParsedArgs): ListLook {
	const names = args.list('columns');
	const chosen = names.flatMap(name => columns.find(column => column.name === name) ?? []);
	const look = {
		isJson: args.flag('json'),
		grouping: groupingFrom(args.text('by')),
		ordering: orderingFrom(args),
		columns: chosen.length > 0 ? chosen : undefined,
		limit: args.wholeNumber('limit', 1, 1_000_000),
	};
	const { grouping, isJson } = look;
	if (grouping && isJson) throw new UsageError('--by prints text; leave out --json');
	if (look.columns && isJson)
		throw new UsageError('--columns prints text; --json always prints all fields');
	const unused =
		grouping && ['sort', 'columns', 'limit'].find(name => args.text(name) !== undefined);
	if (unused) throw new UsageError(`--by counts groups; leave out --${unused}`);
	return look;
}

/** Returns the fields of a computer that an order and the columns show. */
export function fieldsOfLook({
	ordering,
	columns: chosen = [],
}: ListLook): readonly ReadingField[] {
	return readingFieldsOf([...(ordering ? [ordering.by] : []), ...chosen.map(({ field }) => field)]);
}

/** Returns the computers in error whose reasons a list prints, in its order, or that a filter has to know. */
export function computersWhoseReasonsCount(
	account: AccountState,
	{ needsReasons, select }: ComputerFilter,
	{ grouping, columns: chosen, ordering, limit }: ListLook,
	now: number,
): readonly ComputerState[] {
	if (needsReasons) return computersWithoutReason(account, account.computers.values());
	if (grouping || (chosen && !chosen.some(({ name }) => name === 'stage'))) return [];
	const computers = select(account, now);
	if (computersWithoutReason(account, computers).length === 0) return [];
	return orderedRows([{ account, computers }], ordering, now)
		.slice(0, limit)
		.map(({ row }) => row.computer);
}

/** Whether a column shows data that only the journal has. */
export const needsHistory = ({ columns: chosen = [] }: ListLook): boolean =>
	chosen.some(column => column.needsHistory);

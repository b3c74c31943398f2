const value = '(?:"(?:[^"\\\\]|\\\\.)*"|\\S+)';
const computer = `id:=${value}(?: account:${value})?`;
const severalComputers = new RegExp(`^${computer}(?: OR ${computer})+$`);

/**
 * Returns what to call a filter where it is read and not edited. The map filters to a cell of several computers by their
 * ids, which tell a person less than their number.
 */
export function filterName(filter: string): string {
	if (!severalComputers.test(filter)) return filter;
	return `${filter.split(' OR ').length} computers by id`;
}

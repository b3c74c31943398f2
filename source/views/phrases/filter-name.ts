const value = '(?:"(?:[^"\\\\]|\\\\.)*"|\\S+)';
const computer = `id:=${value}(?: account:${value})?`;
const severalComputers = new RegExp(`^${computer}(?: OR ${computer})+$`);

/** The map lists the ids of several computers, and their number tells a person more. */
export function filterName(filter: string): string {
	if (!severalComputers.test(filter)) return filter;
	return `${filter.split(' OR ').length} computers by id`;
}

const value = '(?:"(?:[^"\\\\]|\\\\.)*"|\\S+)';
const computer = `id:=${value}(?: account:${value})?`;
const severalComputers = new RegExp(`^${computer}(?: OR ${computer})+$`);

/**
 * Returns the text that stands for a filter in titles and messages. The map sets filters that list the ids of several
 * computers, and their number tells a person more than their ids.
 */
export function filterName(filter: string): string {
	if (!severalComputers.test(filter)) return filter;
	return `${filter.split(' OR ').length} computers by id`;
}

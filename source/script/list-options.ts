import type { Option } from '../shell/command.ts';
import { asciiOption, filterOption, severalReadingOptions } from '../shell/options.ts';

/**
 * The options of `list`, without the names of columns, orders and groups that are their values. Loading the code with
 * these names would take longer than asking a running monitor for the list, and the monitor checks them.
 */
export const listOptions: readonly Option[] = [
	filterOption,
	{
		name: 'sort',
		valueName: 'FIELD',
		help: 'order by a field of the filter or by trouble, as in cpu:desc',
	},
	{ name: 'columns', valueName: 'NAMES', isRepeatable: true, help: 'show these columns' },
	{ name: 'limit', valueName: 'N', help: 'list at most N computers' },
	{ name: 'by', valueName: 'VALUE', help: 'count the computers in groups instead' },
	asciiOption,
	...severalReadingOptions,
];

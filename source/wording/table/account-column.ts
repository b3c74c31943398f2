import { accountTone } from '../../lines/theme.ts';
import { type Column, widthSteps } from './column.ts';

/** The column of account names. It is the first column of a table with several accounts. */
export const accountColumn: Column = {
	name: 'account',
	title: 'ACCOUNT',
	description: 'account of the computer',
	visibility: 'always',
	growth: widthSteps([0, 7], [11, 13]),
	field: 'account',
	cellSpans(_, __, { accountLabel, theme }) {
		if (!accountLabel) return [];
		const { name, letter, colour, mark } = accountLabel;
		return [
			[theme.hasColours ? name : `${letter} ${name}`, accountTone(colour)],
			[mark, 'faint'],
		];
	},
};

import { describe, expect, test } from 'vitest';
import { paintSpans } from '../../../source/drawing/span.ts';
import { createTheme, type Theme } from '../../../source/drawing/theme.ts';
import { fold } from '../../../source/store/fold.ts';
import { createRowsSelector } from '../../../source/store/selectors.ts';
import { emptyAccount, emptyState } from '../../../source/store/state.ts';
import { cellContextOf } from '../../../source/wording/table/cell-context.ts';
import {
	joinedCells,
	placedColumns,
	rowCells,
} from '../../../source/wording/table/fleet-table-text.ts';
import { theme } from '../../sample-theme.ts';

const state = fold(emptyState, {
	account: 'test',
	at: 1_000_000,
	type: 'listRead',
	computers: [
		{
			id: 'sb_1',
			name: 'draco-web',
			status: 'error',
			error: 'disk quota exceeded for this workspace',
		},
		{ id: 'sb_2', name: 'atlas', status: 'running', version: '1.4.2', cpu: 12 },
	],
});

/** Returns the underlined texts of each row. */
function underlined(filter: string, drawnWith: Theme = theme) {
	const account = state.accounts.get('test') ?? emptyAccount;
	const context = cellContextOf({
		account,
		operationsState: { isReadOnly: false },
		waitingFor: () => undefined,
		filter,
		now: 1_000_000,
		theme: drawnWith,
	});
	const placed = placedColumns(120, undefined);
	return createRowsSelector('test')(account).map(row => {
		const cells = joinedCells(rowCells(row, placed, context), placed, drawnWith);
		const painted = paintSpans(cells, drawnWith);
		return Array.from(painted.matchAll(/\x1b\[4m(.*?)\x1b\[24m/g), ([, text = '']) =>
			text.replaceAll(/\x1b\[[\d;]*m/g, ''),
		);
	});
}

describe('the rows of the table underline what the filter matched', () => {
	test('in the name, and in the stage up to where it is cut', () => {
		expect(underlined('draco')).toEqual([['draco'], []]);
		expect(underlined('"quota exceeded for this workspace"')[0]?.[0]).toMatch(/^quota exceeded/);
	});

	test('in the field that the term names', () => {
		expect(underlined('status:err')).toEqual([['Err'], []]);
		expect(underlined('cpu:>5')).toEqual([[], ['12%']]);
		expect(underlined('version:1.4')).toEqual([[], ['1.4']]);
	});

	test('only if all terms of one OR group match the computer', () => {
		expect(underlined('draco status:active OR name:atlas')).toEqual([[], ['atlas']]);
	});

	test('and underline nothing for a negated term, without a filter, or for a row that a batch keeps', () => {
		expect(underlined('-draco')).toEqual([[], []]);
		expect(underlined('')).toEqual([[], []]);
		expect(underlined('draco status:active')).toEqual([[], []]);
	});

	test('without colours and in ASCII', () => {
		const plain = createTheme({ colourBits: 0, background: 'dark', hasUnicode: false });
		expect(underlined('status:error', plain)).toEqual([['Error'], []]);
	});
});

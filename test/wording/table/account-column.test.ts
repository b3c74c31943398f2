import { expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import type { AccountProfile } from '../../../source/fleet/computers/account-profile.ts';
import type { FleetRow } from '../../../source/store/selectors.ts';
import { accountColumn } from '../../../source/wording/table/account-column.ts';
import { accountLabelsOf, type CellContext } from '../../../source/wording/table/cell-context.ts';
import { profileOf } from '../../opened-account.ts';
import { theme as withoutColours } from '../../sample-theme.ts';

const withColours = createTheme({ colourBits: 8, background: 'dark', hasUnicode: true });

/** Returns the cell of each account. The column reads nothing of a row. */
function cellsOf(profiles: readonly AccountProfile[], theme: CellContext['theme']) {
	const labels = accountLabelsOf(profiles);
	return profiles.map(({ account }) => {
		const context = { accountLabel: labels.get(account), theme } as CellContext;
		const spans = accountColumn.cellSpans({} as FleetRow, 13, context);
		return spans.map(([text]) => text).join('');
	});
}

test('without colours, each account has a letter of its own in front of its name', () => {
	const profiles = ['lab', 'live', 'lb', 'wörk'].map(name => profileOf(name));
	expect(cellsOf(profiles, withoutColours)).toEqual(['L lab', 'I live', 'B lb', 'W wörk']);
	expect(cellsOf(profiles, withColours)).toEqual(['lab', 'live', 'lb', 'wörk']);
});

test('a read-only account is marked only where another can be changed', () => {
	const [work, lab] = [profileOf('work'), { ...profileOf('lab'), isReadOnly: true }];
	expect(cellsOf([work, lab], withColours)).toEqual(['work', 'lab ro']);
	expect(cellsOf([{ ...work, isReadOnly: true }, lab], withColours)).toEqual(['work', 'lab']);
});

import { expect, test } from 'vitest';
import { operationTable } from '../../source/fleet/operation-table.ts';
import { changeEntryFrom } from '../../source/journal/journal-entry.ts';

test('the journal reads back a line about every operation of the operation table', () => {
	const ids = Object.keys(operationTable);
	expect(ids.length).toBeGreaterThan(5);
	for (const operation of ids) {
		const wish = { key: 'k', operation };
		const what = { type: 'operationMoved', at: 1, wish, to: 'sent', took: 0 };
		const line = JSON.stringify({ version: 1, account: 'a', what });
		expect(changeEntryFrom(line)?.what, operation).toEqual(what);
	}
});

import { expect, test } from 'vitest';
import { operationIds } from '../../source/fleet/operations/operation-table.ts';
import { changeIn } from '../../source/journal/log-files.ts';

test('the journal reads back a line about every operation, also about one that this version does not know', () => {
	for (const operation of [...operationIds(), 'of-another-version']) {
		const wish = { key: 'k', operation };
		const what = { type: 'operationMoved', at: 1, wish, to: 'sent', took: 0 };
		const line = JSON.stringify({ version: 1, account: 'a', what });
		expect(changeIn(line, 'a'), operation).toEqual(what);
	}
});

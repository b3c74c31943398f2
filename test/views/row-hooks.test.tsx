import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { dialogEntryFor } from '../../source/screen/dialog-entry.ts';
import { initialScreen, type Screen } from '../../source/screen/screen.ts';
import { usePreparedLetter, usePreparedPage } from '../../source/views/row-hooks.ts';
import type { VisibleRows } from '../../source/wording/table/visible-rows.ts';
import { frameText } from '../frame-text.ts';

type Prepare = VisibleRows['prepareLetter'];

function Filtering({ screen, prepare }: { screen: Screen; prepare: Prepare }) {
	usePreparedLetter(screen, { prepareLetter: prepare });
	return <Text>{screen.isFiltering ? 'the line of the filter' : 'the table'}</Text>;
}

test('the completions of a filter are prepared after its frame, and once until the computers change', async () => {
	const prepared: string[] = [];
	const prepareFor =
		(computers: string): Prepare =>
		() => {
			prepared.push(`${computers}, under ${frameText(lastFrame() ?? '').trim()}`);
		};
	const table = initialScreen();
	const entry = dialogEntryFor(undefined, 'filter', 'atl');
	const filter = { ...table, isFiltering: true, entry };
	const some = prepareFor('some');
	const { lastFrame, rerender, unmount } = render(<Filtering screen={table} prepare={some} />);
	const show = async (screen: Screen, prepare: Prepare) => {
		rerender(<Filtering screen={screen} prepare={prepare} />);
		await new Promise(setImmediate);
	};
	await show(table, some);
	expect(prepared).toEqual([]);
	await show(filter, some);
	await show({ ...filter }, some);
	expect(prepared).toEqual(['some, under the line of the filter']);
	await show(filter, prepareFor('others'));
	expect(prepared.slice(1)).toEqual(['others, under the line of the filter']);
	unmount();
});

const hundredRows = Array.from({ length: 100 }, (_, at) => at);

type PagingProps = { firstRow: number; rows?: readonly number[]; prepare: (row: number) => void };

function Paging({ firstRow, rows = hundredRows, prepare }: PagingProps) {
	usePreparedPage(rows, firstRow, 10, prepare);
	return <Text>{`rows from ${firstRow}`}</Text>;
}

test('a key that turns a page prepares the next page in the same direction, after its own frame', async () => {
	let prepared: number[] = [];
	let frame: string | undefined;
	const prepare = (row: number) => {
		prepared.push(row);
		frame = frameText(lastFrame() ?? '').trim();
	};
	const { lastFrame, rerender, unmount } = render(<Paging firstRow={0} prepare={prepare} />);
	const preparedBy = async (firstRow: number, rows?: readonly number[]) => {
		prepared = [];
		rerender(<Paging firstRow={firstRow} rows={rows ?? hundredRows} prepare={prepare} />);
		await new Promise(setImmediate);
		return prepared;
	};
	expect(await preparedBy(0)).toEqual([]);
	expect(await preparedBy(10)).toEqual(hundredRows.slice(20, 30));
	expect(frame).toBe('rows from 10');
	// An answer with other rows turns no page, and neither does the cursor that scrolls by a row.
	expect(await preparedBy(10, hundredRows.toReversed())).toEqual([]);
	expect(await preparedBy(11)).toEqual([]);
	expect(await preparedBy(81)).toEqual([]);
	expect(await preparedBy(91)).toEqual([]);
	expect(await preparedBy(81)).toEqual(hundredRows.slice(71, 81));
	expect(await preparedBy(5)).toEqual(hundredRows.slice(0, 10));
	unmount();
});

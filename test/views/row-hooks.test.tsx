import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { dialogEntryFor } from '../../source/screen/dialog-entry.ts';
import { initialScreen, type Screen } from '../../source/screen/screen.ts';
import { usePreparedLetter } from '../../source/views/row-hooks.ts';
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

import { expect, test } from 'vitest';
import { paintSpans } from '../../../source/drawing/span.ts';
import { fold } from '../../../source/store/fold.ts';
import { createRowsSelector } from '../../../source/store/selectors.ts';
import { emptyAccount, emptyState } from '../../../source/store/state.ts';
import { cellContextOf } from '../../../source/wording/table/cell-context.ts';
import {
	joinedCells,
	placedColumns,
	rowCells,
} from '../../../source/wording/table/fleet-table-text.ts';
import { createRowLines } from '../../../source/wording/table/row-texts.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const account = 'test';
const operationsState = {
	question: undefined,
	isLocked: false,
	isReadOnly: false,
	commandRuns: [],
	portChecks: [],
	holdReason: undefined,
};
const reason = 'image pull failed: disk quota exceeded';
const failed = { id: 'sb_1', status: 'error', version: '1.4.2', error: reason };

/** Returns the text of the row of this computer, after it was read with each of these values. */
function rowText(width: number, ...readings: readonly object[]) {
	const state = readings.reduce(
		(before: typeof emptyState, reading, at) =>
			fold(before, {
				...{ account, type: 'listRead', at: now - 60_000 * (readings.length - 1 - at) },
				computers: [{ ...failed, ...reading }],
			}),
		emptyState,
	);
	const accountState = state.accounts.get(account) ?? emptyAccount;
	const context = cellContextOf({
		...{ account: accountState, operationsState, waitingFor: () => undefined, now, theme },
	});
	const placed = placedColumns(width, undefined);
	const [row] = createRowsSelector(account)(accountState);
	if (!row) throw new Error('no row');
	const line = createRowLines()(row, { placed, context, isUnderCursor: false, sign: ' ' });
	const text = paintSpans(joinedCells(rowCells(row, placed, context), placed, theme), theme);
	expect(line).toBe(`   ${text} `);
	return text.replace(/\x1b\[[\d;]*m/g, '');
}

test('an error flows into the empty cells after it, and the columns after these stay in line', () => {
	for (const width of [120, 152, 200]) {
		const text = rowText(width, {});
		expect(text, String(width)).toContain(`${reason} `);
		expect(text.indexOf('1.4.2')).toBe(rowText(width, { error: 'short' }).indexOf('1.4.2'));
		expect(text.length).toBe(width - 4);
	}
});

test('an error that is longer than the empty cells is cut before the next value', () => {
	const text = rowText(120, { error: 'the image is damaged '.repeat(4) });
	expect(text).toMatch(/image.+… {2}1\.4\.2/);
});

test('an error that is too long loses its beginning, because the cause stands at its end', () => {
	const stageIn = (width: number, error: string) =>
		/Error +(.*?)(?: {2}.*)?$/.exec(rowText(width, { error }))?.[1];
	expect(stageIn(64, reason)).toBe('…disk quota exceeded');
	expect(stageIn(64, 'pull: image: https://a.example/b: no route')).toBe('…no route');
	expect(stageIn(64, 'the image pull failed: see https://a.b')).toBe('…see https://a.b');
	expect(stageIn(64, 'disk quota exceeded')).toBe('disk quota exceeded');
});

test('an error may cover the old CPU and memory use', () => {
	const before = { status: 'active', cpu: 60, memory: 40 };
	expect(rowText(120, before, before)).toMatch(/60% {2}.*40%/);
	expect(rowText(120, before, before, {})).toContain(reason);
});

test('no text covers a value', () => {
	const text = rowText(120, { cpu: 7 });
	expect(text).toMatch(/…disk quota exceeded +7%/);
});

test('the progress of a creation never stands below the title of the CPU', () => {
	const creating = { status: 'creating', stage: 'loading_image', stageProgress: 40 };
	const active = { status: 'active', error: undefined, cpu: 12 };
	for (const width of [80, 100, 120, 200]) {
		const [progress, cpu] = [rowText(width, creating), rowText(width, active)];
		expect(progress, String(width)).toContain(' 40%');
		expect(progress.indexOf('40%') + 3, String(width)).toBeLessThan(cpu.indexOf('12%'));
	}
	expect(rowText(120, creating)).toMatch(/loading image +━+[╸─]*─+ +40%/);
});

import { Box } from 'ink';
import type { DrawnLine } from '../drawing/drawn-line.ts';
import type { Layout } from '../drawing/layout.ts';
import type { OpenDialog } from '../keys/open-dialog.ts';
import type { Screen } from '../screen/screen.ts';
import { columnsDialog } from '../wording/dialogs/columns-text.ts';
import { dialogLines } from '../wording/dialogs/dialog-text.ts';
import { dialogTextOf } from '../wording/dialogs/open-dialog-text.ts';
import { paletteLines } from '../wording/dialogs/palette-text.ts';
import { signInFormLines } from '../wording/dialogs/sign-in-form-text.ts';
import { ClickableLine } from './ClickableLine.tsx';
import { placedColumns, tableWidth } from './fleet/column-widths.ts';
import type { MonitorData } from './monitor-data.ts';
import type { Scene } from './scene.ts';

//  ╭ Delete atlas? ─────────────────────────────╮
//  │ Erases it for good: workspace, packages …  │
//  │ Type atlas to delete it: atl▏              │
//  ╰────────────────────────────────────────────╯

type Props = {
	/** The lines of the framed box, all equally wide. */
	lines: readonly string[];
	zones: readonly DrawnLine['zones'][];
	width: number;
	columns: number;
	rows: number;
};

/** Draws a frame over the lower part of the screen, so that most rows above it stay visible. */
export function Overlay({ lines, zones, width, columns, rows }: Props) {
	const left = Math.max(0, Math.floor((columns - width) / 2));
	const top = Math.max(0, rows - lines.length - 2);
	return (
		<Box position="absolute" left={left} top={top} flexDirection="column" width={width}>
			{lines.map((text, at) => (
				<ClickableLine key={String(at)} line={{ text, zones: zones[at] ?? [] }} isInDialog />
			))}
		</Box>
	);
}

/** Returns the frame of the open dialog; undefined for a dialog without one, such as the help. */
export function dialogFrameOf(
	dialog: OpenDialog,
	scene: Scene,
	{ exitSummary, findPaletteItems }: MonitorData,
) {
	const { accounts, screen, shown, bindings, layout, now, theme } = scene;
	const { palette, columnMenu } = screen;
	if (dialog.kind === 'signIn') return signInFormLines(dialog.form, bindings, layout, theme);
	const tableView = { ...(screen.tableWhenAsked ?? { ...shown, screen }), now };
	const text = dialogTextOf(dialog, { ...scene, tableView, exitSummary });
	if (text) return dialogLines(text, layout, theme);
	if (dialog.kind === 'columns' && columnMenu) {
		const names = shownColumnNames(screen, layout, accounts.length);
		return columnsDialog(columnMenu, names, bindings, layout, theme);
	}
	if (dialog.kind !== 'palette' || !palette) return undefined;
	const found = findPaletteItems({ screen, visibleRows: shown, accounts, bindings });
	return paletteLines(dialog.entry, found, bindings, layout, theme);
}

function shownColumnNames(
	screen: Screen,
	{ columns }: Layout,
	accountCount: number,
): readonly string[] {
	const width = tableWidth(screen, columns, accountCount);
	const placed = placedColumns(width, screen.columns, accountCount > 1, screen.orderings.fleet.by);
	return placed.map(({ column }) => column.name);
}

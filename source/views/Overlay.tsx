import { Box } from 'ink';
import { type Layout, tableWidth } from '../drawing/layout.ts';
import type { Theme } from '../drawing/theme.ts';
import type { PasswordPrompt } from '../fleet/password-prompt.ts';
import type { Binding } from '../keys/binding.ts';
import { paletteItems } from '../keys/palette.ts';
import type { Operations, OperationsState } from '../operations/operations.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountState } from '../store/state.ts';
import { columnsNamed, columnsThatFit } from '../wording/column-layout.ts';
import { columnsDialog } from '../wording/columns-text.ts';
import { dialogLines } from '../wording/dialog-text.ts';
import { paletteLines } from '../wording/palette-text.ts';
import { confirmationDialog, questionDialog } from '../wording/question-text.ts';
import { passwordDialog, welcomeDialog } from '../wording/sign-in-text.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';
import { Line } from './Line.tsx';

//  ╭ Delete atlas? ─────────────────────────────╮
//  │ Erases it for good: workspace, packages …  │
//  │ Type atlas to delete it: atl▏              │
//  ╰────────────────────────────────────────────╯

type Props = {
	/** The lines of the framed box, all equally wide. */
	lines: readonly string[];
	width: number;
	columns: number;
	rows: number;
};

/** Draws a frame over the lower part of the screen, so that most rows above it stay visible. */
export function Overlay({ lines, width, columns, rows }: Props) {
	const left = Math.max(0, Math.floor((columns - width) / 2));
	const top = Math.max(0, rows - lines.length - 2);
	return (
		<Box position="absolute" left={left} top={top} flexDirection="column" width={width}>
			{lines.map((text, at) => (
				<Line key={String(at)} text={text} />
			))}
		</Box>
	);
}

type OverlayOptions = {
	operations: Operations;
	bindings: readonly Binding[];
	account: AccountState;
	screen: Screen;
	operationsState: OperationsState;
	prompt: PasswordPrompt | undefined;
	shown: VisibleRows;
	layout: Layout;
	now: number;
	theme: Theme;
};

/** Returns the frame to draw over the screen: the open dialog, else the choice of columns, else the palette. */
export function overlayOf(options: OverlayOptions) {
	const { screen, bindings, layout, theme } = options;
	const { palette, columnMenu } = screen;
	const dialog = dialogOf(options);
	if (dialog) return dialogLines(dialog, layout, theme);
	if (columnMenu) return columnsDialog(columnMenu, shownColumnNames(screen, layout), layout, theme);
	return palette && paletteLines(palette, paletteItems(bindings, palette.text), layout, theme);
}

function dialogOf(options: OverlayOptions) {
	const { operations, account, screen, operationsState, prompt, shown, now } = options;
	if (screen.confirmation) return confirmationDialog(screen.confirmation, operations.exitSummary());
	if (prompt) return passwordDialog(prompt, screen.passwordLetters);
	if (operationsState.question) {
		return questionDialog(operationsState.question, account, { screen, ids: shown.ids, now });
	}
	return screen.isWelcoming && welcomeDialog;
}

function shownColumnNames(screen: Screen, { columns }: Layout): readonly string[] {
	const placed = columnsThatFit(tableWidth(screen, columns) - 4, columnsNamed(screen.columns));
	return placed.map(({ column }) => column.name);
}

import { useLayoutEffect } from 'react';
import { isMap, isTable } from '../screen/screen.ts';
import { pictureLines } from '../wording/frame/picture-lines.ts';
import type { ComposePicture, ScreenProps } from './screen-props.ts';

/** Reports after each frame how to compose a picture of it; undefined if a start would show something else. */
export function useTablePicture(props: ScreenProps): void {
	const { onTableDrawn } = props;
	useLayoutEffect(() => {
		onTableDrawn?.(composerOf(props));
		// On a tiny terminal, the table is not drawn at all.
		return () => onTableDrawn?.(undefined);
	});
}

function composerOf(props: ScreenProps): ComposePicture | undefined {
	const { account, screen, shown, firstRow, layout, now, theme } = props;
	const { operationsState, isDialogOpen, isPasswordWanted, replay } = props;
	if (!layout.hasCounts || isDialogOpen || replay) return undefined;
	if (!isTable(screen) || isMap(screen) || screen.isHelpOpen || screen.isFiltering)
		return undefined;
	if (screen.isDetailOpen || screen.marks.size > 0 || firstRow > 0 || shown.isUnsorted)
		return undefined;
	const isRead = account.reads.list?.answer !== undefined && !isPasswordWanted;
	if (!isRead || shown.rows.length === 0) return undefined;
	return () => ({
		columns: layout.columns,
		rows: layout.rows,
		at: now,
		style: theme.paint('faint', '|').split('|')[0] ?? '',
		lines: pictureLines({
			...props,
			width: layout.columns,
			view: screen.view,
			isReadOnly: operationsState.isReadOnly,
			isLocked: operationsState.isLocked,
			rows: shown.rows.slice(0, layout.tableRowCount),
			matchCount: shown.rows.length - shown.keptIds.size,
		}),
	});
}

import { memo, type RefObject, useEffect } from 'react';
import { isViewContext, type KeyContext, moveIntent } from '../keys/binding.ts';
import { useLatest } from '../keys/latest-value.ts';
import type { Click } from '../screen/click.ts';
import type { Move } from '../screen/move.ts';
import { cursorIndex, isTable } from '../screen/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ClickAreas } from './click-areas.ts';
import type { DrawnTable } from './fleet/DrawnTable.ts';
import type { InputHandlers } from './input-handlers.ts';

type MouseInput = Parameters<Parameters<Terminal['onMouse']>[0]>[0];

type Props = InputHandlers & {
	onMouse: Terminal['onMouse'];
	/** The table that was drawn last; null while no table is drawn. */
	table: RefObject<DrawnTable | null>;
	areas: ClickAreas;
};

type Present = Omit<Props, 'onMouse'>;

const wheelLines = 3;

/**
 * The only place where mouse events arrive. A click does what a key or a move does, so an operation still asks its
 * question. The mouse never answers a question, and does nothing while a dialog or a text field is open, except in the
 * palette and the help.
 */
export const Pointer = memo(function Pointer({ onMouse, ...present }: Props): null {
	const props = useLatest(present);
	useEffect(() => onMouse(mouse => handle(mouse, props.current)), [onMouse, props]);
	return null;
});

function handle(mouse: MouseInput, props: Present): void {
	const context = props.getContext();
	if (context !== 'help' && context !== 'palette' && !isViewContext(context)) return;
	const click =
		mouse.kind === 'press' ? props.areas.clickAt(mouse, context === 'palette') : undefined;
	if (click) perform(click, context, props);
	else if (isViewContext(context)) {
		const move = moveFor(mouse, props);
		if (move) props.perform(moveIntent(move));
	}
}

function perform(click: Click, context: KeyContext, props: Present): void {
	switch (click.type) {
		case 'move':
			props.perform(moveIntent(click.move));
			break;
		case 'key':
			// The help is closed first, because a key that is clicked in it works in the view behind it.
			if (context === 'help') props.perform(moveIntent({ type: 'help' }));
			props.press(click.key);
			break;
		case 'found':
			props.perform(moveIntent({ type: 'openPalette', chosenId: click.id }));
			props.perform({ type: 'choose', key: '' });
	}
}

function moveFor(mouse: MouseInput, props: Present): Move | undefined {
	const screen = props.getScreen();
	const table = props.table.current;
	if (mouse.kind !== 'press') {
		const lines = mouse.kind === 'wheelUp' ? -wheelLines : wheelLines;
		// Beside the table, only the details can scroll. If they are not in sight, nothing scrolls.
		const isOverDetail = isTable(screen) && !table?.containsCell(mouse);
		return isOverDetail ? { type: 'scroll', lines } : { type: 'step', steps: lines };
	}
	const id = table?.rowIdAt(mouse);
	const ids = props.getRowIds();
	if (id === undefined) return undefined;
	const index = ids.indexOf(id);
	if (index < 0) return undefined;
	return index === cursorIndex(screen, ids) ? { type: 'open' } : { type: 'goTo', id };
}

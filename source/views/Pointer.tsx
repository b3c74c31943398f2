import { memo, type RefObject, useEffect } from 'react';
import type { Terminal } from '../terminal/terminal.ts';
import { choose } from './actions/fields.ts';
import { move, open } from './actions/looking.ts';
import { isViewPlace, type Place } from './actions/places.ts';
import type { ClickAreas } from './click-areas.ts';
import type { DrawnTable } from './fleet/DrawnTable.ts';
import type { InputHandlers } from './input-handlers.ts';
import { useLatest } from './latest-value.ts';
import { cursorIndex } from './look/cursor.ts';
import { type Click, chooseInPalette, goTo, scroll, step, toggleHelp } from './look/moves.ts';
import { isTable } from './look/screen.ts';
import type { Effect } from './scene.ts';

type MouseInput = Parameters<Parameters<Terminal['onMouse']>[0]>[0];

type Props = InputHandlers & {
	onMouse: Terminal['onMouse'];
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
	const place = props.getPlace();
	if (place !== 'help' && place !== 'palette' && !isViewPlace(place)) return;
	const click =
		mouse.kind === 'press' ? props.areas.clickAt(mouse, place === 'palette') : undefined;
	if (click) perform(click, place, props);
	else if (isViewPlace(place)) {
		const run = effectOf(mouse, props);
		if (run) props.perform(clicked(run));
	}
}

const clicked = (run: Effect['run']): Effect => ({ id: 'click', run });

function perform(click: Click, place: Place, props: Present): void {
	switch (click.type) {
		case 'move':
			props.perform(clicked(move(click.move)));
			break;
		case 'key':
			// The help is closed first, because a key that is clicked in it works in the view behind it.
			if (place === 'help') props.perform(clicked(move(toggleHelp)));
			props.press(click.key);
			break;
		case 'found':
			props.perform(clicked(move(chooseInPalette(click.id))));
			props.perform(clicked(choose));
	}
}

function effectOf(mouse: MouseInput, props: Present): Effect['run'] | undefined {
	const screen = props.getScreen();
	const table = props.table.current;
	if (mouse.kind !== 'press') {
		const lines = mouse.kind === 'wheelUp' ? -wheelLines : wheelLines;
		// Beside the table, only the details can scroll. If they are not in sight, nothing scrolls.
		const isOverDetail = isTable(screen) && !table?.containsCell(mouse);
		return move(isOverDetail ? scroll(lines) : step(lines));
	}
	const id = table?.rowIdAt(mouse);
	const ids = props.getRowIds();
	if (id === undefined) return undefined;
	const index = ids.indexOf(id);
	if (index < 0) return undefined;
	return index === cursorIndex(screen, ids) ? open : move(goTo(id));
}

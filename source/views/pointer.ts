import { type RefObject, useEffect } from 'react';
import type { Terminal } from '../terminal/terminal.ts';
import { choose } from './actions/fields.ts';
import { move, open } from './actions/looking.ts';
import { isViewPlace, type Place } from './actions/places.ts';
import type { ClickAreas } from './click-areas.ts';
import type { DrawnTable } from './fleet/DrawnTable.ts';
import type { InputHandlers } from './input-handlers.ts';
import { cursorIndex } from './look/cursor.ts';
import { type Click, chooseInPalette, goTo, scroll, step, toggleHelp } from './look/moves.ts';
import { isTable } from './look/screen.ts';
import type { Effect } from './scene.ts';

type MouseInput = Parameters<Parameters<Terminal['onMouse']>[0]>[0];

type Drawn = { input: InputHandlers; table: RefObject<DrawnTable | null>; areas: ClickAreas };

const wheelLines = 3;

/** The only place where mouse events arrive. A click does what a key or a move does, and never answers a question. */
export function usePointer(onMouse: Terminal['onMouse'], { input, table, areas }: Drawn) {
	useEffect(
		() => onMouse(mouse => handle(mouse, { input, table, areas })),
		[onMouse, input, table, areas],
	);
}

function handle(mouse: MouseInput, drawn: Drawn): void {
	const { input, areas } = drawn;
	const place = input.getPlace();
	if (place !== 'help' && place !== 'palette' && !isViewPlace(place)) return;
	const click = mouse.kind === 'press' ? areas.clickAt(mouse, place === 'palette') : undefined;
	if (click) perform(click, place, input);
	else if (isViewPlace(place)) {
		const run = effectOf(mouse, drawn);
		if (run) input.perform(clicked(run));
	}
}

const clicked = (run: Effect['run']): Effect => ({ id: 'click', run });

function perform(click: Click, place: Place, input: InputHandlers): void {
	switch (click.type) {
		case 'move':
			input.perform(clicked(move(click.move)));
			break;
		case 'key':
			// The help is closed first, because a key that is clicked in it works in the view behind it.
			if (place === 'help') input.perform(clicked(move(toggleHelp)));
			input.press(click.key);
			break;
		case 'found':
			input.perform(clicked(move(chooseInPalette(click.id))));
			input.perform(clicked(choose));
	}
}

function effectOf(mouse: MouseInput, { input, table }: Drawn): Effect['run'] | undefined {
	const screen = input.getScreen();
	if (mouse.kind !== 'press') {
		const lines = mouse.kind === 'wheelUp' ? -wheelLines : wheelLines;
		// Beside the table, only the details can scroll. If they are not in sight, nothing scrolls.
		const isOverDetail = isTable(screen) && !table.current?.containsCell(mouse);
		return move(isOverDetail ? scroll(lines) : step(lines));
	}
	const id = table.current?.rowIdAt(mouse);
	const ids = input.getRowIds();
	if (id === undefined || !ids.includes(id)) return undefined;
	return id === ids[cursorIndex(screen, ids)] ? open : move(goTo(id));
}

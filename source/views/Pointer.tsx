import { type RefObject, useEffect, useRef } from 'react';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import { isViewContext, type KeyContext } from '../keys/binding.ts';
import type { Move } from '../screen/move.ts';
import { cursorIndex, isTable, type Screen } from '../screen/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { DrawnTable } from './DrawnTable.ts';

type MouseInput = Parameters<Parameters<Terminal['onMouse']>[0]>[0];

type Props = {
	onMouse: Terminal['onMouse'];
	/** The table that was drawn last; null while no table is drawn. */
	table: RefObject<DrawnTable | null>;
	/** These functions are called for every event, because the previous event may have changed the state. */
	getContext: () => KeyContext;
	getScreen: () => Screen;
	getRowIds: () => readonly GlobalId[];
	requestMove: (move: Move) => void;
};

const wheelLines = 3;

/**
 * The only place where mouse events arrive. The mouse only moves the cursor and scrolls. It never asks for
 * an operation or answers a question, and does nothing while a dialog or a text field is open.
 */
export function Pointer({ onMouse, ...present }: Props): null {
	const props = useRef(present);
	useEffect(() => {
		props.current = present;
	});
	useEffect(
		() =>
			onMouse(mouse => {
				const move = moveFor(mouse, props.current);
				if (move) props.current.requestMove(move);
			}),
		[onMouse],
	);
	return null;
}

function moveFor(mouse: MouseInput, props: Omit<Props, 'onMouse'>): Move | undefined {
	if (!isViewContext(props.getContext())) return undefined;
	const screen = props.getScreen();
	const table = props.table.current;
	if (mouse.kind !== 'press') {
		const lines = mouse.kind === 'wheelUp' ? -wheelLines : wheelLines;
		const isOverDetail = isTable(screen) && screen.isDetailOpen && !table?.containsCell(mouse);
		return isOverDetail ? { type: 'scroll', lines } : { type: 'step', steps: lines };
	}
	const id = table?.rowIdAt(mouse);
	const ids = props.getRowIds();
	if (id === undefined) return undefined;
	const index = ids.indexOf(id);
	if (index < 0) return undefined;
	return index === cursorIndex(screen, ids) ? { type: 'open' } : { type: 'goTo', id };
}

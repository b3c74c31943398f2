import { justify, type Span } from '../../lines/span.ts';
import { columns, columnsWithRoom } from '../fleet/columns.ts';
import { tableWidth } from '../layout.ts';
import type { Scene } from '../scene.ts';
import { type Box, innerWidthOf, keyHints, listBox } from './dialog.ts';
import type { DialogOf } from './dialog-table.ts';

// ╭ Columns ─────────────────────────────────────────────────────────╮
// │   [x] STATUS    what state it is in                       always │
// │ ❯ [x] MEM       memory use in percent                    no room │
// │   [ ] ID        id on the platform                               │
// │ Space shows or hides · Esc closes · J moves right · K moves left │
// ╰──────────────────────────────────────────────────────────────────╯

// The header, the titles of the table, the frame with its hints, and the two lines below.
const linesBesideChoices = 8;
const minChoices = 2;

export function columnsBox({ choices, index }: DialogOf<'columns'>, scene: Scene): Box {
	const { actions, layout, screen, width } = scene;
	const inner = innerWidthOf(layout);
	const room = tableWidth(screen, width);
	const placed = columnsWithRoom(room, scene).map(each => each.name);
	return listBox(
		'Columns',
		{
			items: choices,
			draw({ name, isShown, isFixed }, isChosen) {
				const column = columns.find(each => each.name === name);
				const hasNoRoom = isShown && !placed.includes(name);
				const left: readonly Span[] = [
					[isChosen ? '❯ ' : '  ', 'accent'],
					[isShown ? '[x] ' : '[ ] ', isShown ? undefined : 'faint'],
					[(column?.title ?? name).padEnd(10), isShown ? 'strong' : 'faint'],
					[column?.description ?? '', 'faint'],
				];
				const note = isFixed ? ' always' : hasNoRoom ? ' no room' : '';
				return justify(left, [[note, 'faint']], inner);
			},
			chosen: index,
			room: Math.max(minChoices, layout.rows - linesBesideChoices),
			hints: keyHints(actions, [
				['showColumn', 'shows or hides'],
				['back', 'closes'],
				['columnFurtherRight', 'moves right'],
				['columnFurtherLeft', 'moves left'],
				['usualColumns', 'restores the defaults'],
			]),
		},
		layout,
	);
}

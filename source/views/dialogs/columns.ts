import { line, spansOf } from '../../lines/line.ts';
import { justify, type Span } from '../../lines/span.ts';
import { overflowLine, windowOf } from '../../lines/window.ts';
import { columns, columnsNamed, columnsWithRoom } from '../fleet/columns.ts';
import { tableWidth } from '../layout.ts';
import type { ColumnChoice, Open, Screen } from '../look/screen.ts';
import type { Scene } from '../scene.ts';
import { type Box, boxAround, innerWidthOf, keyHints, keyLine } from './dialog.ts';

// ╭ Columns ─────────────────────────────────────────────────────────╮
// │   [x] STATUS    what state it is in                       always │
// │ ❯ [x] MEM       memory use in percent                    no room │
// │   [ ] ID        id on the platform                               │
// │ Space shows or hides · Esc closes · J moves right · K moves left │
// ╰──────────────────────────────────────────────────────────────────╯

// The header, the titles of the table, the frame with its hints, and the two lines below stay in sight. The titles show
// the effect of each choice.
const linesBesideChoices = 8;
const minChoices = 2;

/** The hidden columns stand after the shown ones. */
export function columnChoices(names: Screen['columns']): readonly ColumnChoice[] {
	const shown = columnsNamed(names);
	const hidden = columns.filter(column => !shown.includes(column));
	return [...shown, ...hidden].map(column => ({
		name: column.name,
		isShown: shown.includes(column),
		isFixed: column.visibility === 'always',
	}));
}

export function columnsBox(
	{ choices, index }: Extract<Open, { kind: 'columns' }>,
	scene: Scene,
): Box {
	const { actions, layout } = scene;
	const inner = innerWidthOf(layout);
	const placed = placedNames(scene);
	const lines = choices.map(({ name, isShown, isFixed }, at) => {
		const column = columns.find(each => each.name === name);
		const note = isFixed ? 'always' : isShown && !placed.includes(name) ? 'no room' : '';
		const left: readonly Span[] = [
			[at === index ? '❯ ' : '  ', 'accent'],
			[isShown ? '[x] ' : '[ ] ', isShown ? undefined : 'faint'],
			[(column?.title ?? name).padEnd(10), isShown ? 'strong' : 'faint'],
			[column?.description ?? '', 'faint'],
		];
		return { ...line(), spans: justify(left, note === '' ? [] : [[` ${note}`, 'faint']], inner) };
	});
	const room = Math.min(lines.length, Math.max(minChoices, layout.rows - linesBesideChoices));
	const seen = windowOf(lines, index - Math.floor(room / 2), room);
	const isCut = seen.above + seen.below > 0;
	const hints = keyHints(actions, [
		['showColumn', 'shows or hides'],
		['back', 'closes'],
		['columnFurtherRight', 'moves right'],
		['columnFurtherLeft', 'moves left'],
		['usualColumns', 'restores the defaults'],
	]);
	const shown = [...seen.lines, ...(isCut ? [overflowLine(seen)] : [])].map(spansOf);
	return boxAround('Columns', [...shown, keyLine(hints, inner)], layout);
}

function placedNames(scene: Scene): readonly string[] {
	const room = tableWidth(scene.screen, scene.width);
	return columnsWithRoom(room, scene).map(({ name }) => name);
}

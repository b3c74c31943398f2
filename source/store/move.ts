import { cursorIndex, firstLine, type Screen, type Shown } from './screen.ts';

/** The next screen after a key that only looks. Everything here is undone by another key. */
export type Move =
	| { type: 'step'; by: number }
	| { type: 'page'; by: 1 | -1 }
	| { type: 'end'; which: 'first' | 'last' }
	| { type: 'startFilter' }
	| { type: 'setFilter'; text: string }
	| { type: 'endFilter' }
	| { type: 'orderBy'; by: 1 | -1 }
	| { type: 'reverse' }
	| { type: 'help' }
	| { type: 'back' };

export function moved(screen: Screen, move: Move, shown: Shown): Screen {
	switch (move.type) {
		case 'step':
			return stepped(screen, move.by, shown);
		case 'page':
			return stepped(screen, move.by * Math.max(1, shown.lines - 1), shown);
		case 'end':
			return stepped(screen, move.which === 'first' ? -shown.ids.length : shown.ids.length, shown);
		case 'startFilter':
			return { ...screen, isFiltering: true, notice: undefined };
		case 'setFilter':
			return { ...screen, filter: move.text };
		case 'endFilter':
			return { ...screen, isFiltering: false };
		case 'orderBy':
			return orderedBy(screen, move.by, shown);
		case 'reverse': {
			const { by, isReversed } = screen.ordering;
			return { ...screen, ordering: { by, isReversed: !isReversed } };
		}
		case 'help':
			return { ...screen, isHelpOpen: !screen.isHelpOpen };
		case 'back':
			return backFrom(screen);
	}
}

function stepped(screen: Screen, by: number, shown: Shown): Screen {
	const { ids, lines } = shown;
	const from = cursorIndex(screen, ids);
	const index = Math.max(0, Math.min(from + by, ids.length - 1));
	const id = ids[index];
	if (id === undefined) return screen;
	const first = firstLine(screen, shown);
	const line = Math.max(0, Math.min(index - first, lines - 1));
	return { ...screen, cursor: { id, index, line } };
}

function orderedBy(screen: Screen, by: 1 | -1, { fields }: Shown): Screen {
	if (fields.length === 0) return screen;
	const at = fields.indexOf(screen.ordering.by);
	const next = fields[(at + by + fields.length) % fields.length] ?? 'name';
	return { ...screen, ordering: { by: next, isReversed: false } };
}

/** One step back at a time: out of help, then out of the filter's line, then out of the filter. */
function backFrom(screen: Screen): Screen {
	if (screen.isHelpOpen) return { ...screen, isHelpOpen: false };
	if (screen.isFiltering) return { ...screen, isFiltering: false, filter: '' };
	return { ...screen, filter: '', notice: undefined };
}

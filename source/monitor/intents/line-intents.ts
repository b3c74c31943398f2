import { historyFieldOf, type OpenDialog } from '../../keys/open-dialog.ts';
import type { LineAssist } from '../../screen/dialog-entry.ts';
import {
	foundLine,
	type HistorySearch,
	recalledLine,
	withLineEntered,
} from '../../screen/line-history.ts';
import { applyMove } from '../../screen/move.ts';
import { type TypedLine, typedLineFrom } from '../../screen/typed-line.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import type { HandlerDeps, IntentHandlers } from './intent-handlers.ts';
import { paletteResultsFor } from './open-palette.ts';

export type LineDeps = Pick<
	HandlerDeps,
	'screenStore' | 'openDialog' | 'bindings' | 'accountsNow'
> & {
	/** Shows another line in the open text field. The line also takes effect in the filter or the palette. */
	setLine: (
		dialog: OpenDialog,
		line: TypedLine,
		assist: LineAssist | undefined,
		shown: VisibleRows,
	) => void;
};

type LineIntentHandlers = Pick<IntentHandlers, 'recall' | 'searchHistory' | 'complete'> & {
	/** Changes the searched text of an open history search. Returns false if no search is open. */
	editSearch(dialog: OpenDialog, change: (typed: string) => string, shown: VisibleRows): boolean;
	/** Cancels an open history search, and restores the line from before. Returns false if no search is open. */
	cancelSearch(shown: VisibleRows): boolean;
};

/**
 * Creates the handlers of the keys that fill a text field from its history or with a completion. Think of the history
 * above the field and the rows of the table below it: Up goes to older lines, and Down to newer lines and then into the
 * rows.
 */
export function createLineIntents(deps: LineDeps): LineIntentHandlers {
	const { screenStore, openDialog, setLine } = deps;

	function linesOf(dialog: OpenDialog): readonly string[] {
		const { lineHistories, view } = screenStore.getState();
		return lineHistories[historyFieldOf(dialog, view) ?? ''] ?? [];
	}

	/**
	 * Moves the cursor among the rows of the table while the filter field stays open. Returns false if the key has
	 * another meaning at this moment.
	 */
	function stepInRows(dialog: OpenDialog, direction: 1 | -1, shown: VisibleRows): boolean {
		const { assist } = dialog.entry;
		const stepsBelow = assist?.kind === 'rows' ? assist.steps : 0;
		const isInRows = dialog.kind === 'filter' && assist?.kind !== 'recall';
		if (!isInRows || (direction === -1 && stepsBelow === 0)) return false;
		const steps = stepsBelow + direction;
		const entry = {
			...dialog.entry,
			assist: steps > 0 ? ({ kind: 'rows', steps } as const) : undefined,
		};
		const screen = { ...screenStore.getState(), entry };
		screenStore.setState(applyMove(screen, { type: 'step', steps: direction }, shown), true);
		return true;
	}

	function search(
		dialog: OpenDialog,
		next: Omit<HistorySearch, 'index'>,
		from: number,
		shown: VisibleRows,
	) {
		const { line, assist } = foundLine(linesOf(dialog), next, from);
		setLine(dialog, line, assist, shown);
	}

	function openSearchOf(dialog: OpenDialog | undefined): HistorySearch | undefined {
		const assist = dialog?.entry.assist;
		return assist?.kind === 'search' ? assist : undefined;
	}

	return {
		recall({ direction }, _screen, shown) {
			const dialog = openDialog();
			if (!dialog || stepInRows(dialog, direction, shown)) return;
			const { line, assist } = dialog.entry;
			const recall = assist?.kind === 'recall' ? assist : undefined;
			const recalled = recalledLine(linesOf(dialog), line, recall, direction);
			if (recalled) setLine(dialog, recalled.line, recalled.assist, shown);
		},
		searchHistory(_intent, _screen, shown) {
			const dialog = openDialog();
			if (!dialog || historyFieldOf(dialog, screenStore.getState().view) === undefined) return;
			const open = openSearchOf(dialog);
			if (open) search(dialog, open, (open.index ?? -1) + 1, shown);
			else search(dialog, { kind: 'search', draft: dialog.entry.line, typed: '' }, 0, shown);
		},
		complete({ direction }, _screen, shown) {
			const dialog = openDialog();
			if (dialog?.kind === 'palette') {
				const { items, index } = paletteResultsFor(deps, screenStore.getState(), shown);
				const completion = items[index]?.completion;
				if (completion !== undefined) setLine(dialog, typedLineFrom(completion), undefined, shown);
			}
			if (dialog?.kind !== 'filter') return;
			const { line, assist } = dialog.entry;
			const completing = assist?.kind === 'completion' ? assist : undefined;
			const base = completing?.base ?? line;
			const { from, to, completions } = shown.filterCompletions(base);
			const { length: count } = completions;
			const first = direction === 1 ? 0 : count - 1;
			const index = completing ? (completing.index + direction + count) % count : first;
			const word = completions[index]?.word;
			if (word === undefined) return;
			const text = `${base.text.slice(0, from)}${word}${base.text.slice(to)}`;
			// A completion without alternatives is finished, and so is a field whose first letters were typed. The next Tab
			// completes what follows, such as the value after a field.
			const isFinished = count === 1 || (from < base.caret && word.endsWith(':'));
			const completed = { text, caret: from + word.length };
			setLine(
				dialog,
				completed,
				isFinished ? undefined : { kind: 'completion', base, index },
				shown,
			);
		},
		editSearch(dialog, change, shown) {
			const open = openSearchOf(dialog);
			if (!open) return false;
			search(dialog, { ...open, typed: change(open.typed) }, 0, shown);
			return true;
		},
		cancelSearch(shown) {
			const dialog = openDialog();
			const open = openSearchOf(dialog);
			if (!dialog || !open) return false;
			setLine(dialog, open.draft, undefined, shown);
			return true;
		},
	};
}

/** Adds the line of the open text field to the history of that field. */
export function rememberLine(
	{ screenStore }: Pick<LineDeps, 'screenStore'>,
	dialog: OpenDialog | undefined,
): void {
	const { lineHistories, view } = screenStore.getState();
	const field = dialog && historyFieldOf(dialog, view);
	if (!dialog || field === undefined) return;
	screenStore.setState({
		lineHistories: withLineEntered(lineHistories, field, dialog.entry.line.text),
	});
}

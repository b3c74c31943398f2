import { cleanLine } from '../../platform/decoding/clean.ts';
import type { DialogOf, OpenDialog } from '../../views/dialogs/dialog-table.ts';
import { filterMistake } from '../../views/frame/rules.ts';
import { chosenChoice } from '../../views/look/cursor.ts';
import { step } from '../../views/look/moves.ts';
import { helpOf, isTable } from '../../views/look/screen.ts';
import {
	type DialogEntry,
	dialogEntryFor,
	type Edit,
	foundLine,
	type HistorySearch,
	type LineAssist,
	recalledLine,
	type TypedLine,
	typedLineFrom,
	withEdit,
	withLineEntered,
} from '../../views/look/typed-line.ts';
import type { ViewName } from '../../views/look/view-table.ts';
import {
	chooseInPalette,
	endFilter,
	setFilter,
	setHelpFilter,
	withTopClosed,
} from '../../views/look/views.ts';
import type { ActionContext, Effect } from '../../views/scene.ts';
import { findPaletteItems } from '../palette.ts';
import { takesKey } from './deafness.ts';
import { look } from './effects.ts';
import { goToView } from './looking.ts';
import { cancelOrTakeFailureAway } from './operations.ts';
import { chooseWay } from './sign-in.ts';

// The history stands above the field, and the rows of the table below it: Up goes to older lines, Down into the rows.

export const editing = (edit: Edit): Effect => ({
	id: 'edit',
	edit,
	run: context => editLine(context, edit),
});

function editLine(context: ActionContext, edit: Edit) {
	const { dialog } = context.scene();
	if (!dialog) return;
	if (dialog.kind === 'signIn' && dialog.form.trial) return;
	if (dialog.kind === 'signIn' && dialog.form.field === 'way') return chooseWay(context, edit);
	const search = openSearchOf(dialog);
	const searchChange = search && searchChangeFrom(edit);
	if (search && searchChange)
		return searchFrom(context, dialog, { ...search, typed: searchChange(search.typed) }, 0);
	const problem = dialog.kind === 'question' ? whyNotTaken(context, dialog, edit) : undefined;
	if (problem !== undefined) return setEntry(context, dialog, { problem });
	const { kind, entry } = dialog;
	const isOneAnswer = kind === 'password' || kind === 'signIn';
	const clean = isOneAnswer ? firstLine : kind === 'question' ? cleanLine : joinedLines;
	const isReplaced = entry.assist?.kind === 'replaced' && 'text' in edit;
	const line = isReplaced ? typedLineFrom('') : entry.line;
	setLine(context, dialog, withEdit(line, cleaned(edit, clean)), undefined);
}

function whyNotTaken(
	context: ActionContext,
	dialog: DialogOf<'question'>,
	edit: Edit,
): string | undefined {
	const { step } = dialog;
	if (step?.kind !== 'typed') return undefined;
	if (edit.type === 'paste') return `Pasting does not confirm. Type ${step.expectedText}.`;
	if (takesKey(context, dialog)) return undefined;
	return `Too early, so nothing was taken. Pause, then type ${step.expectedText}.`;
}

export function setEntry(
	{ screenStore }: ActionContext,
	{ entry }: OpenDialog,
	change: Partial<DialogEntry>,
) {
	screenStore.setState({ entry: { ...entry, problem: undefined, assist: undefined, ...change } });
}

function setLine(
	context: ActionContext,
	dialog: OpenDialog,
	line: TypedLine,
	assist: LineAssist | undefined,
) {
	setEntry(context, dialog, { line, assist });
	const { text } = line;
	if (text === dialog.entry.line.text) return;
	if (dialog.kind === 'helpFilter') look(context, setHelpFilter(text));
	if (dialog.kind === 'filter') look(context, setFilter(text));
	if (dialog.kind === 'palette') chooseFirstFound(context);
}

export function keepFilter(context: ActionContext) {
	const { dialog, screen, shown } = context.scene();
	if (dialog?.kind === 'helpFilter')
		return context.screenStore.setState({ open: { ...helpOf(screen), isFiltering: false } });
	const mistake = filterMistake({ shown, screen });
	if (dialog && mistake)
		return setEntry(context, dialog, { problem: mistake.problem, assist: dialog.entry.assist });
	rememberLine(context);
	look(context, endFilter);
}

export function back(context: ActionContext) {
	const dialog = context.scene().dialog;
	const search = openSearchOf(dialog);
	if (dialog && search) return setLine(context, dialog, search.draft, undefined);
	const isInFront = dialog !== undefined || context.scene().screen.pastAt !== undefined;
	if (!isInFront && cancelOrTakeFailureAway(context)) return;
	look(context, withTopClosed);
}

export function rememberLine({ screenStore, scene }: ActionContext) {
	const {
		dialog,
		screen: { lineHistories, view },
	} = scene();
	const field = dialog && historyFieldOf(dialog, view);
	if (!dialog || field === undefined) return;
	const { text } = dialog.entry.line;
	screenStore.setState({ lineHistories: withLineEntered(lineHistories, field, text) });
}

/** A password is never kept and a confirmation must be typed, so neither has a history. */
function historyFieldOf(dialog: OpenDialog, view: ViewName): string | undefined {
	if (dialog.kind === 'filter') return `filter ${view}`;
	if (dialog.kind === 'palette') return 'palette';
	const step = dialog.kind === 'question' ? dialog.step : undefined;
	if (step?.kind === 'text') return step.field;
	return step?.kind === 'port' ? 'port' : undefined;
}

function linesOf({ scene }: ActionContext, dialog: OpenDialog): readonly string[] {
	const { lineHistories, view } = scene().screen;
	return lineHistories[historyFieldOf(dialog, view) ?? ''] ?? [];
}

export const recall = (direction: 1 | -1) => (context: ActionContext) => {
	const dialog = context.scene().dialog;
	if (!dialog || stepInRows(context, dialog, direction)) return;
	const { line, assist } = dialog.entry;
	const walk = assist?.kind === 'recall' ? assist : undefined;
	const recalled = recalledLine(linesOf(context, dialog), line, walk, direction);
	if (recalled) setLine(context, dialog, recalled.line, recalled.assist);
};

/** Returns false if the key has another meaning at this moment. */
function stepInRows(context: ActionContext, dialog: OpenDialog, direction: 1 | -1): boolean {
	const { assist } = dialog.entry;
	const stepsBelow = assist?.kind === 'rows' ? assist.steps : 0;
	const isInRows = dialog.kind === 'filter' && assist?.kind !== 'recall';
	if (!isInRows || (direction === -1 && stepsBelow === 0)) return false;
	const steps = stepsBelow + direction;
	setEntry(context, dialog, { assist: steps > 0 ? { kind: 'rows', steps } : undefined });
	look(context, step(direction));
	return true;
}

export function searchHistory(context: ActionContext) {
	const { dialog, screen } = context.scene();
	if (!dialog || historyFieldOf(dialog, screen.view) === undefined) return;
	const draft = dialog.entry.line;
	const { index = -1, ...search } = openSearchOf(dialog) ?? { kind: 'search', draft, typed: '' };
	searchFrom(context, dialog, search, index + 1);
}

function searchFrom(
	context: ActionContext,
	dialog: OpenDialog,
	search: Omit<HistorySearch, 'index'>,
	from: number,
) {
	const { line, assist } = foundLine(linesOf(context, dialog), search, from);
	setLine(context, dialog, line, assist);
}

function openSearchOf(dialog: OpenDialog | undefined): HistorySearch | undefined {
	const assist = dialog?.entry.assist;
	return assist?.kind === 'search' ? assist : undefined;
}

/** Undefined if the edit ends the search. */
function searchChangeFrom(edit: Edit): ((typed: string) => string) | undefined {
	if ('text' in edit) return typed => typed + cleanLine(edit.text);
	const isErasing = edit.type === 'erase' && edit.to !== 'right' && edit.to !== 'wordRight';
	return isErasing ? typed => withEdit(typedLineFrom(typed), edit).text : undefined;
}

export const complete = (direction: 1 | -1) => (context: ActionContext) => {
	const scene = context.scene();
	const { dialog } = scene;
	if (dialog?.kind === 'palette') {
		const { chosen } = findPaletteItems(scene);
		if (chosen)
			setLine(context, dialog, typedLineFrom(chosen.completion ?? chosen.label), undefined);
	}
	if (dialog?.kind !== 'filter') return;
	const { line, assist } = dialog.entry;
	const completing = assist?.kind === 'completion' ? assist : undefined;
	const base = completing?.base ?? line;
	const { from, to, completions } = scene.shown.filterCompletions(base);
	const { length: count } = completions;
	const first = direction === 1 ? 0 : count - 1;
	const index = completing ? (completing.index + direction + count) % count : first;
	const word = completions[index]?.word;
	if (word === undefined) return;
	const text = `${base.text.slice(0, from)}${word}${base.text.slice(to)}`;
	// The next Tab then completes what follows, such as the value after a field.
	const isFinished = count === 1 || (from < base.caret && word.endsWith(':'));
	const next: LineAssist | undefined = isFinished ? undefined : { kind: 'completion', base, index };
	setLine(context, dialog, { text, caret: from + word.length }, next);
};

export const moveInPalette = (steps: number) => (context: ActionContext) => {
	const { items, index } = findPaletteItems(context.scene());
	if (steps === -1 && index <= 0) return recall(-1)(context);
	const next = Math.max(0, Math.min(index + steps, items.length - 1));
	look(context, chooseInPalette(items[next]?.id));
};

export function openPalette(context: ActionContext) {
	const { screenStore, tableAccounts } = context;
	tableAccounts?.refresh();
	const scene = context.scene();
	const opens = isTable(scene.screen) ? undefined : chosenChoice(scene)?.opens;
	screenStore.setState({
		entry: dialogEntryFor(undefined, 'palette'),
		open: { kind: 'palette', under: opens?.type === 'computer' ? opens : undefined },
	});
	chooseFirstFound(context);
}

function chooseFirstFound(context: ActionContext) {
	look(context, chooseInPalette(findPaletteItems(context.scene()).items[0]?.id));
}

export function choose(context: ActionContext) {
	const { chosen: item } = findPaletteItems(context.scene());
	// If nothing was found, the palette keeps the typed line, so that a person can correct it.
	if (!item) return;
	if (item.isUnfinished) return complete(1)(context);
	rememberLine(context);
	context.screenStore.setState({ open: undefined });
	goToView(context, item.view);
	item.run(context);
}

const cleaned = (edit: Edit, clean: (text: string) => string): Edit =>
	edit.type === 'paste' ? { ...edit, text: clean(edit.text) } : edit;

const joinedLines = (pasted: string) => cleanLine(linesIn(pasted).join(' '));

/** Without control characters, so that a paste never submits. */
const firstLine = (pasted: string) => (linesIn(pasted)[0] ?? '').replace(/\p{Cc}/gu, '');

const linesIn = (pasted: string) => pasted.split(/[\r\n]+/).filter(Boolean);

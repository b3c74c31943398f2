import {
	fitToWidth,
	justifySpans,
	paintSpans,
	partsThatFit,
	type Span,
	widthOf,
} from '../../drawing/span.ts';
import { promptWithInput } from '../../drawing/typed-line.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Completion } from '../../foundation/term-completion.ts';
import type { ProblemParts } from '../../foundation/unknown-name.ts';
import type { Binding } from '../../keys/binding.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import type { Theme } from '../../lines/theme.ts';
import { dialogEntryFor, filterEntryFor, type LineAssist } from '../../screen/dialog-entry.ts';
import { currentFilter, isTable, type Screen } from '../../screen/screen.ts';
import { viewRows } from '../../screen/view-table.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import { historySearchPrompt } from '../phrases/history-search-text.ts';
import type { WaitLine } from '../phrases/waiting-text.ts';
import { markedText } from './marked-text.ts';

//  /▏  status: version: cpu:>80 age:<1d port: -not OR · Tab completes                            24 of 24
//  /status:er▏  error 1                                                     4 of 24  3 marked (1 hidden)
//  /statu:er▏                                              No field “statu”. Did you mean status?
//  history: er /status:error▏                                                                     1 of 24

type FilterLineOptions = { screen: Screen; width: number; theme: Theme };

/** The information beside the text of the filter. */
export type FilterLineState = {
	/** The countdown, if no other line shows it. It takes the place of everything else beside the filter. */
	countdown: WaitLine | undefined;
	matchCount: number;
	/** How many rows the view has without a filter; undefined if the title of the view already shows the number. */
	totalCount: number | undefined;
	/** How many hidden rows the filter may match once they are read. */
	notReadCount?: number | undefined;
	problem: string | undefined;
	problemParts?: ProblemParts | undefined;
	/** The place of the wrong word in the filter. */
	problemAt?: { from: number; to: number } | undefined;
	hiddenMarkCount: number;
};

const minFilterWidth = 11;

/** Draws the line into which a filter is typed, with what can be typed next and how many rows match. */
export function filterLine(
	{ screen, width, theme }: FilterLineOptions,
	shown: Pick<VisibleRows, 'filterCompletions'>,
	state: FilterLineState,
	bindings: readonly Binding[],
): string {
	const { line, assist } = filterEntryFor(screen.entry, currentFilter(screen));
	const minRoom = minFilterRoom(line.text, width, theme);
	const problem = shownProblem(state, width - minRoom, theme);
	const result = resultSpans(screen, { ...state, problem });
	const right = fitToWidth(result, Math.min(widthOf(result, theme), width - minRoom), theme);
	const room = Math.max(minFilterWidth, width - widthOf(right, theme) - 2);
	const wrong = state.problemAt && ({ ...state.problemAt, tone: 'bad' } as const);
	const typed = promptWithInput(promptSpans(assist), [line, undefined, wrong], room, theme);
	const hintRoom = room - widthOf(typed, theme) - hintGap.length;
	const hints = hintRoom > 0 ? hintSpans(screen, shown, bindings, hintRoom, theme) : [];
	const left = hints.length > 0 ? [...typed, [hintGap] as const, ...hints] : typed;
	return paintSpans(justifySpans(left, right, width, theme), theme);
}

/** A long problem is cut, so that up to half of the line shows the filter with its prompt and caret. */
const minFilterRoom = (text: string, width: number, { ruler }: Theme) =>
	Math.max(minFilterWidth, Math.min(ruler.width(text) + 5, Math.floor(width / 2)));

/** Returns the problem with the filter, without its hint if there is no room for it. */
function shownProblem(
	{ problem, problemParts }: Pick<FilterLineState, 'problem' | 'problemParts'>,
	room: number,
	{ ruler }: Theme,
): string | undefined {
	if (problem === undefined || ruler.width(problem) + 2 <= room) return problem;
	return problemParts?.why ?? problem;
}

/** Draws the line in which the keys of the help are filtered. */
export function helpFilterLine(
	{ screen, width, theme }: FilterLineOptions,
	countdown: WaitLine | undefined,
): string {
	const { line } = dialogEntryFor(screen.entry, 'helpFilter', screen.help.filter);
	const end = countdown === undefined ? [] : countdownSpans(countdown);
	const right = fitToWidth(
		end,
		Math.min(widthOf(end, theme), Math.max(0, width - minFilterWidth)),
		theme,
	);
	const room = width - 2 - widthOf(right, theme);
	const typed = promptWithInput(promptSpans(undefined), [line], room, theme);
	return paintSpans(justifySpans(typed, right, width, theme), theme);
}

const hintGap = '  ';

function promptSpans(assist: LineAssist | undefined): readonly Span[] {
	const prompt: readonly Span[] = [['/', 'accent']];
	return [[' '], ...(assist?.kind === 'search' ? historySearchPrompt(assist, prompt) : prompt)];
}

/** Writes a countdown beside a field. There is no room to say how a held countdown goes on. */
const countdownSpans = ({ begin, end }: WaitLine): readonly Span[] => [
	[` ${begin}${end} `, 'busy'],
];

function resultSpans(screen: Screen, state: FilterLineState): readonly Span[] {
	const { countdown, matchCount, totalCount, notReadCount, problem, hiddenMarkCount } = state;
	if (countdown !== undefined) return countdownSpans(countdown);
	if (problem !== undefined) return [[` ${problem} `, 'bad']];
	const marked: readonly Span[] =
		screen.marks.size > 0 && isTable(screen)
			? [[` ${markedText(screen.marks.size, hiddenMarkCount)} `, 'mark']]
			: [];
	const total = totalCount === undefined ? 'shown' : `of ${countText(totalCount)}`;
	const count = `${countText(matchCount)} ${total}${notReadNote(notReadCount)}`;
	return [[` ${count} `, 'faint'], ...marked];
}

export const notReadNote = (count = 0) => (count > 0 ? `, ${countText(count)} not read yet` : '');

// The fields that are used most. Tab leads to all of them.
const emptyLineHints = [
	'words',
	'status:',
	'version:',
	'cpu:>80',
	'age:<1d',
	'port:',
	'-not',
	'OR',
];

/**
 * Draws what can be typed next: the most useful fields on an empty line, and otherwise the completions of the word at
 * the caret.
 */
function hintSpans(
	screen: Screen,
	{ filterCompletions }: Pick<VisibleRows, 'filterCompletions'>,
	bindings: readonly Binding[],
	room: number,
	theme: Theme,
): readonly Span[] {
	const { line, assist } = filterEntryFor(screen.entry, currentFilter(screen));
	if (assist?.kind === 'search') return [];
	if (line.text === '') {
		const { filterHints = emptyLineHints } = viewRows[screen.view];
		return partsThatFit(emptyHints(filterHints, bindings), ' ', room, theme);
	}
	// An earlier filter stays in the field, so a person who begins another one needs the key that erases it.
	const eraseKey = screen.entry?.id === 'filter' ? undefined : shownKeyOf(bindings, 'eraseLine');
	if (eraseKey !== undefined) {
		const hints = [`${eraseKey} clears`, 'Esc keeps it as it was'];
		const parts = hints.map((hint): readonly Span[] => [[hint, 'faint']]);
		return partsThatFit(parts, ` ${theme.glyphs.separator} `, room, theme);
	}
	const base = assist?.kind === 'completion' ? assist.base : line;
	const chosen = assist?.kind === 'completion' ? assist.index : -1;
	const { from, to, completions } = filterCompletions(base);
	// A space after a word begins another word. The fields are offered only once a letter is typed.
	if (from === to) return [];
	const [only, ...others] = completions;
	const isComplete = others.length === 0 && only?.word === base.text.slice(from, to);
	if (isComplete) return [];
	// After a typed field, its values stand without the field, so that more of them fit.
	const [field = ''] = /^-?[a-z]+:/i.exec(base.text.slice(from, base.caret)) ?? [];
	const isOfField = completions.every(({ word }) => word.startsWith(field));
	const parts = completions.map((each, at): readonly Span[] => [
		[completionText(each).slice(isOfField ? field.length : 0), at === chosen ? 'accent' : 'faint'],
	]);
	// If not all completions fit, the chosen completion stays in view.
	const firstPart = Math.max(0, chosen - 2);
	return partsThatFit(parts.slice(firstPart), gapBetweenHints, room, theme);
}

/** If no computer matches the typed filter, suggests the first completion that some computer matches. */
export function completionSuggestion(
	screen: Screen,
	{ rows, filterCompletions }: Pick<VisibleRows, 'rows' | 'filterCompletions'>,
	bindings: readonly Binding[],
): string | undefined {
	if (!screen.isFiltering || rows.length > 0) return undefined;
	const key = shownKeyOf(bindings, 'complete');
	if (key === undefined) return undefined;
	const { line, assist } = filterEntryFor(screen.entry, currentFilter(screen));
	if (assist?.kind === 'search') return undefined;
	const [first] = filterCompletions(line).completions.filter(({ count = 0 }) => count > 0);
	return first && `${key}: ${first.word} (${countText(first.count ?? 0)})`;
}

const gapBetweenHints = '  ';

const completionText = ({ word, count }: Completion) =>
	count === undefined ? word : `${word} ${countText(count)}`;

function emptyHints(
	fields: readonly string[],
	bindings: readonly Binding[],
): readonly (readonly Span[])[] {
	const keys = [
		['complete', 'completes'],
		['olderFilter', 'earlier filters'],
	] as const;
	const keyHints = keys.flatMap(([action, effect]) => {
		const key = shownKeyOf(bindings, action);
		return key === undefined ? [] : [`· ${key} ${effect}`];
	});
	return [...fields, ...keyHints].map((hint): readonly Span[] => [[hint, 'faint']]);
}

import type { Completion } from '../../fleet/filters/completion.ts';
import { countText } from '../../foundation/number-text.ts';
import { cellsOf } from '../../lines/measure.ts';
import { fitList, joinedParts, type Part, partsThatFit } from '../../lines/parts.ts';
import { justify, type Span, widthOf } from '../../lines/span.ts';
import { typedLine } from '../../lines/typed.ts';
import { keyHints } from '../dialogs/dialog.ts';
import { shownKeyOf } from '../keys.ts';
import { hiddenMarkCount } from '../look/moves.ts';
import { currentFilter, helpOf, isTable } from '../look/screen.ts';
import { type DialogEntry, dialogEntryFor, filterEntryFor } from '../look/typed-line.ts';
import { viewRows } from '../look/view-table.ts';
import { historyPrompt } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';
import type { FrameScene } from './frame-scene.ts';
import { countdownParts } from './messages.ts';
import { notReadNote } from './rules.ts';

//  /▏  status: version: cpu:>80 age:<1d port: -not OR · Tab completes                            24 of 24
//  /status:er▏  error 1                                                     4 of 24  3 marked (1 hidden)
//  /statu:er▏                                              No field “statu”. Did you mean status?
//  history: er /status:error▏                                                                     1 of 24

const minTypedCells = 11;

export function filterLine(scene: FrameScene): readonly Span[] {
	const { screen, width } = scene;
	const help = helpOf(screen);
	const isOfHelp = help.isFiltering;
	const { line, assist } = isOfHelp
		? dialogEntryFor(screen.entry, 'helpFilter', help.filter)
		: filterEntryFor(screen.entry, currentFilter(screen));
	const minTyped = Math.max(minTypedCells, Math.min(cellsOf(line.text) + 5, Math.floor(width / 2)));
	const right = joinedParts(partsThatFit(resultParts(scene), width - minTyped, ''));
	const begin = historyPrompt(assist, [['/', 'accent']]);
	const { problemAt } = scene.mistake;
	const part = isOfHelp || !problemAt ? undefined : ({ ...problemAt, tone: 'bad' } as const);
	const room = width - widthOf(right) - 2;
	const typed = typedLine([[' '], ...begin], { ...line, part }, room);
	const hintRoom = room - widthOf(typed) - 2;
	const hints = isOfHelp || hintRoom < 1 ? [] : hintsAfter({ line, assist }, hintRoom, scene);
	return justify([...typed, ['  '], ...hints], right, width);
}

/** The countdown comes first if no other line has room for it, and then the problem. */
export function resultParts(scene: FrameScene): readonly Part[] {
	const { screen, shown, layout, mistake } = scene;
	const countdown = layout.hasActivity ? undefined : countdownParts(scene);
	const margin: Part = { drop: 0, spans: [[' ']] };
	if (countdown) return [margin, ...countdown, margin];
	if (helpOf(screen).isFiltering) return [];
	const { problem, problemParts } = mistake;
	if (problem !== undefined) {
		const { why, hint } = problemParts ?? { why: problem, hint: [] };
		const advice = hint.length > 0 ? ` ${hint.join(', ')}` : '';
		return [
			margin,
			{ drop: 0, min: 10, spans: [[why, 'bad']] },
			{ drop: 1, min: 14, spans: [[advice, 'bad']] },
			margin,
		];
	}
	// The title of another view shows how many lines there are.
	const total = isTable(screen) ? `of ${countText(shown.allRows.length)}` : 'shown';
	const marked = isTable(screen) ? markedText(scene) : '';
	return [
		margin,
		{ drop: 0, spans: [[`${countText(scene.matchCount)} ${total}`, 'faint']] },
		{ drop: 2, spans: [[notReadNote(scene.notReadCount), 'faint']] },
		{ drop: 1, spans: marked === '' ? [] : [['  '], [marked, 'mark']] },
		margin,
	];
}

export function markedText({ screen, shown }: Pick<Scene, 'screen' | 'shown'>): string {
	if (screen.marks.size === 0) return '';
	const hidden = hiddenMarkCount(screen, shown);
	const marked = `${countText(screen.marks.size)} marked`;
	return hidden > 0 ? `${marked} (${countText(hidden)} hidden)` : marked;
}

const usualHints = ['words', 'status:', 'version:', 'cpu:>80', 'age:<1d', 'port:', '-not', 'OR'];

const faint = (text: string): readonly Span[] => [[text, 'faint']];

function hintsAfter(
	{ line, assist }: Pick<DialogEntry, 'line' | 'assist'>,
	room: number,
	{ screen, actions, completions: completionsOf }: FrameScene,
): readonly Span[] {
	if (assist?.kind === 'search') return [];
	if (line.text === '') {
		const { filterHints = usualHints } = viewRows[screen.view];
		const keys = keyHints(actions, [
			['complete', 'completes'],
			['olderFilter', 'earlier filters'],
		]);
		return fitList([...filterHints, ...keys.map(hint => `· ${hint}`)].map(faint), room, ' ');
	}
	// An earlier filter stays in the field, so a person who begins another one needs the key that erases it.
	const erase = screen.entry?.id === 'filter' ? [] : keyHints(actions, [['eraseLine', 'clears']]);
	if (erase.length > 0)
		return fitList([...erase, 'Esc keeps it as it was'].map(faint), room, ' · ');
	const { base, index } = assist?.kind === 'completion' ? assist : { base: line, index: -1 };
	const { from, to, completions } = completionsOf(base);
	const [only, ...others] = completions;
	// The fields are offered only once a letter is typed.
	if (from === to || (others.length === 0 && only?.word === base.text.slice(from, to))) return [];
	// After a typed field, its values stand without the field, so that more of them fit.
	const [field = ''] = /^-?[a-z]+:/i.exec(base.text.slice(from, base.caret)) ?? [];
	const skipped = completions.every(({ word }) => word.startsWith(field)) ? field.length : 0;
	const items = completions.map((each, at): readonly Span[] => [
		[completionText(each).slice(skipped), at === index ? 'accent' : 'faint'],
	]);
	// The chosen completion stays in sight.
	return fitList(items.slice(Math.max(0, index - 2)), room, '  ');
}

const completionText = ({ word, count }: Completion) =>
	count === undefined ? word : `${word} ${countText(count)}`;

export function completionSuggestion({ screen, shown, actions }: Scene): string | undefined {
	const key = shownKeyOf(actions, 'complete');
	const { line, assist } = filterEntryFor(screen.entry, currentFilter(screen));
	if (screen.open?.kind !== 'filter' || shown.rows.length > 0 || key === undefined)
		return undefined;
	if (assist?.kind === 'search') return undefined;
	const { completions } = shown.filterCompletions(line);
	const first = completions.find(({ count = 0 }) => count > 0);
	return first && `${key}: ${first.word} (${countText(first.count ?? 0)})`;
}

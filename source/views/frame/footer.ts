import { orderFields, orderRows } from '../../fleet/computers/fields.ts';
import type { Completion } from '../../fleet/filters/completion.ts';
import { countText } from '../../foundation/number-text.ts';
import {
	fitList,
	fitParts,
	joinedParts,
	type Part,
	part,
	partsThatFit,
	rightPart,
} from '../../lines/parts.ts';
import { spokenSpans } from '../../lines/print.ts';
import { cellsOf, justify, type Span, textOf, widthOf } from '../../lines/span.ts';
import { typedLine } from '../../lines/typed.ts';
import { keyHints } from '../dialogs/dialog.ts';
import { orderActionOf, shownKeyOf } from '../keys.ts';
import { hiddenMarkCount } from '../look/moves.ts';
import { currentFilter, filterEntryOf, helpOf, isTable } from '../look/screen.ts';
import { type DialogEntry, dialogEntryFor } from '../look/typed-line.ts';
import { viewRows } from '../look/view-table.ts';
import { isTableShown } from '../open-text.ts';
import { filterName, historyPrompt } from '../phrases/words.ts';
import type { Action, Scene } from '../scene.ts';
import { hintsOf } from './hints.ts';
import { countdownParts, messageLine } from './messages.ts';
import {
	frameWidth,
	matchCountOf,
	notReadNote,
	positionText,
	replayStateSpan,
	shownFilterMistake,
} from './rules.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  Enter open  / filter  Space mark  o order │ x stop  r restart │ : anything  Tab views  ? help  q quit       3 marked

/** On a low screen, what happens takes the place of the keys. */
export function footerLines(scene: Scene): readonly (readonly Span[])[] {
	const { screen, layout } = scene;
	const isFiltering = helpOf(screen).isFiltering || screen.open?.kind === 'filter';
	const messages = messageLine(scene.live ?? scene);
	if (!layout.hasActivity && messages && !isFiltering) return [messages];
	const keys = isFiltering
		? filterLine(scene)
		: screen.open?.kind === 'order'
			? orderMenuLine(scene)
			: hintsLine(scene);
	return layout.hasActivity ? [messages ?? [], keys] : [keys];
}

function hintsLine(scene: Scene): readonly Span[] {
	const { screen, layout, replay, width } = scene;
	const filter = currentFilter(screen);
	const isFilterShown = layout.hasRuleAbove || isTableShown(scene) || filter === '';
	// The header says the time of the past as well.
	const stateDrop = scene.live ? 1 : 0;
	const state: readonly Part[] = [
		{
			drop: stateDrop,
			spans: replay && !layout.hasRuleBelow ? [replayStateSpan(replay, scene)] : [],
		},
		part(0, markedText(scene), 'mark'),
		part(0, isFilterShown ? '' : `/${filterName(filter)}`, 'accent'),
		part(0, layout.hasRuleBelow ? '' : positionText(scene), 'faint'),
	];
	const shown = state.filter(({ spans }) => textOf(spans) !== '');
	const parts = [...hintsOf(scene), ...shown.map(each => ({ ...each, isRight: true }))];
	const margin = shown.length > 0 ? ' ' : '';
	const gap = { within: '  ', groups: [' │ ', 'faint'] } as const;
	return [[' '], ...fitParts(parts, width - 1 - margin.length, gap), [margin]];
}

function orderMenuLine({ screen, actions, accounts, width }: Scene): readonly Span[] {
	const { by } = screen.orderings.fleet;
	const choices = orderChoices(actions, accounts.length > 1).flatMap(
		({ field, key }, at): readonly Part[] => {
			const { label, short = label } = orderRows[field];
			const tone = field === by ? 'strong' : 'faint';
			return [part(1, ` ${key}`, 'accent'), part(at + 3, ` ${short}`, tone)];
		},
	);
	const parts: readonly Part[] = [
		part(30, ' Order by', 'strong'),
		...choices,
		rightPart(0, `  ${shownKeyOf(actions, 'back') ?? ''}`, 'faint'),
		rightPart(29, ' closes', 'faint'),
	];
	return fitParts(parts, width, '');
}

const orderChoices = (actions: readonly Action[], hasSeveralAccounts: boolean) =>
	orderFields.flatMap(field => {
		const key = shownKeyOf(actions, orderActionOf(field));
		return key === undefined || (field === 'account' && !hasSeveralAccounts)
			? []
			: [{ field, key }];
	});

export const orderChoicesText = (actions: readonly Action[], hasSeveralAccounts = true) =>
	orderChoices(actions, hasSeveralAccounts)
		.map(({ field, key }) => `${key} ${orderRows[field].label}`)
		.join(', ');

export const orderMenuText = (actions: readonly Action[]) =>
	`Order by: ${orderChoicesText(actions)}.`;

// The filter

//  /▏  status: version: cpu:>80 age:<1d port: -not OR · Tab completes                            24 of 24
//  /status:er▏  error 1                                                     4 of 24  3 marked (1 hidden)
//  /statu:er▏                                              No field “statu”. Did you mean status?
//  history: er /status:error▏                                                                     1 of 24

const minTypedCells = 11;

function filterLine(scene: Scene): readonly Span[] {
	const { screen, width } = scene;
	const help = helpOf(screen);
	const isOfHelp = help.isFiltering;
	const { line, assist } = isOfHelp
		? dialogEntryFor(screen.entry, 'helpFilter', help.filter)
		: filterEntryOf(screen);
	const minTyped = Math.max(minTypedCells, Math.min(cellsOf(line.text) + 5, Math.floor(width / 2)));
	const right = joinedParts(partsThatFit(resultParts(scene), width - minTyped, ''));
	const begin = historyPrompt(assist, [['/', 'accent']]);
	const problemAt = shownFilterMistake(scene)?.problemAt;
	const part = isOfHelp || !problemAt ? undefined : ({ ...problemAt, tone: 'bad' } as const);
	const room = width - widthOf(right) - 2;
	const typed = typedLine([[' '], ...begin], { ...line, part }, room);
	const hintRoom = room - widthOf(typed) - 2;
	const hints = isOfHelp || hintRoom < 1 ? [] : hintsAfter({ line, assist }, hintRoom, scene);
	return justify([...typed, ['  '], ...hints], right, width);
}

function resultParts(scene: Scene): readonly Part[] {
	const { screen, shown, layout } = scene;
	const countdown = layout.hasActivity ? undefined : countdownParts(scene);
	const margin = part(0, ' ');
	if (countdown) return [margin, ...countdown, margin];
	if (helpOf(screen).isFiltering) return [];
	const mistake = shownFilterMistake(scene);
	if (mistake) {
		const { why, hint } = mistake.problemParts ?? { why: mistake.problem, hint: [] };
		const advice = hint.length > 0 ? ` ${hint.join(', ')}` : '';
		return [
			margin,
			{ ...part(0, why, 'bad'), min: 10 },
			{ ...part(1, advice, 'bad'), min: 14 },
			margin,
		];
	}
	const total = isTable(screen) ? `of ${countText(shown.allRows.length)}` : 'shown';
	const [marked, hidden] = isTable(screen) ? markedTexts(scene) : ['', ''];
	return [
		margin,
		part(0, `${countText(matchCountOf(scene))} ${total}`, 'faint'),
		part(2, notReadNote(scene), 'faint'),
		part(1, marked && `  ${marked}`, 'mark'),
		part(3, hidden, 'mark'),
		margin,
	];
}

function markedTexts({ screen, shown }: Pick<Scene, 'screen' | 'shown'>) {
	if (screen.marks.size === 0) return ['', ''] as const;
	const hidden = hiddenMarkCount(screen, shown);
	const note = hidden > 0 ? ` (${countText(hidden)} hidden)` : '';
	return [`${countText(screen.marks.size)} marked`, note] as const;
}

export const markedText = (scene: Pick<Scene, 'screen' | 'shown'>): string =>
	markedTexts(scene).join('');

const usualHints = ['words', 'status:', 'version:', 'cpu:>80', 'age:<1d', 'port:', '-not', 'OR'];

const faint = (text: string): readonly Span[] => [[text, 'faint']];

function hintsAfter(
	{ line, assist }: Pick<DialogEntry, 'line' | 'assist'>,
	room: number,
	scene: Scene,
): readonly Span[] {
	const { screen, shown, actions } = scene;
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
	const { from, to, completions } = shown.filterCompletions(base);
	const [only, ...others] = completions;
	// The fields are offered only once a letter is typed.
	if (from === to || (others.length === 0 && only?.word === base.text.slice(from, to))) return [];
	// After a typed field, its values stand without the field, so that more of them fit.
	const [field = ''] = /^-?[a-z]+:/i.exec(base.text.slice(from, base.caret)) ?? [];
	const skipped = completions.every(({ word }) => word.startsWith(field)) ? field.length : 0;
	const items = completions.map((each, at): readonly Span[] => [
		[completionText(each).slice(skipped), at === index ? 'accent' : 'faint'],
	]);
	return fitList(items.slice(Math.max(0, index - 2)), room, '  ');
}

const completionText = ({ word, count }: Completion) =>
	count === undefined ? word : `${word} ${countText(count)}`;

export function completionSuggestion({ screen, shown, actions }: Scene): string | undefined {
	const key = shownKeyOf(actions, 'complete');
	const { line, assist } = filterEntryOf(screen);
	const isTyping = screen.open?.kind === 'filter' && assist?.kind !== 'search';
	if (!isTyping || shown.rows.length > 0 || key === undefined) return undefined;
	const { completions } = shown.filterCompletions(line);
	const first = completions.find(({ count = 0 }) => count > 0);
	return first && `${key}: ${first.word} (${countText(first.count ?? 0)})`;
}

export const spokenResult = (scene: Scene): string =>
	spokenSpans(joinedParts(resultParts({ ...scene, width: frameWidth })));

import {
	computerFilter,
	orderFieldFrom,
	orderRows,
	troubleFirst,
} from '../../fleet/computers/fields.ts';
import type { ListNotes } from '../../fleet/fact.ts';
import { type FilterMistake, filterFrom } from '../../fleet/filters/filter.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import { fitParts, joinedParts, type Part, part, rightPart } from '../../lines/parts.ts';
import { justify, ruleFill, type Span, widthOf } from '../../lines/span.ts';
import { compactDuration, timeText, timeTextWithSeconds } from '../../lines/time-text.ts';
import { isSignInFailure, outageOf } from '../../store/freshness.ts';
import { computersOf, type OpenedAccount } from '../../store/selectors.ts';
import { hiddenUnreadCount } from '../fleet/rows.ts';
import { keyHint } from '../keys.ts';
import { tableWidth } from '../layout.ts';
import {
	currentFilter,
	currentOrdering,
	filterEntryOf,
	isHelpOpen,
	isMap,
	isTable,
} from '../look/screen.ts';
import { viewRows } from '../look/view-table.ts';
import { isTableShown, openText } from '../open-text.ts';
import { troubleLabel } from '../phrases/reads.ts';
import { roundedUpToSeconds } from '../phrases/waiting.ts';
import { filterName, pluralize } from '../phrases/words.ts';
import type { ReplayState, Scene } from '../scene.ts';

// ─ trouble first ─────────────────────────────────────────────────────────── 1,000 computers ─
// ─ by CPU ▼ ────────────────────────────────────────────────────────── /-test  996 of 1,000 ─
// ━ OFFLINE for 3 m 04 s · what you see was true at 00:21:07 · next try in 12 s (R tries now) ━
// ── 3 records could not be read ────────────────────────────────────────── 12–34 of 1,000 ──
// ── looking back  2026-11-21 08:14:07  only status, stage and version are known ────── 12m of 1h 4m ──
// ── replay at 16x  2026-11-21 08:14:07  ──────────────────────────────────────── 12m of 1h 4m ──

export function alarmRules(scene: Scene): readonly (readonly Span[])[] {
	const { screen, live, width } = scene;
	const now = live ? { ...live, width } : scene;
	if (now.replay) return [];
	const filter = currentFilter(screen) === '' ? [] : joinedParts(filterParts(scene));
	// The layout of the past has no extra rules.
	const silent = silentAccounts(now.accounts, now.now).slice(0, live ? 1 : maxAlarms);
	return silent.map(each => alarm(each, filter, now, live !== undefined));
}

const maxAlarms = 4;

const silentAccounts = (accounts: readonly OpenedAccount[], now: number) =>
	accounts.filter(({ state }) => outageOf(state, now) !== undefined).slice(0, maxAlarms);

/** The first alarm takes no line from the view. */
export const extraRuleCount = (accounts: readonly OpenedAccount[], now: number) =>
	Math.max(0, silentAccounts(accounts, now).length - 1);

function alarm(
	{ profile, state }: OpenedAccount,
	filter: readonly Span[],
	{ accounts, actions, canSignIn, width, times, now }: Scene,
	isInPast: boolean,
): readonly Span[] {
	const cause = outageOf(state, now);
	if (!cause) return [];
	const { lastAnswerAt } = cause;
	const name = accounts.length > 1 ? `${profile.name}: ` : '';
	const label = `${name}${troubleLabel(cause).toUpperCase()}`;
	const isRefused = isSignInFailure(cause);
	const left = (cause.retryAt ?? now) - now;
	const nextTry = left > 0 ? `next try in ${times.clock(roundedUpToSeconds(left))}` : 'trying now';
	// No key can make the next read earlier while the rate limit is used up.
	const isLimited = cause.streak.failure.kind === 'limited';
	const mayTry = !(isRefused || isLimited || left <= 0 || isInPast);
	const signIn = canSignIn && keyHint({ actions }, 'signIn', 'signs in');
	// What an earlier run has read says nothing about the time in between.
	const isOfThisRun = state.reads.list?.answer?.every !== undefined;
	const since = lastAnswerAt && (isOfThisRun ? lastAnswerAt : cause.streak.firstAskedAt);
	const duration = since === undefined ? '' : ` for ${times.clock(now - since)}`;
	const truth =
		lastAnswerAt === undefined || isInPast ? '' : timeTextWithSeconds(lastAnswerAt, now);
	// The outage is more important than a long filter.
	const hasFilter = filter.length > 0 && widthOf(filter) <= width / 3;
	const parts: readonly Part[] = [
		part(0, `━ ${label}${duration}`, 'busy'),
		part(1, ' · ', 'busy'),
		part(4, truth && 'what you see was ', 'busy'),
		part(3, truth && `true at ${truth} · `, 'busy'),
		part(1, isRefused ? signIn || 'crowsnest doctor says why' : nextTry, 'busy'),
		part(2, mayTry ? keyHint({ actions }, 'readNow', 'tries now)', ' (') : '', 'busy'),
		part(0, ' ━', 'busy'),
		{ drop: 0, isRight: true, spans: hasFilter ? [[' '], ...filter, [' ━', 'busy']] : [] },
	];
	return fitParts(parts, width, '', ['━', 'busy']);
}

/** The order comes last, so that "24 computers, trouble first" cannot be heard as 24 computers in trouble. */
export const spokenViewRule = (scene: Scene): readonly Span[] => [
	...joinedParts(filterParts(scene)),
	[`  ${orderOf(scene) ?? ''}`],
];

export function viewRule(scene: Scene): readonly Span[] {
	const order = orderOf(scene);
	const right = filterParts(scene).map(each => ({ ...each, isRight: true }));
	const hasRight = right.some(({ spans }) => widthOf(spans) > 0);
	const parts: readonly Part[] = [
		part(5, order === undefined ? '' : `─ ${order} `, 'faint'),
		...(hasRight ? [rightPart(0, ' '), ...right, rightPart(0, ' ─', 'faint')] : []),
	];
	return fitParts(parts, scene.width, '', ruleFill);
}

/** The map has its own groups, the details are of one computer, and the titles of the other tables say their order. */
function orderOf({ screen }: Scene): string | undefined {
	const hasOrder = isTable(screen) && !isHelpOpen(screen) && !screen.isDetailOpen && !isMap(screen);
	const ordering = hasOrder ? currentOrdering(screen) : undefined;
	if (!ordering) return undefined;
	const { by, isReversed } = ordering;
	const groups = isTable(screen) && screen.grouping ? `grouped by ${screen.grouping}, ` : '';
	if (by === troubleFirst.by) return `${groups}trouble first`;
	const field = orderFieldFrom(by);
	return `${groups}by ${field ? orderRows[field].label : by}${isReversed ? ' ▼' : ''}`;
}

function filterParts(scene: Scene): readonly Part[] {
	const { screen, counts, shown, account } = scene;
	const filter = isHelpOpen(screen) ? '' : currentFilter(screen);
	const isListed = shown.allRows.length > 0 || account.reads.list?.answer !== undefined;
	const hasCount = isTable(screen) && !isHelpOpen(screen) && !screen.isDetailOpen && isListed;
	const total = pluralize(counts.total, 'computer');
	if (filter === '') return [part(1, hasCount ? total : '', 'faint')];
	// A number would look as if a filter with a mistake were applied.
	const isWrong = shownFilterMistake(scene) !== undefined;
	const count = `  ${countText(matchCountOf(scene))} of ${countText(counts.total)}`;
	return [
		{ drop: 1, min: 10, spans: [[`/${filterName(filter)}`, isWrong ? 'bad' : 'accent']] },
		isWrong ? part(2, '  not understood', 'bad') : part(2, hasCount ? count : ''),
		part(3, hasCount && !isWrong ? notReadNote(scene) : ''),
	];
}

export function positionText(scene: Scene): string {
	const { screen, shown, firstRow, layout } = scene;
	const total = isTableShown(scene) && !isMap(screen) ? shown.lines.length : 0;
	if (total <= layout.tableRowCount) return '';
	const last = Math.min(firstRow + layout.tableRowCount, total);
	const unit = screen.grouping ? 'lines ' : '';
	return `${unit}${countText(firstRow + 1)}–${countText(last)} of ${countText(total)}`;
}

export function ruleBelow(scene: Scene): readonly Span[] {
	const { width, replay } = scene;
	if (replay) return replayRule(replay, scene);
	const position = positionText(scene);
	const note = listNote(scene);
	const left: readonly Span[] = note === '' ? [] : [['── ', 'faint'], [note, 'busy'], [' ']];
	const right: readonly Span[] = position === '' ? [] : [[` ${position} ──`, 'faint']];
	return justify(justify(left, right, tableEnd(scene), ruleFill), [], width, ruleFill);
}

export function listNote({ accounts }: Pick<Scene, 'accounts'>): string {
	const notes = {
		unreadable: listNoteCount(accounts, 'unreadable'),
		repeated: listNoteCount(accounts, 'repeated'),
		isCut: accounts.some(({ state }) => state.listNotes.isCut),
	};
	return textsOfListNotes(notes)[0] ?? '';
}

export const listNoteCount = (
	accounts: readonly OpenedAccount[],
	name: 'unreadable' | 'repeated',
): number => accounts.reduce((sum, { state }) => sum + (state.listNotes[name] ?? 0), 0);

export const textsOfListNotes = ({ unreadable = 0, repeated = 0, isCut }: ListNotes) =>
	[
		unreadable > 0 ? `${pluralize(unreadable, 'record')} could not be read` : '',
		repeated > 0 ? `${pluralize(repeated, 'record')} had the id of another` : '',
		isCut ? 'the list does not end, so more was not read' : '',
	].filter(text => text !== '');

function replayRule(replay: ReplayState, scene: Scene): readonly Span[] {
	const { time, start, end } = replay;
	// A recording is seldom from today, so the time always has its date.
	const date = timeText(time, Infinity).split(' ')[0];
	const [state, tone] = replayStateSpan(replay, scene);
	const known = scene.live ? 'only status, stage and version are known ' : '';
	const parts: readonly Part[] = [
		part(0, '── ', 'faint'),
		part(0, scene.live ? state : state.padEnd('replay paused at 16x '.length), tone),
		part(2, `  ${date}`, 'strong'),
		part(1, ` ${timeTextWithSeconds(time, time)}`, 'strong'),
		part(1, '  '),
		part(4, known, 'faint'),
		rightPart(3, ` ${compactDuration(time - start)} of ${compactDuration(end - start)} `),
		rightPart(0, '──', 'faint'),
	];
	return fitParts(parts, scene.width, '', ruleFill);
}

export function replayStateSpan(
	{ speed, isPaused, isOver }: ReplayState,
	{ live }: Pick<Scene, 'live'>,
): Span {
	if (live) return ['looking back', 'busy'];
	const word = isOver ? 'ended' : `${isPaused ? 'paused ' : ''}at ${speed}x`;
	return [`replay ${word}`, isOver || isPaused ? 'busy' : 'good'];
}

// What these lines, and those below the view, say about it

export function tableEnd(scene: Scene): number {
	const isBesideText = isTableShown(scene) && openText(scene);
	return isBesideText ? tableWidth(scene.screen, scene.width) : scene.width;
}

export const matchCountOf = (scene: Scene): number =>
	isTable(scene.screen)
		? scene.shown.rows.length - scene.shown.keptIds.size
		: (scene.shown.choiceList()?.choices.length ?? 0);

export function notReadNote({ screen, shown }: Scene): string {
	const count = hiddenUnreadCount(screen, shown);
	return count > 0 ? `, ${countText(count)} not read yet` : '';
}

/** For the ear: the cells of a line that has two ends. In a line of a view, nothing is cut. */
export const frameWidth = 1000;

export function filterMistake({
	shown,
	screen,
}: Pick<Scene, 'shown' | 'screen'>): FilterMistake | undefined {
	const filter = currentFilter(screen);
	if (!isTable(screen)) return viewRows[screen.view].filterMistake?.(filter);
	return filterFrom(filter, computerFilter, computersOf(shown.allRows)).mistake;
}

/** A field whose value a person is about to type, as in `/status:▏`, is no mistake yet. */
export const shownFilterMistake = memoize((scene: Scene): FilterMistake | undefined => {
	const { open } = scene.screen;
	const mistake = filterMistake(scene);
	if (open?.kind !== 'filter' || !mistake?.problemAt) return mistake;
	const { line, problem } = filterEntryOf(scene.screen);
	const { text, caret } = line;
	const isUnfinished = caret === mistake.problemAt.to && /:[<>=]*$/.test(text.slice(0, caret));
	// Enter has refused the filter, which then has a problem.
	return isUnfinished && problem === undefined ? undefined : mistake;
});

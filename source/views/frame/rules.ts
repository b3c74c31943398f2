import { orderFieldFrom, orderRows, troubleFirst } from '../../fleet/computers/fields.ts';
import { countText } from '../../foundation/number-text.ts';
import { bar } from '../../lines/bar.ts';
import { fitParts, joinedParts, type Part } from '../../lines/parts.ts';
import { justify, ruleFill, type Span, widthOf } from '../../lines/span.ts';
import { compactDuration, timeText, timeTextWithSeconds } from '../../lines/time-text.ts';
import { isSignInFailure, outageOf } from '../../store/freshness.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import { currentFilter, currentOrdering, isHelpOpen, isMap, isTable } from '../look/screen.ts';
import { troubleLabel } from '../phrases/reads.ts';
import { roundedUpToSeconds } from '../phrases/waiting.ts';
import { filterName, pluralize } from '../phrases/words.ts';
import type { ReplayState, Scene } from '../scene.ts';
import type { FrameScene } from './frame-scene.ts';

// ─ trouble first ─────────────────────────────────────────────────────────── 1,000 computers ─
// ─ by CPU ▼ ────────────────────────────────────────────────────────── /-test  996 of 1,000 ─
// ━ OFFLINE for 3 m 04 s · what you see was true at 00:21:07 · next try in 12 s (R tries now) ━
// ── 3 records could not be read ────────────────────────────────────────── 12–34 of 1,000 ──
// ── replay at 16x  2026-11-21 08:14:07  ━━━━━━━━━━━━╸─────────────────────────── 12m of 1h 4m ──

export function alarmRules(scene: FrameScene): readonly (readonly Span[])[] {
	const { accounts, screen, now, replay } = scene;
	const filter = currentFilter(screen) === '' ? [] : joinedParts(filterParts(scene));
	return replay ? [] : silentAccounts(accounts, now).map(each => alarm(each, filter, scene));
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
	{ accounts, canSignIn, width, times, now }: Scene,
): readonly Span[] {
	const cause = outageOf(state, now);
	if (!cause) return [];
	const { lastAnswerAt } = cause;
	const name = accounts.length > 1 ? `${profile.name}: ` : '';
	const label = `${name}${troubleLabel(cause).toUpperCase()}`;
	const isRefused = isSignInFailure(cause);
	const left = (cause.retryAt ?? now) - now;
	const nextTry = left > 0 ? `next try in ${times.clock(roundedUpToSeconds(left))}` : 'trying now';
	// R cannot make the next read earlier while the rate limit is used up.
	const hint = cause.streak.failure.kind === 'limited' || left <= 0 ? '' : ' (R tries now)';
	const signIn = canSignIn ? 'l signs in' : 'crowsnest doctor says why';
	const since = lastAnswerAt === undefined ? '' : ` for ${times.clock(now - lastAnswerAt)}`;
	const truth = lastAnswerAt === undefined ? '' : timeTextWithSeconds(lastAnswerAt, now);
	const part = (drop: number, text: string): Part => ({ drop, spans: [[text, 'busy']] });
	// The outage is more important than a long filter.
	const hasFilter = filter.length > 0 && widthOf(filter) <= width / 3;
	const parts: readonly Part[] = [
		part(0, `━ ${label}${since}`),
		part(1, ' · '),
		part(4, truth && 'what you see was '),
		part(3, truth && `true at ${truth} · `),
		part(1, isRefused ? signIn : nextTry),
		part(2, isRefused ? '' : hint),
		part(0, ' '),
		part(0, '━'),
		{ drop: 0, isRight: true, spans: hasFilter ? [[' '], ...filter, [' ━', 'busy']] : [] },
	];
	return fitParts(parts, width, '', ['━', 'busy']);
}

/** The order comes last, so that "24 computers, trouble first" cannot be heard as 24 computers in trouble. */
export const spokenViewRule = (scene: FrameScene): readonly Span[] => [
	...joinedParts(filterParts(scene)),
	[`  ${orderOf(scene) ?? ''}`],
];

export function viewRule(scene: FrameScene): readonly Span[] {
	const order = orderOf(scene);
	const parts: readonly Part[] = [
		{ drop: 5, spans: order === undefined ? [] : [[`─ ${order} `, 'faint']] },
		...filterParts(scene).map(part => ({ ...part, isRight: true })),
	];
	const hasRight = parts.some(({ isRight, spans }) => isRight && widthOf(spans) > 0);
	const edge = (text: string): Part => ({ drop: 0, isRight: true, spans: [[text, 'faint']] });
	const all = hasRight ? [edge(' '), ...parts, edge(' ─')] : parts;
	return fitParts(all, scene.width, '', ruleFill);
}

/** The map has its own groups, the details are of one computer, and the titles of the other tables say their order. */
function orderOf({ screen }: Scene): string | undefined {
	const hasOrder = isTable(screen) && !isHelpOpen(screen) && !screen.isDetailOpen && !isMap(screen);
	const ordering = hasOrder ? currentOrdering(screen) : undefined;
	if (!ordering) return undefined;
	const { by, isReversed } = ordering;
	if (by === troubleFirst.by) return 'trouble first';
	const field = orderFieldFrom(by);
	return `by ${field ? orderRows[field].label : by}${isReversed ? ' ▼' : ''}`;
}

function filterParts(scene: FrameScene): readonly Part[] {
	const { screen, counts, shown, account, mistake, matchCount, notReadCount } = scene;
	const filter = isHelpOpen(screen) ? '' : currentFilter(screen);
	const isListed = shown.allRows.length > 0 || account.reads.list?.answer !== undefined;
	const hasCount = isTable(screen) && !isHelpOpen(screen) && !screen.isDetailOpen && isListed;
	const total = pluralize(counts.total, 'computer');
	if (filter === '') return [{ drop: 1, spans: [[hasCount ? total : '', 'faint']] }];
	// A number would look as if a filter with a mistake were applied.
	const isWrong = mistake.problem !== undefined;
	const count = `  ${countText(matchCount)} of ${countText(counts.total)}`;
	return [
		{ drop: 1, min: 10, spans: [[`/${filterName(filter)}`, isWrong ? 'bad' : 'accent']] },
		{ drop: 2, spans: isWrong ? [['  not understood', 'bad']] : [[hasCount ? count : '']] },
		{ drop: 3, spans: [[hasCount && !isWrong ? notReadNote(notReadCount) : '']] },
	];
}

export const notReadNote = (count: number) =>
	count > 0 ? `, ${countText(count)} not read yet` : '';

/** Empty if all rows are in sight. */
export function positionText({ screen, shown, firstRow, layout, isTableSeen }: FrameScene): string {
	const total = isTableSeen && !isMap(screen) ? shown.rows.length : 0;
	if (total <= layout.tableRowCount) return '';
	const last = Math.min(firstRow + layout.tableRowCount, total);
	return `${countText(firstRow + 1)}–${countText(last)} of ${countText(total)}`;
}

export function ruleBelow(scene: FrameScene): readonly Span[] {
	const { width, tableEnd, replay } = scene;
	if (replay) return replayRule(replay, width);
	const position = positionText(scene);
	const note = listNote(scene);
	const left: readonly Span[] = note === '' ? [] : [['── ', 'faint'], [note, 'busy'], [' ']];
	const right: readonly Span[] = position === '' ? [] : [[` ${position} ──`, 'faint']];
	return justify(justify(left, right, tableEnd, ruleFill), [], width, ruleFill);
}

/** What is odd about the last list. */
export function listNote({ accounts }: Pick<Scene, 'accounts'>): string {
	const unreadable = listNoteCount(accounts, 'unreadable');
	const repeated = listNoteCount(accounts, 'repeated');
	if (unreadable > 0) return unreadableText(unreadable);
	if (repeated > 0) return repeatedText(repeated);
	return accounts.some(({ state }) => state.listNotes.isCut) ? cutListText : '';
}

export const listNoteCount = (
	accounts: readonly OpenedAccount[],
	name: 'unreadable' | 'repeated',
): number => accounts.reduce((sum, { state }) => sum + (state.listNotes[name] ?? 0), 0);

export const cutListText = 'the list does not end, so more was not read';

export const repeatedText = (count: number): string =>
	`${pluralize(count, 'record')} had the id of another`;

export const unreadableText = (count: number): string =>
	`${pluralize(count, 'record')} could not be read`;

function replayRule(replay: ReplayState, width: number): readonly Span[] {
	const { time, start, end } = replay;
	// A recording is seldom from today, so the time always has its date.
	const date = timeText(time, Number.POSITIVE_INFINITY).split(' ')[0];
	const [state, tone] = replayStateSpan(replay);
	const left: readonly Span[] = [
		['── ', 'faint'],
		[state.padEnd('replay paused '.length), tone],
		[`  ${date} ${timeTextWithSeconds(time, time)}  `, 'strong'],
	];
	const right: readonly Span[] = [
		[` ${compactDuration(time - start)} of ${compactDuration(end - start)} `],
		['──', 'faint'],
	];
	const cells = width - widthOf(left) - widthOf(right);
	const share = end > start ? (time - start) / (end - start) : 1;
	return cells < 4 ? left : [...left, ...bar(share, cells, 'accent'), ...right];
}

export function replayStateSpan({ speed, isPaused, isOver }: ReplayState): Span {
	const word = isOver ? 'ended' : isPaused ? 'paused' : `at ${speed}x`;
	return [`replay ${word}`, isOver || isPaused ? 'busy' : 'good'];
}

import {
	type AccountNote,
	accountEvents,
	type Change,
	type OperationMove,
	type OwnEmails,
	requesterText,
	type StatusChange,
} from '../fleet/change.ts';
import {
	changeFilter,
	dependsOnTime,
	failuresTerm,
	lastNight,
	lastNightTerm,
	toggledTerm,
} from '../fleet/change-filter.ts';
import { changingPhases, phaseOf } from '../fleet/computers/computer.ts';
import { globalIdOf } from '../fleet/computers/global-id.ts';
import { createFilterCompleter } from '../fleet/filters/completion.ts';
import { filterFrom } from '../fleet/filters/filter.ts';
import {
	type BatchEntry,
	computerIn,
	entryIdOf,
	type LogEntry,
	latestOf,
	logEntries,
	movesOf,
	type NapsEntry,
	withNapsFolded,
} from '../fleet/log-entries.ts';
import type { Operation, OperationStage } from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { durationText } from '../foundation/duration.ts';
import { memoize } from '../foundation/memoize.ts';
import { countText, decimalText, firstNamesAndCount } from '../foundation/number-text.ts';
import { drawing, type Line, line } from '../lines/line.ts';
import { joinedParts, type Part, partsThatFit } from '../lines/parts.ts';
import { cut, justify, ruleFill, type Span, textOf, widthOf } from '../lines/span.ts';
import { timeText, timeTextWithSeconds, weekdayText } from '../lines/time-text.ts';
import { isNothingKnown } from '../store/freshness.ts';
import { nameWithAccount, type OpenedAccount } from '../store/opened-accounts.ts';
import { signedInEmailOf } from '../store/selectors.ts';
import { phaseStyles, statusWord, stopReasonText } from './fleet/status.ts';
import { causeStart } from './phrases/error-advice.ts';
import { type Outcome, outcomeText, targetText } from './phrases/outcome.ts';
import { missingLines } from './phrases/reads.ts';
import { pluralize } from './phrases/words.ts';
import type { Scene } from './scene.ts';
import { type UnderWay, underWayIn } from './under-way.ts';
import type { View, ViewLine } from './view.ts';

//  Log                                                                                212 events
// ❯ 08:15:02 ◐ draco: Restarting 4s
//   ─────────────────────────────────────────────────────────────────────────────────────────
//   08:14:09 ● borealis: creating → active in 48 s
//   08:12:31   eridanus: stopped by you in 9 s
//   08:05:12   you stopped 16 computers (altair, altair-3 …) in 31 s ▸
//   ─ Fri 2026-11-20 ─────────────────────────────────────────────────────────────────────────
//   23:10:00 ○ cygnus: active → stopped (asleep), some time after 22:40

export const log: View = {
	hasCursor: true,
	title(scene) {
		const entries = shownEntries(scene, underWayIn(scene));
		const note = noteOf(scene);
		const failed = entries.filter(isFailure).length;
		const failures = failed > 0 ? `, ${countText(failed)} failed` : '';
		const events = `${pluralize(entries.length, 'event')}${failures}`;
		const count = isNothingKnown(scene) ? '' : ` ${events} `;
		return [
			[
				['Log', 'strong'],
				[note, 'accent'],
			],
			[[count, 'faint']],
		];
	},
	lines(scene) {
		const { screen } = scene;
		if (isNothingKnown(scene)) return missingLines(scene, 'list');
		const underWay = underWayIn(scene);
		const entries = shownEntries(scene, underWay);
		return [
			...logBars(entries, scene),
			...underWay.lines,
			...(underWay.lines.length > 0 ? [drawing(rule('', scene))] : []),
			...linesWithDays(withNapsFolded(entries), scene, entry => linesInLog(entry, scene)),
			...(entries.length === 0 ? [emptyLine(screen.filters.log)] : []),
		];
	},
	completions({ changes, accounts, now }) {
		const complete = createFilterCompleter(changes, filterOf(ownEmailsIn(accounts)), now);
		return line => {
			const { completions, ...place } = complete(line);
			// Several changes make one entry, so their number would be wrong.
			return { ...place, completions: completions.map(each => ({ ...each, count: undefined })) };
		};
	},
	spokenOrder: 'newest first',
};

function noteOf({ screen, now }: Scene): string {
	const notes = new Map([
		[failuresTerm, '  failures only'],
		[lastNightTerm, `  ${nightText(now)}`],
	]);
	return screen.filters.log
		.split(' ')
		.map(term => notes.get(term) ?? '')
		.join('');
}

/** As in "last night, Fri 20:00 to 08:00", or before 08:00 "tonight, since Fri 20:00". */
function nightText(now: number): string {
	const { from, to } = lastNight(now);
	const began = `${weekdayText(from)} ${timeText(from, from)}`;
	return now < to ? `tonight, since ${began}` : `last night, ${began} to ${timeText(to, to)}`;
}

function shownEntries(
	{ changes, accounts, screen, now }: Scene,
	{ isAbout }: UnderWay,
): readonly LogEntry[] {
	const filter = screen.filters.log;
	// The time counts by the minute, so that the entries stay the same in between.
	const minute = dependsOnTime(filter) ? now - (now % 60_000) : 0;
	return filteredEntries(changes, accounts, filter, minute).filter(each => !isAbout(each));
}

const filteredEntries = memoize(
	(changes: readonly Change[], accounts: readonly OpenedAccount[], filter: string, now: number) =>
		logEntries(changesMatching(changes, filter, ownEmailsIn(accounts), now)),
);

/** The filter searches the line on screen, the ids, and the platform's own words. */
export function changesMatching(
	changes: readonly Change[],
	filter: string,
	own: OwnEmails,
	now: number,
): readonly Change[] {
	if (filter === '') return changes;
	const { test } = filterFrom(filter, filterOf(own));
	return changes.filter(change => test(change, now));
}

const filterOf = (own: OwnEmails) =>
	changeFilter(own, change => [changeText(change, own), ...searchedWordsOf(change)].join(' '));

function searchedWordsOf(change: Change): readonly string[] {
	if (change.type === 'statusChanged') return [change.id, change.from ?? '', change.to ?? ''];
	if (change.type !== 'operationMoved') return [];
	const { wish, to, who = '' } = change;
	return [wish.operation, wish.computer ?? '', to, who];
}

export const ownEmailsIn = (accounts: readonly OpenedAccount[]): OwnEmails =>
	new Set(accounts.flatMap(({ state }) => signedInEmailOf(state) ?? []));

function emptyLine(filter: string): ViewLine {
	if (filter === '') return line(['Nothing has happened yet.', 'faint']);
	if (filter === failuresTerm) return line(['Nothing has failed. e shows everything.', 'faint']);
	if (filter === lastNightTerm)
		return line(['The log has nothing of last night. n shows everything.', 'faint']);
	if (toggledTerm(filter, failuresTerm) === lastNightTerm)
		return line(['The log has no failure of last night. e shows everything of it.', 'faint']);
	return line(['No log line matches '], [filter, 'accent'], ['. Esc clears the filter.', 'faint']);
}

export function linesWithDays(
	entries: readonly LogEntry[],
	scene: Scene,
	linesOf = (entry: LogEntry): readonly ViewLine[] => [logLine(entry, scene)],
): readonly ViewLine[] {
	let dayStart = new Date(scene.now).setHours(0, 0, 0, 0);
	return entries.flatMap(entry => {
		const { at } = latestOf(entry);
		if (at >= dayStart) return linesOf(entry);
		dayStart = new Date(at).setHours(0, 0, 0, 0);
		return [dayRule(at, scene), ...linesOf(entry)];
	});
}

function dayRule(at: number, scene: Scene): ViewLine {
	const [day = ''] = timeText(at, scene.now).split(' ');
	const spans = rule(` ${weekdayText(at)} ${day} `, scene);
	return { spans, spoken: new Date(at).toDateString() };
}

const rule = (text: string, { width }: Scene) =>
	justify(
		[[`  ─${text}`, 'faint']],
		[],
		width === Infinity ? text.length + 4 : width - 1,
		ruleFill,
	);

function linesInLog(entry: LogEntry, scene: Scene): readonly ViewLine[] {
	if (entry.type === 'change') return [logLine(entry, scene)];
	const isUnfolded = scene.screen.unfoldedIds.has(entry.id);
	const folded: ViewLine = {
		...logLine(entry, scene, [[isUnfolded ? ' ▾' : ' ▸', 'accent']]),
		opens: { type: 'parts' },
	};
	return [folded, ...(isUnfolded ? entry.parts.map(part => logLine(part, scene, [], '│ ')) : [])];
}

function logLine(
	entry: LogEntry,
	{ accounts, width }: Scene,
	end: readonly Span[] = [],
	indent = '',
): ViewLine {
	const { at } = latestOf(entry);
	const computer = computerIn(entry);
	return {
		id: entryIdOf(entry),
		opens: computer && openingOf(computer, accounts),
		hasFailed: hasFailed(entry),
		spans() {
			// A rule above names the day, so the time of day is enough.
			const time = `  ${timeTextWithSeconds(at, at)} ${indent}`;
			const look = { own: ownEmailsIn(accounts), width: width - widthOf(end) };
			return [...entrySpans(time, entry, look), ...end];
		},
	};
}

function openingOf(
	{ id, name }: { id: string; name: string },
	accounts: readonly OpenedAccount[],
): ViewLine['opens'] {
	// With several accounts, the name of a computer begins with its account.
	const [first] = accounts;
	const owner =
		accounts.find(({ profile }) => name.startsWith(nameWithAccount(profile.name, ''))) ?? first;
	return owner && { type: 'computer', id: globalIdOf(owner.profile.account, id), name };
}

/** Below the name of its computer, a line leaves it out. */
type EntryLook = { own: OwnEmails; width: number; isBelowName?: boolean };

/** A narrow line leaves out whole parts before it is cut. */
export function entrySpans(
	time: string,
	entry: LogEntry,
	{ own, width, isBelowName = false }: EntryLook,
): readonly Span[] {
	const begin: readonly Span[] = [[time, 'faint'], signOf(entry), [' ']];
	const said = entryParts(entry, own);
	const parts = [...(isBelowName ? withoutName(said, entry) : said), ...earliestTime(entry)];
	const room = width - widthOf(begin);
	const needed = parts.filter(({ drop }) => drop === 0);
	const kept = widthOf(joinedParts(needed)) > room ? needed : partsThatFit(parts, room, '');
	return [...begin, ...cut(joinedParts(kept), room)];
}

function withoutName([first, ...others]: readonly Part[], entry: LogEntry): readonly Part[] {
	const { name = '' } = computerIn(entry) ?? {};
	const [text = '', ...look] = first?.spans[0] ?? [];
	const rest = text.startsWith(name) ? text.slice(name.length).replace(/^(: | is )/, '') : text;
	return [{ spans: [[rest, ...look]], drop: 0 }, ...others];
}

// The time of a change is uncertain by the gap between two reads. Only longer gaps are mentioned.
const minShownUncertaintyMs = 5 * 60_000;

function earliestTime(entry: LogEntry): readonly Part[] {
	const change = latestOf(entry);
	if (entry.type === 'naps' || change.type === 'operationMoved') return [];
	if (change.at - change.notBefore < minShownUncertaintyMs) return [];
	const text = `, some time after ${timeText(change.notBefore, change.at)}`;
	return [part(text, 'faint', drops.earliestTime)];
}

/** The highest number leaves a narrow line first. */
const drops = { duration: 4, names: 3, earliestTime: 2, errorBeginning: 1 };

const part = (text: string, tone?: Span[1], drop = 0): Part => ({ spans: [[text, tone]], drop });

export const entryText = (entry: LogEntry, own: OwnEmails): readonly Span[] =>
	joinedParts(entryParts(entry, own));

export const changeText = (change: Change, own: OwnEmails = new Set()): string =>
	textOf(entryText({ type: 'change', change }, own));

function entryParts(entry: LogEntry, own: OwnEmails): readonly Part[] {
	if (entry.type === 'batch') return batchParts(entry, own);
	if (entry.type === 'naps') return napsParts(entry);
	const { change, sentAt } = entry;
	switch (change.type) {
		case 'statusChanged':
			return statusParts(change);
		case 'operationMoved': {
			const said = part(operationText(change, own), change.to === 'failed' ? 'bad' : undefined);
			return [said, durationPart(change.to === 'settled' ? change.at - (sentAt ?? change.at) : 0)];
		}
		case 'toppedUp': {
			const { from, to } = change;
			return [part(`credits rose by ${decimalText(to - from)} to ${decimalText(to)}`)];
		}
		case 'released':
			return [part(`version ${change.to} is out`, 'accent')];
		case 'accountNoted':
			return [part(accountText(change), accountEvents[change.event].isBad ? 'bad' : undefined)];
		case 'hookFailed':
			return [part(`hook ${change.hook} ${change.message}`, 'bad')];
	}
}

function accountText({ event, name, message }: AccountNote): string {
	const { about, words } = accountEvents[event];
	const whose = name === undefined ? '' : about === 'account' ? ` ${name}` : ` of ${name}`;
	return `${about}${whose} ${words}${message === undefined ? '' : `: ${message}`}`;
}

/** Less than a second is not worth a word. */
const durationPart = (ms: number) =>
	part(ms < 1000 ? '' : ` in ${durationText(ms)}`, undefined, drops.duration);

function statusParts(change: StatusChange): readonly Part[] {
	const { id, name = id, from, to, lasted, wasAsleep = false, reason, error } = change;
	if (to === null) return [part(`${name} is gone`)];
	if (from === null) return [part(`${name} is new: ${statusWord(to)}`)];
	const isError = phaseOf(to) === 'error';
	const tone = isError ? 'bad' : undefined;
	// A computer is active for days, but it starts in seconds, so the duration stands beside what lasted so long.
	const isPassing = changingPhases.includes(phaseOf(from));
	const preposition = !isPassing ? 'for' : isError ? 'after' : 'in';
	const duration = lasted === undefined ? '' : ` ${preposition} ${durationText(lasted)}`;
	const time = part(duration, tone, drops.duration);
	const become = part(` → ${statusWord(to)}`, tone);
	const begin = part(`${name}: ${wasAsleep ? 'asleep' : statusWord(from)}`, tone);
	const said = isPassing ? [begin, become, time] : [begin, time, become];
	const stopReason = stopReasonText(reason);
	if (error === undefined) return [...said, part(stopReason ? ` (${stopReason})` : '', tone)];
	const start = causeStart(error);
	const beginning = part(error.slice(0, start), tone, drops.errorBeginning);
	return [...said, part(': ', tone), beginning, part(error.slice(start), tone)];
}

function operationText(move: OperationMove, own: OwnEmails): string {
	const line = outcomeText(loggedOutcome(move));
	// The log also has changes that no operation of this program caused.
	return move.to === 'settled' ? `${line} by ${requesterText(move, own)}` : line;
}

export function loggedOutcome(
	{ wish, to, isAccepted = false, message }: OperationMove,
	operation?: Operation,
): Outcome {
	const { advice } = operation?.failure ?? {};
	const stage: OperationStage = to === 'settled' ? 'done' : isAccepted ? 'accepted' : to;
	return { ...wish, stage, reason: message, advice, isFinal: operation?.stage === 'failed' };
}

/** As in "you stopped 15 of 16 computers (altair, altair-3, altair-5 and 12 more) in 31 s, 1 failed"; the names are those of the 15. */
function batchParts(entry: BatchEntry, own: OwnEmails): readonly Part[] {
	const moves = movesOf(entry);
	const latest = entry.parts[0].change;
	const { doingLabel, doneLabel } = operationRowOf(latest.wish.operation);
	const counts = { sent: 0, settled: 0, failed: 0, unknown: 0, cancelled: 0 };
	for (const { to } of moves) counts[to] += 1;
	const total = moves.length;
	const isOver = counts.sent === 0;
	const isCancelled = counts.cancelled === total;
	const names = moves
		.filter(({ to }) => !isOver || isCancelled || to === 'settled')
		.toReversed()
		.map(({ wish }) => targetText(wish));
	const by = requesterText(latest, own);
	// There may have been more operations than the log still has.
	const all = `${entry.isCut ? 'at least ' : ''}${countText(total)} computers`;
	const doing = `${doingLabel.toLowerCase()} ${all}`;
	const done = counts.settled === total ? '' : `${countText(counts.settled)} of `;
	const begin = isCancelled
		? `${by} cancelled ${doing}`
		: isOver
			? `${by} ${doneLabel} ${done}${all}`
			: doing;
	const begunAt = moves.reduce((least, { at, took }) => Math.min(least, at - took), latest.at);
	const state = isOver
		? durationPart(isCancelled ? 0 : latest.at - begunAt)
		: part(`: ${countText(counts.settled)} done, ${countText(counts.sent)} under way`);
	const others = (['failed', 'unknown', 'cancelled'] as const)
		.filter(to => counts[to] > 0 && !isCancelled)
		.map(to => part(`, ${countText(counts[to])} ${to}`, to === 'failed' ? 'bad' : undefined));
	const named = names.length > 0 ? ` (${firstNamesAndCount(names)})` : '';
	return [part(begin), part(named, undefined, drops.names), state, ...others];
}

/** As in "4 computers slept or woke 12 times since 02:47 (hydra, kochab, mira, tucana)", with as many names as fit. */
function napsParts({ parts }: NapsEntry): readonly Part[] {
	const names = [...new Set(parts.map(({ change: { id, name = id } }) => name))];
	const begunAt = parts.at(-1)?.change.at ?? 0;
	return [
		part(`${names.length} computers slept or woke ${parts.length} times`),
		part(` since ${timeText(begunAt, begunAt)}`, undefined, drops.earliestTime),
		part(` (${names.join(', ')})`),
	];
}

const hasFailed = (entry: LogEntry) => movesOf(entry).some(({ to }) => to === 'failed');

function signOf(entry: LogEntry): Span {
	if (entry.type === 'naps') return [' '];
	const change = latestOf(entry);
	if (hasFailed(entry) || change.type === 'hookFailed') return ['✖', 'bad'];
	switch (change.type) {
		case 'statusChanged':
			return change.to === null ? ['–', 'faint'] : phaseSign(phaseOf(change.to));
		case 'operationMoved':
			if (change.to === 'settled') return reachedSign(change.wish.operation);
			return change.to === 'unknown' ? ['?', 'busy'] : [' '];
		case 'accountNoted':
			return accountEvents[change.event].isBad ? ['✖', 'bad'] : ['+', 'good'];
		case 'toppedUp':
			return ['+', 'good'];
		case 'released':
			return ['↑', 'accent'];
	}
}

function phaseSign(phase: ReturnType<typeof phaseOf>): Span {
	const { sign, tone } = phaseStyles[phase];
	return [sign, tone];
}

function reachedSign(operation: string): Span {
	const { goal } = operationRowOf(operation);
	if (goal.reaches === 'gone') return ['–', 'faint'];
	if (goal.reaches === 'phase') return phaseSign(goal.phase);
	return goal.reaches === 'newStart' || goal.reaches === 'version' ? phaseSign('active') : [' '];
}

// 24 h ·· ·· ▁▁ ▂▂ ▁▁ ▇▇ ▂▂ ✖✖ ▁▁ ▄▄     the entries of each hour; ✖ where something failed; · where nothing watched
//      09       12       15       18

const hourCount = 24;
const hourMs = 3_600_000;
const hoursBetweenLabels = 3;
const maxCells = 4;
const minHeightForAxis = 20;
const barsLabel = ' 24 h ';
const heights = '▁▂▃▄▅▆▇';

type Hour = { count: number; hasFailed: boolean; isSeen: boolean };

function logBars(entries: readonly LogEntry[], scene: Scene): readonly Line[] {
	const hours = hoursOf(entries, scene);
	const most = Math.max(1, ...hours.map(({ count }) => count));
	const hasAxis = scene.height >= minHeightForAxis;
	const room = Math.floor((scene.width - barsLabel.length) / hourCount);
	const cells = hasAxis ? Math.max(1, Math.min(maxCells, room)) : 1;
	const bars = drawing([[barsLabel, 'faint'], ...hours.map(hour => barSpan(hour, most, cells))]);
	const axis = hours.reduce((text, _, at) => {
		const hour = new Date(scene.now - (hourCount - 1 - at) * hourMs).getHours();
		const label = hour % hoursBetweenLabels === 0 ? String(hour).padStart(2, '0') : '';
		return label === '' ? text : text.padEnd(at * cells) + label;
	}, '');
	return hasAxis ? [bars, drawing([[' '.repeat(barsLabel.length)], [axis, 'faint']])] : [bars];
}

function hoursOf(
	entries: readonly LogEntry[],
	{ account: { contact }, accounts, changes, now }: Scene,
): readonly Hour[] {
	const hourOf = (at: number) => Math.floor(at / hourMs);
	const first = hourOf(now) - hourCount + 1;
	const samples = accounts.flatMap(({ state }) => state.samples);
	const watched = new Set([...changes, ...samples].map(({ at }) => hourOf(at)));
	const since = contact ? hourOf(contact.since) : Infinity;
	const hours = Array.from({ length: hourCount }, (_, at): Hour => {
		const hour = first + at;
		const isInContact = hour >= since && hour <= hourOf(contact?.lastAnswerAt ?? 0);
		return { count: 0, hasFailed: false, isSeen: isInContact || watched.has(hour) };
	});
	for (const entry of entries) {
		const hour = hours[hourOf(latestOf(entry).at) - first];
		if (!hour) continue;
		hour.count += 1;
		hour.hasFailed ||= isFailure(entry);
	}
	return hours;
}

function isFailure(entry: LogEntry): boolean {
	const latest = latestOf(entry);
	const isError = latest.type === 'statusChanged' && phaseOf(latest.to ?? '') === 'error';
	return isError || hasFailed(entry);
}

function barSpan({ count, hasFailed, isSeen }: Hour, most: number, cells: number): Span {
	const size = Math.max(1, cells - 1);
	const bar = (sign: string) => sign.repeat(size) + ' '.repeat(cells - size);
	if (!isSeen) return [bar('·'), 'faint'];
	if (hasFailed) return [bar('✖'), 'bad'];
	return [bar(heights[Math.ceil((count / most) * heights.length) - 1] ?? '▁'), 'faint'];
}

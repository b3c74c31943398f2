import {
	accountEvents,
	type Change,
	changeFilter,
	failuresTerm,
	lastNight,
	lastNightTerm,
	type OperationMove,
	type OwnEmails,
	requesterText,
	type StatusChange,
	toggledTerm,
} from '../fleet/change.ts';
import { changingPhases, type Phase, phaseOf } from '../fleet/computers/computer.ts';
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
import { durationText, hourMs, minuteMs } from '../foundation/duration.ts';
import { memoize } from '../foundation/memoize.ts';
import { countText, decimalText, firstNamesAndCount } from '../foundation/number-text.ts';
import { sparkline } from '../lines/chart.ts';
import { drawing, type Line, line } from '../lines/line.ts';
import { joinedParts, type Part, part, partsThatFit } from '../lines/parts.ts';
import { cut, justify, ruleFill, type Span, type Tone, textOf, widthOf } from '../lines/span.ts';
import { timeText, timeTextWithSeconds, weekdayText } from '../lines/time-text.ts';
import { isNothingKnown } from '../store/freshness.ts';
import { nameWithAccount, type OpenedAccount } from '../store/selectors.ts';
import { phaseStyles, statusWord, stopReasonText } from './fleet/status.ts';
import { causeStart } from './phrases/error-advice.ts';
import { type Outcome, outcomeText, targetText } from './phrases/outcome.ts';
import { missingLines } from './phrases/reads.ts';
import { pluralize } from './phrases/words.ts';
import type { Scene, View, ViewLine } from './scene.ts';
import { type UnderWay, underWayIn } from './under-way.ts';

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
		const { filters } = scene.screen;
		const entries = shownEntries(scene, underWayIn(scene));
		const failed = filters.log.includes(failuresTerm) ? 0 : entries.filter(isFailure).length;
		const failures = failed > 0 ? `, ${countText(failed)} failed` : '';
		const count = ` ${pluralize(entries.length, 'event')}${failures} `;
		return [
			[
				['Log', 'strong'],
				[noteOf(scene), 'accent'],
			],
			isNothingKnown(scene) ? [] : [[count, 'faint']],
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
	const terms = screen.filters.log.split(' ');
	return terms.map(term => notes.get(term) ?? '').join('');
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
	// A filter by time counts by the minute, so that the entries stay the same in between.
	const minute = now - (now % minuteMs);
	const entries = filteredEntries(changes, accounts, screen.filters.log, minute);
	return entries.filter(each => !isAbout(each));
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
	changeFilter(own, change => {
		const text = changeText(change, own);
		if (change.type === 'statusChanged') return [text, change.id, change.from, change.to].join(' ');
		if (change.type !== 'operationMoved') return text;
		const { wish, to, who } = change;
		return [text, wish.operation, wish.computer, to, who].join(' ');
	});

export const ownEmailsIn = (accounts: readonly OpenedAccount[]): OwnEmails =>
	new Set(accounts.flatMap(({ state }) => state.signIn?.email ?? []));

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
	return [folded, ...(isUnfolded ? entry.parts.map(each => logLine(each, scene, [], '│ ')) : [])];
}

function logLine(
	entry: LogEntry,
	{ accounts, width }: Scene,
	end: readonly Span[] = [],
	indent = '',
): ViewLine {
	const computer = computerIn(entry);
	return {
		id: entryIdOf(entry),
		opens: computer && openingOf(computer, accounts),
		hasFailed: hasFailed(entry),
		spans() {
			const { at } = latestOf(entry);
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

export function entrySpans(
	time: string,
	entry: LogEntry,
	{ own, width, isBelowName = false }: EntryLook,
): readonly Span[] {
	const { sign, parts: said } = toldBy(entry, own);
	const begin: readonly Span[] = [[time, 'faint'], sign, [' ']];
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
const minShownUncertaintyMs = 5 * minuteMs;

function earliestTime(entry: LogEntry): readonly Part[] {
	const change = latestOf(entry);
	if (entry.type === 'naps' || change.type === 'operationMoved') return [];
	if (change.at - change.notBefore < minShownUncertaintyMs) return [];
	const text = `, some time after ${timeText(change.notBefore, change.at)}`;
	return [part(drops.earliestTime, text, 'faint')];
}

const drops = { duration: 4, names: 3, earliestTime: 2, errorBeginning: 1 };

export const entryText = (entry: LogEntry, own: OwnEmails): readonly Span[] =>
	joinedParts(toldBy(entry, own).parts);

export const changeText = (change: Change, own: OwnEmails = new Set()): string =>
	textOf(entryText({ type: 'change', change }, own));

type Told = { sign: Span; parts: readonly Part[] };

const told = (sign: string, tone: Tone | undefined, ...parts: readonly Part[]): Told => ({
	sign: [sign, tone],
	parts,
});

function toldBy(entry: LogEntry, own: OwnEmails): Told {
	if (entry.type === 'batch') return toldByBatch(entry, own);
	if (entry.type === 'naps') return toldByNaps(entry);
	const { change, sentAt } = entry;
	switch (change.type) {
		case 'statusChanged':
			return toldByStatus(change);
		case 'operationMoved': {
			const { wish, to, at } = change;
			const text = outcomeText(loggedOutcome(change));
			// The log also has changes that no operation of this program caused.
			const by = to === 'settled' ? ` by ${requesterText(change, own)}` : '';
			const said = part(0, `${text}${by}`, to === 'failed' ? 'bad' : undefined);
			const time = durationPart(to === 'settled' ? at - (sentAt ?? at) : 0);
			return { sign: signOfMove(wish.operation, to), parts: [said, time] };
		}
		case 'toppedUp': {
			const { from, to } = change;
			const text = `credits rose by ${decimalText(to - from)} to ${decimalText(to)}`;
			return told('+', 'good', part(0, text));
		}
		case 'released':
			return told('↑', 'accent', part(0, `version ${change.to} is out`, 'accent'));
		case 'accountNoted': {
			const { event, name, message } = change;
			const { about, words, isBad } = accountEvents[event];
			const whose = name === undefined ? '' : about === 'account' ? ` ${name}` : ` of ${name}`;
			const text = `${about}${whose} ${words}${message === undefined ? '' : `: ${message}`}`;
			return isBad ? told('✖', 'bad', part(0, text, 'bad')) : told('+', 'good', part(0, text));
		}
		case 'hookFailed':
			return told('✖', 'bad', part(0, `hook ${change.hook} ${change.message}`, 'bad'));
	}
}

const durationPart = (ms: number) =>
	part(drops.duration, ms < 1000 ? '' : ` in ${durationText(ms)}`);

function toldByStatus(change: StatusChange): Told {
	const { id, name = id, from, to, lasted, wasAsleep = false, reason, error } = change;
	if (to === null) return told('–', 'faint', part(0, `${name} is gone`));
	const sign = phaseSign(phaseOf(to));
	if (from === null) return { sign, parts: [part(0, `${name} is new: ${statusWord(to)}`)] };
	const isError = phaseOf(to) === 'error';
	const tone = isError ? 'bad' : undefined;
	// A computer is active for days, but it starts in seconds, so the duration stands beside what lasted so long.
	const isPassing = changingPhases.includes(phaseOf(from));
	const preposition = !isPassing ? 'for' : isError ? 'after' : 'in';
	const duration = lasted === undefined ? '' : ` ${preposition} ${durationText(lasted)}`;
	const time = part(drops.duration, duration, tone);
	const become = part(0, ` → ${statusWord(to)}`, tone);
	const stopReason = stopReasonText(reason);
	const start = error === undefined ? 0 : causeStart(error);
	return {
		sign,
		parts: [
			part(0, `${name}: ${wasAsleep ? 'asleep' : statusWord(from)}`, tone),
			...(isPassing ? [become, time] : [time, become]),
			part(0, error === undefined ? (stopReason ? ` (${stopReason})` : '') : ': ', tone),
			part(drops.errorBeginning, error?.slice(0, start) ?? '', tone),
			part(0, error?.slice(start) ?? '', tone),
		],
	};
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
function toldByBatch(entry: BatchEntry, own: OwnEmails): Told {
	const moves = movesOf(entry);
	const latest = entry.parts[0].change;
	const { operation } = latest.wish;
	const { doingLabel, doneLabel } = operationRowOf(operation);
	const counts = { sent: 0, settled: 0, failed: 0, unknown: 0, cancelled: 0 };
	for (const { to } of moves) counts[to] += 1;
	const total = moves.length;
	const isOver = counts.sent === 0;
	const isCancelled = counts.cancelled === total;
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
	const named = moves.filter(({ to }) => !isOver || isCancelled || to === 'settled').toReversed();
	const names = firstNamesAndCount(named.map(({ wish }) => targetText(wish)));
	const begunAt = Math.min(...moves.map(({ at, took }) => at - took));
	const others = (['failed', 'unknown', 'cancelled'] as const)
		.filter(to => counts[to] > 0 && !isCancelled)
		.map(to => part(0, `, ${countText(counts[to])} ${to}`, to === 'failed' ? 'bad' : undefined));
	return {
		sign: signOfMove(operation, counts.failed > 0 ? 'failed' : latest.to),
		parts: [
			part(0, begin),
			part(drops.names, names === '' ? '' : ` (${names})`),
			isOver
				? durationPart(isCancelled ? 0 : latest.at - begunAt)
				: part(0, `: ${countText(counts.settled)} done, ${countText(counts.sent)} under way`),
			...others,
		],
	};
}

/** As in "4 computers slept or woke 12 times since 02:47 (hydra, kochab, mira, tucana)", with as many names as fit. */
function toldByNaps({ parts }: NapsEntry): Told {
	const names = [...new Set(parts.map(({ change: { id, name = id } }) => name))];
	const begunAt = parts.at(-1)?.change.at ?? 0;
	return told(
		' ',
		undefined,
		part(0, `${names.length} computers slept or woke ${parts.length} times`),
		part(drops.earliestTime, ` since ${timeText(begunAt, begunAt)}`),
		part(0, ` (${names.join(', ')})`),
	);
}

function signOfMove(operation: string, to: OperationMove['to']): Span {
	if (to === 'failed') return ['✖', 'bad'];
	if (to === 'unknown') return ['?', 'busy'];
	if (to !== 'settled') return [' '];
	const { goal } = operationRowOf(operation);
	if (goal.reaches === 'gone') return ['–', 'faint'];
	if (goal.reaches === 'phase') return phaseSign(goal.phase);
	return goal.reaches === 'newStart' || goal.reaches === 'version' ? phaseSign('active') : [' '];
}

const phaseSign = (phase: Phase): Span => [phaseStyles[phase].sign, phaseStyles[phase].tone];

const hasFailed = (entry: LogEntry) => movesOf(entry).some(({ to }) => to === 'failed');

function isFailure(entry: LogEntry): boolean {
	const latest = latestOf(entry);
	const isError = latest.type === 'statusChanged' && phaseOf(latest.to ?? '') === 'error';
	return isError || hasFailed(entry);
}

// 24 h ·· ·· ▁▁ ▂▂ ▁▁ ▇▇ ▂▂ ✖✖ ▁▁ ▄▄     the entries of each hour; ✖ where something failed; · where nothing watched
//      09       12       15       18

const hourCount = 24;
const hoursBetweenLabels = 3;
const maxCells = 4;
const minHeightForAxis = 20;
const barsLabel = ' 24 h ';

const hourOf = (at: number) => Math.floor(at / hourMs);

function logBars(entries: readonly LogEntry[], scene: Scene): readonly Line[] {
	const { width, height, now } = scene;
	const hours = Array.from({ length: hourCount }, (_, at) => hourOf(now) - hourCount + 1 + at);
	const entriesOf = hours.map(hour => entries.filter(each => hourOf(latestOf(each).at) === hour));
	const most = Math.max(1, ...entriesOf.map(({ length }) => length));
	const isSeen = watchedHours(scene);
	const hasAxis = height >= minHeightForAxis;
	const room = Math.floor((width - barsLabel.length) / hourCount);
	const cells = hasAxis ? Math.max(1, Math.min(maxCells, room)) : 1;
	const bars = hours.map((hour, at): Span => {
		const those = entriesOf[at] ?? [];
		const level = sparkline([(100 * those.length) / most]);
		const isBad = isSeen(hour) && those.some(isFailure);
		const sign = isBad ? '✖' : isSeen(hour) ? level : '·';
		return [sign.repeat(Math.max(1, cells - 1)).padEnd(cells), isBad ? 'bad' : 'faint'];
	});
	const axis = hours.reduce((text, hour, at) => {
		const ofDay = new Date(now - (hourOf(now) - hour) * hourMs).getHours();
		if (ofDay % hoursBetweenLabels !== 0) return text;
		return text.padEnd(at * cells) + String(ofDay).padStart(2, '0');
	}, '');
	const lines = [
		drawing([[barsLabel, 'faint'], ...bars]),
		drawing([[`${' '.repeat(barsLabel.length)}${axis}`, 'faint']]),
	];
	return hasAxis ? lines : lines.slice(0, 1);
}

function watchedHours({ account: { contact }, accounts, changes }: Scene) {
	const samples = accounts.flatMap(({ state }) => state.samples);
	const known = new Set([...changes, ...samples].map(({ at }) => hourOf(at)));
	return (hour: number) =>
		known.has(hour) ||
		(contact !== undefined &&
			hour >= hourOf(contact.since) &&
			hour <= hourOf(contact.lastAnswerAt));
}

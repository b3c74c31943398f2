import {
	type Change,
	changeFilter,
	failuresTerm,
	isFailure,
	lastNight,
	lastNightTerm,
	type OwnEmails,
	toggledTerm,
} from '../fleet/change.ts';
import { globalIdOf } from '../fleet/computers/global-id.ts';
import { createFilterCompleter } from '../fleet/filters/completion.ts';
import { filterFrom } from '../fleet/filters/filter.ts';
import {
	changesIn,
	computerIn,
	entryIdOf,
	type LogEntry,
	latestOf,
	logEntries,
	movesOf,
	withNapsFolded,
} from '../fleet/log-entries.ts';
import { hourMs, minuteMs } from '../foundation/duration.ts';
import { memoize } from '../foundation/memoize.ts';
import { countText } from '../foundation/number-text.ts';
import { sparkline } from '../lines/chart.ts';
import { drawing, type Line, line } from '../lines/line.ts';
import { justify, ruleFill, type Span, widthOf } from '../lines/span.ts';
import { timeText, timeTextWithSeconds, weekdayText } from '../lines/time-text.ts';
import { isNothingKnown } from '../store/freshness.ts';
import { nameWithAccount, type OpenedAccount } from '../store/selectors.ts';
import { changeText, entrySpans, ownEmailsIn } from './phrases/entry.ts';
import { missingLines } from './phrases/reads.ts';
import { pluralize } from './phrases/words.ts';
import { changeRecord } from './records.ts';
import type { NamedView, Scene, ViewLine } from './scene.ts';
import { type UnderWay, underWayIn } from './under-way.ts';

//  Log                                                                                212 lines
// ❯ 08:15:02 ◐ draco: Restarting 4s
//   ─────────────────────────────────────────────────────────────────────────────────────────
//   08:14:09 ● borealis: creating → active in 48 s
//   08:12:31   eridanus: stopped by you in 9 s
//   08:05:12   you stopped 16 computers (altair, altair-3 …) in 31 s ▸
//   ─ Fri 2026-11-20 ─────────────────────────────────────────────────────────────────────────
//   23:10:00 ○ cygnus: active → stopped (asleep), some time after 22:40

export const log: NamedView = {
	hasCursor: true,
	title(scene) {
		const { filters } = scene.screen;
		const entries = shownEntries(scene, underWayIn(scene));
		const failed = filters.log.includes(failuresTerm) ? 0 : entries.filter(tellsFailure).length;
		const failures = failed > 0 ? `, ${countText(failed)} failed` : '';
		const count = ` ${pluralize(entries.length, 'line')}${failures} `;
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
	// A batch has a row for each computer, as if it were unfolded.
	records: scene =>
		entriesIn(scene)
			.flatMap(changesIn)
			.map(change => recordOf(change, scene.accounts)),
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

function recordOf(change: Change, accounts: readonly OpenedAccount[]) {
	const record = changeRecord(change);
	if (accounts.length === 1) return record;
	const { name = '' } = computerIn({ type: 'change', change }) ?? {};
	const label = change.type === 'accountNoted' ? `${change.name}/` : name;
	const owner =
		ownerOf(label, accounts) ?? accounts.find(({ state }) => state.changes.includes(change));
	const account = owner?.profile.name ?? null;
	return { account, ...record, name: name.slice(`${account}/`.length) || null };
}

/** With several accounts, the name of a computer begins with its account. */
const ownerOf = (name: string, accounts: readonly OpenedAccount[]) =>
	accounts.find(({ profile }) => name.startsWith(nameWithAccount(profile.name, '')));

const shownEntries = (scene: Scene, { isAbout }: UnderWay) =>
	entriesIn(scene).filter(each => !isAbout(each));

function entriesIn({ changes, accounts, screen, now }: Scene): readonly LogEntry[] {
	// A filter by time counts by the minute, so that the entries stay the same in between.
	const minute = now - (now % minuteMs);
	return filteredEntries(changes, accounts, screen.filters.log, minute);
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

function emptyLine(filter: string): ViewLine {
	if (filter === '') return line(['Nothing has happened yet.', 'faint']);
	if (filter === failuresTerm) return line(['Nothing has failed. Esc clears the filter.', 'faint']);
	if (filter === lastNightTerm)
		return line(['The log has nothing of last night. Esc clears the filter.', 'faint']);
	if (toggledTerm(filter, failuresTerm) === lastNightTerm)
		return line(['The log has no failure of last night. Esc clears the filter.', 'faint']);
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
		hasFailed: movesOf(entry).some(({ to }) => to === 'failed'),
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
	const owner = ownerOf(name, accounts) ?? accounts[0];
	return owner && { type: 'computer', id: globalIdOf(owner.profile.account, id), name };
}

const tellsFailure = (entry: LogEntry) => changesIn(entry).some(isFailure);

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
		const isBad = isSeen(hour) && those.some(tellsFailure);
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

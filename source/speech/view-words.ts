import type { ReadingField } from '../fleet/computers/computer.ts';
import { isNotRead } from '../fleet/computers/not-read.ts';
import { uptimeOf } from '../fleet/computers/uptime.ts';
import { durationText } from '../foundation/duration.ts';
import { gap, type Line } from '../lines/line.ts';
import { isSpoken, spellOut, spokenText } from '../lines/print.ts';
import { textOf } from '../lines/span.ts';
import { ageText } from '../lines/time-text.ts';
import type { Choice, ChoiceList } from '../screen/choice.ts';
import { cursorIndex, isTable } from '../screen/screen.ts';
import { isTextView } from '../screen/view-table.ts';
import { changesOfComputer } from '../store/change-log.ts';
import { accountOfRow } from '../store/opened-accounts.ts';
import { type FleetRow, signedInEmailOf } from '../store/selectors.ts';
import { paymentLines } from '../views/billing.ts';
import { dayOf, dayShares } from '../views/day-strip.ts';
import {
	dataAgeText,
	detailValues,
	failingReadText,
	portLines,
	valueText,
} from '../views/detail.ts';
import { type CellContext, cellContextsOf } from '../views/fleet/cell-context.ts';
import { stageSpans, statusName } from '../views/fleet/status.ts';
import { emptyTableLines } from '../views/frame/empty-table.ts';
import { adviceForError } from '../views/phrases/error-advice.ts';
import { adviceText, outcomeFromOperation } from '../views/phrases/outcome.ts';
import { pluralize } from '../views/phrases/words.ts';
import { textViews } from '../views/text-views.ts';
import { releaseNotes } from '../views/versions.ts';
import { computerNameIn, linesPerPage, type SpokenScene } from './scene.ts';
import { summaryWords } from './summary-words.ts';
import {
	allLines,
	linesOfTexts,
	type SpokenLines,
	spokenTextOfSpans,
	timedChangeWords,
} from './words.ts';

/** A view as text. */
type ViewWords = SpokenLines & { title: readonly string[] };

function viewWords(scene: SpokenScene): ViewWords {
	const view = textViewOf(scene);
	if (view) {
		const [left, right] = view.title(scene).map(spokenTextOfSpans);
		const parts = [left, right, view.spokenOrder].filter(part => part);
		return { title: [`${parts.join(', ')}.`], ...linesOf(view.lines(scene)) };
	}
	const title = summaryWords(scene);
	const { length: lineCount } = scene.visibleRows.rows;
	if (lineCount === 0) return { title: [...title, ...emptyWords(scene)], ...linesOfTexts([]) };
	return { title, lineCount, lineAt: at => rowAndPositionWords(scene, at) ?? '' };
}

const textViewOf = ({ screen: { view } }: SpokenScene) =>
	isTextView(view) ? textViews[view] : undefined;

/** The lines of a view for the ear. */
function linesOf(lines: readonly Line[]): SpokenLines {
	const spoken = lines.filter(isSpoken);
	return { lineCount: spoken.length, lineAt: at => spokenText(spoken[at] ?? gap) };
}

/** Returns the lines of the open view that Enter opens, each with the index of its spoken line. */
export function spokenChoices(scene: SpokenScene): ChoiceList | undefined {
	const view = textViewOf(scene);
	if (!view?.hasCursor) return undefined;
	const lines = view.lines(scene).filter(isSpoken);
	const choices = lines.flatMap(
		({ id, opens, isCancellable, hasFailed }, line): readonly Choice[] =>
			id === undefined ? [] : [{ id, opens, isCancellable, hasFailed, line }],
	);
	return { choices, top: 0, windowLines: linesPerPage, isSpoken: true };
}

/** Returns how many lines of the open view match its filter. */
export const matchingLineCount = (scene: SpokenScene): number =>
	textViewOf(scene)
		?.lines(scene)
		.filter(({ id }) => id !== undefined).length ?? scene.visibleRows.rows.length;

/** Describes the state of the payment page. */
export const paymentWords = (scene: SpokenScene): readonly string[] =>
	allLines(linesOf(paymentLines(scene).lines));

/** Explains why there are no rows, and says what to do. */
export function emptyWords(scene: SpokenScene): readonly string[] {
	const shown = { ...scene, isPasswordWanted: false, actions: [] };
	return emptyTableLines(shown, scene.visibleRows.allRows.length)
		.map(spokenTextOfSpans)
		.filter(line => line !== '');
}

/** Returns the text that a person moves through: the open details, or otherwise the view. */
export function detailOrViewWords(scene: SpokenScene): ViewWords {
	if (!isTable(scene.screen) || !scene.screen.isDetailOpen) return viewWords(scene);
	return { title: [], ...linesOfTexts(detailWords(scene)) };
}

/**
 * Returns the index of the current line: the row under the cursor in the table, and the scroll position
 * elsewhere.
 */
export function currentLineIndex({ screen, visibleRows }: SpokenScene): number {
	const hasCursor = isTable(screen) && !screen.isDetailOpen;
	return hasCursor ? Math.max(0, cursorIndex(screen, visibleRows.ids)) : screen.scroll;
}

/** Speaks one page of lines from the current line on, and says how many lines follow. */
export function pageWords(scene: SpokenScene): readonly string[] {
	const { lineCount: count, lineAt: line } = detailOrViewWords(scene);
	const from = currentLineIndex(scene);
	const to = Math.min(count, from + linesPerPage);
	const lines = Array.from({ length: Math.max(0, to - from) }, (_, at) => line(from + at));
	const remainingCount = count - to;
	return remainingCount > 0
		? [...lines, `${pluralize(remainingCount, 'more line')}: press page down to continue.`]
		: lines;
}

/** Describes the computer under the cursor in full, one line per property. */
export function detailWords(scene: SpokenScene): readonly string[] {
	const { accounts, screen, visibleRows, now, theme } = scene;
	const row = visibleRows.rows[cursorIndex(screen, visibleRows.ids)];
	const account = accountOfRow(accounts, row)?.state;
	if (!row || !account) return [];
	const { computer, operation } = row;
	const history = changesOfComputer(account, computer.id);
	const context = { ...cellContextsOf(scene)(row), theme };
	const values = detailValues(account, computer, context);
	const failure = failingReadText(account, computer);
	const email = signedInEmailOf(account);
	const own = new Set(email === undefined ? [] : [email]);
	const { parts, note } = dayShares(dayOf(computer, history, now));
	const day = [...parts.map(({ text }) => text), note].map(spellOut).filter(text => text !== '');
	return [
		`${rowWords(row, scene)}.`,
		`Its id is ${computer.id}.`,
		...(operation ? [adviceText(outcomeFromOperation(operation))] : []),
		...(computer.phase === 'error' ? [adviceForError(computer.reading)] : []),
		`Data: ${spellOut(dataAgeText(account, computer, context))}`,
		failure === undefined ? '' : `${failure}.`,
		...values.map(each => `${each.label}: ${spellOut(valueText(each))}`),
		isNotRead('storage', computer, context.listFields)
			? 'Storage: not read yet'
			: percentWords('Storage', computer.reading.storage),
		day.length === 0 ? '' : `The last 24 hours: ${day.join(', ')}`,
		...portWords(row, scene),
		...notesWords(row, scene),
		...history
			.slice(-maxHistoryLines)
			.reverse()
			.map(change => timedChangeWords(change, now, own)),
	].filter(line => line !== '');
}

const maxHistoryLines = 10;

const portWords = (row: FleetRow, scene: SpokenScene): readonly string[] =>
	allLines(linesOf(portLines(row, scene))).map(text =>
		text.startsWith('also') ? text : `Port ${text}`,
	);

function notesWords(row: FleetRow, { accounts }: SpokenScene): readonly string[] {
	const { release } = accountOfRow(accounts, row)?.state ?? {};
	if (!row.isOutdated || !release) return [];
	return allLines(linesOf(releaseNotes(release, Number.POSITIVE_INFINITY)));
}

// The data of a row must be at least this old for its age to be spoken, in milliseconds.
const minSpokenAgeMs = 60_000;

/**
 * Describes a row, as in "atlas: Active, version 1.3.9, update to 1.4.2 available (u), up 6 days 4 hours,
 * CPU 12 percent".
 */
export function rowWords(row: FleetRow, scene: SpokenScene): string {
	const { now } = scene;
	const { id, computer, isOutdated } = row;
	const context = cellContextsOf(scene)(row);
	const { reading } = computer;
	const { version, cpu, memory, ports } = reading;
	const seenAt = context.lastReadAtOf(row);
	const uptime = uptimeOf(computer, Math.min(now, seenAt ?? now));
	const isAtLeast = uptime?.isLowerBound || context.ageOf(row) === 'old';
	const told = textOf(stageSpans(row, context));
	const stage = told === '…' ? 'reason not read yet' : spellOut(told);
	const parts = [
		statusName(computer),
		version ? `version ${version}` : '',
		isOutdated ? `update to ${context.latestVersion} available` : '',
		stage,
		uptime
			? `up ${isAtLeast ? 'at least ' : ''}${spellOut(durationText(uptime.milliseconds))}`
			: '',
		percentWords('CPU', cpu),
		percentWords('memory', memory),
		ports?.length ? `publishes port ${ports.map(({ port }) => port).join(' and ')}` : '',
		notReadWords(computer, context),
		seenAt !== undefined && now - seenAt > minSpokenAgeMs
			? `data ${spellOut(ageText(now - seenAt))} old`
			: '',
	];
	const facts = parts.filter(part => part !== '').join(', ');
	return `${computerNameIn(scene.accounts, id)}: ${facts}`;
}

const spokenFields = {
	version: 'version',
	cpu: 'CPU',
	memory: 'memory',
	ports: 'ports',
} as const satisfies Partial<Record<ReadingField, string>>;

/** Names what nobody has read yet, as in "CPU and memory not read yet". */
function notReadWords(computer: FleetRow['computer'], { listFields }: CellContext): string {
	const names = (Object.keys(spokenFields) as (keyof typeof spokenFields)[])
		.filter(field => isNotRead(field, computer, listFields))
		.map(field => spokenFields[field]);
	const last = names.pop();
	if (last === undefined) return '';
	const all = names.length > 0 ? `${names.join(', ')} and ${last}` : last;
	return `${all} not read yet`;
}

export function percentWords(name: string, value: number | null | undefined): string {
	return typeof value === 'number' ? `${name} ${Math.round(value)} percent` : '';
}

/** Describes a row after its position, as in "3 of 24: cygnus: Stopped, asleep since 06:12". */
export function rowAndPositionWords(
	scene: SpokenScene,
	index = cursorIndex(scene.screen, scene.visibleRows.ids),
) {
	const { rows } = scene.visibleRows;
	const row = rows[index];
	if (!row) return undefined;
	const kept = scene.visibleRows.keptIds.has(row.id) ? 'hidden by the filter, ' : '';
	const mark = scene.screen.marks.has(row.id) ? `marked, ${kept}` : kept;
	return `${index + 1} of ${rows.length}: ${mark}${rowWords(row, scene)}`;
}

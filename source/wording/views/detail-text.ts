import { barSpans } from '../../drawing/chart.ts';
import type { Section } from '../../drawing/section.ts';
import { fitToWidth, type Span, widthOf } from '../../drawing/span.ts';
import { type Change, computerIdOf } from '../../fleet/change.ts';
import type { Operation } from '../../fleet/operations/operation.ts';
import type { Failure } from '../../foundation/failure.ts';
import type { Binding } from '../../keys/binding.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import { percentSparkline } from '../../lines/sparkline.ts';
import type { Theme } from '../../lines/theme.ts';
import { timeTextWithSeconds } from '../../lines/time-text.ts';
import type { OperationsState, PortCheck } from '../../operations/operations-state.ts';
import type { WaitReasonOf } from '../../operations/waiting.ts';
import { cursorIndex, isTable, type Screen } from '../../screen/screen.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import { type FleetRow, signedInEmailOf } from '../../store/selectors.ts';
import type { AccountState } from '../../store/state.ts';
import { usageCells } from '../../store/usage-history.ts';
import { creationSteps } from '../../views/phrases/creation.ts';
import { adviceForError } from '../../views/phrases/error-advice.ts';
import { adviceText, outcomeFromOperation } from '../../views/phrases/outcome.ts';
import { type CellContext, cellContextsOf } from '../table/cell-context.ts';
import { toneOfShare } from '../table/columns.ts';
import { detailPlacement } from '../table/detail-placement.ts';
import { stageSpans, statusCell, uptimeText } from '../table/status-text.ts';
import type { VisibleRows } from '../table/visible-rows.ts';
import { dayStripLines } from './day-strip-text.ts';
import type { DetailSelectors } from './detail-selectors.ts';
import { detailValues, failingReadText } from './detail-values.ts';
import { logEntryPieces } from './log-entry.ts';
import { entriesFrom } from './log-lines.ts';
import { fittedPieces, type LogPiece } from './log-pieces.ts';
import { earliestTimeSpans, glyphSpanOf } from './log-text.ts';
import { type AddressBuilders, type AddressesOf, portsTable } from './ports-table.ts';
import { paragraphLines } from './versions-text.ts';
import { withWholeChanges } from './whole-changes.ts';

//  atlas  ● Active 5d 17h                                                                  1.3.9 ↑ 1.4.2 is out
//  CPU  12 %  ▁▁▂▃▅▇▇▆▃▂▁▁▁▁▂▃▂▁▁▁   Memory  41 %  ▃▃▃▃▃▅▅▅▅▅▅▇▇▇▇▇▇▇▇▇   Storage  73 %  ━━━━━━━╸──
//  24 h  ░░░░░░░░░░░░░█████████████████▼███████████████████████   █ up 78 %  ░ asleep 22 %
//  Id sb_9p8p29seq06p   Address 10.0.0.1   Location eu-north   Created 2025-12-30 07:31
//
//  PORT  STATE             PUBLIC ADDRESS
//  8080  answers, 4 s ago  https://…/v1/p/sb_9p8p29seq06p/8080
//  08:14:07 ● restarted by you in 9 s
//
// What has no value has no line. A computer in trouble says first what is wrong and what to do:
//
//  image pull failed: disk quota exceeded
//  Restart it; if the error comes back, …

type DetailOptions = AddressBuilders & {
	account: AccountState;
	row: FleetRow;
	/** The changes of the computer in `row`, oldest first. */
	history: readonly Change[];
	checks: readonly PortCheck[];
	context: CellContext;
	bindings: readonly Binding[];
	width: number;
	/** Draws the day strip, and may keep it while it stays the same. */
	dayStrip?: typeof dayStripLines | undefined;
};

type Line = readonly Span[];

/** Returns the name and the status, and at the right end the version. */
export function detailTitle({ row, context, width }: DetailOptions): readonly [Line, Line] {
	const { theme, ageOf } = context;
	const { computer, isOutdated } = row;
	const { name, version } = computer.reading;
	const cell = statusCell(row, Number.POSITIVE_INFINITY, context);
	const status = ageOf(row) === 'old' ? cell.map(([text]): Span => [text, 'faint']) : cell;
	const uptime = context.statusAgeOf(row) === undefined ? uptimeText(row, context) : undefined;
	const why = computer.phase === 'stopped' ? stageSpans(row, width, context) : [];
	const left: Line = [
		[name || computer.id, 'strong'],
		['  '],
		...status,
		[uptime ? ` ${uptime}` : ''],
		...(why.length > 0 && !row.operation ? [['  '] as const, ...why] : []),
	];
	if (!version) return [left, []];
	const sign = isOutdated ? ` ${theme.glyphs.updateAvailable}` : '';
	const news = isOutdated ? ` ${context.latestVersion} is out` : '';
	const forms = [`${version}${sign}${news} `, `${version}${sign} `].map(
		(text): Line => [['  '], [text, isOutdated ? 'accent' : undefined]],
	);
	const room = width - 1 - widthOf(left, theme);
	return [left, forms.find(form => widthOf(form, theme) <= room) ?? []];
}

/** Builds the sections of the computer details, most urgent first, because a short screen cuts off the last ones. */
export function detailSections(options: DetailOptions): readonly Section[] {
	const { row, history, context, width, dayStrip = dayStripLines } = options;
	const { now, theme } = context;
	const { computer } = row;
	const ports = computer.reading.ports ?? [];
	const shownUntil = Math.min(now, context.lastReadAtOf(row) ?? now);
	return [
		sectionOfLines(attentionLines(options)),
		sectionOfLines([
			...usageLines(options),
			...dayStrip({ computer, history, now: shownUntil, width, theme }),
			...valueLines(options),
		]),
		ports.length > 0
			? [
					portsTable({ ...options, id: computer.id, rowId: row.id, ports, now, theme }),
					...sectionOfLines(portKeyLines(options)),
				]
			: [],
		sectionOfLines(historyLines(options)),
	];
}

/** The lines of the log about the computer, without its name. The reason of the present error stands above them. */
function historyLines({ account, row, history, context, width }: DetailOptions): readonly Line[] {
	const { now, theme } = context;
	const email = signedInEmailOf(account);
	const own = new Set(email === undefined ? [] : [email]);
	const entries = entriesFrom(withWholeChanges(history.toReversed()), new Set()).flatMap(each =>
		each.type === 'change' ? [each] : [],
	);
	const times = entries.map(({ change }) => timeTextWithSeconds(change.at, now));
	const timeWidth = Math.max(0, ...times.map(({ length }) => length));
	return entries.map((entry, at) => {
		const { change } = entry;
		const begin: Line = [
			[` ${times[at]?.padEnd(timeWidth)} `, 'faint'],
			glyphSpanOf(change, theme),
			[' '],
		];
		const said = withoutError(change, row.computer.reading.error);
		const pieces = withoutName(logEntryPieces({ ...entry, change: said }, own), change);
		const earliest = earliestTimeSpans(change, now).map(span => ({ span }));
		const room = width - widthOf(begin, theme);
		return [...begin, ...fittedPieces([...pieces, ...earliest], room, theme)];
	});
}

function withoutError(change: Change, knownError: string | null | undefined): Change {
	if (change.type !== 'statusChanged' || change.error !== knownError) return change;
	const { error: _, ...rest } = change;
	return rest;
}

function withoutName(pieces: readonly LogPiece[], change: Change): readonly LogPiece[] {
	const [first, ...others] = pieces;
	const named = change.type === 'operationMoved' ? change.wish : change;
	const name = 'name' in named && named.name !== undefined ? named.name : computerIdOf(change);
	if (!first || name === undefined || !first.span[0].startsWith(name)) return pieces;
	const [text, ...look] = first.span;
	return [
		{ ...first, span: [text.slice(name.length).replace(/^(: | is )/, ''), ...look] },
		...others,
	];
}

const sectionOfLines = (lines: readonly Line[]): Section =>
	lines.length > 0 ? [{ type: 'lines', lines }] : [];

/** Says what needs attention: an error with its advice, the steps of a creation, an operation, or a read that failed. */
function attentionLines({ account, row, context, width }: DetailOptions): readonly Line[] {
	const { theme, now } = context;
	const { computer, operation } = row;
	const { failure } = operation ?? {};
	const failing = failingReadText(account, computer);
	const paragraph = (text: string, tone: Span[1]) => paragraphLines(text, '', width, theme, tone);
	const failingLines = failing === undefined ? [] : paragraph(failing, 'busy');
	const isCreation = computer.phase === 'creating' && !failure && !computer.isMissing;
	if (isCreation && computer.reading.stage) {
		const { changes } = account;
		const readAt = context.lastReadAtOf(row) ?? now;
		return [
			...creationSteps(computer, { changes, readAt, now, width, times: theme.times }),
			...failingLines,
		];
	}
	const isError = computer.phase === 'error';
	const isCalm = computer.phase === 'active' || computer.phase === 'stopped';
	if (isCalm && !operation && !computer.isMissing) return failingLines;
	const stage = stageSpans(row, Number.POSITIVE_INFINITY, context);
	const advice = failure
		? adviceAfter(operation as Operation, failure)
		: isError
			? adviceForError(computer.reading)
			: '';
	return [
		...stage.flatMap(([text, tone]) => (text === '' ? [] : paragraph(text, tone))),
		...(advice === '' ? [] : paragraph(advice, undefined)),
		...failingLines,
	];
}

function adviceAfter(operation: Operation, { message }: Failure): string {
	const advice = adviceText(outcomeFromOperation(operation));
	return operation.stage === 'unknown' ? `Last response: ${message}. ${advice}` : advice;
}

const sparklineWidths = [30, 20, 10];
const storageBarWidth = 10;

/** Shows CPU and memory, now and in the last 30 minutes, and the used storage, as far as they are known. */
function usageLines({ row, context, width }: DetailOptions): readonly Line[] {
	const { now, usage, theme } = context;
	const { id, reading } = row.computer;
	const partsWith = (cells: number): readonly Line[] =>
		(['cpu', 'memory', 'storage'] as const).flatMap((kind): readonly Line[] => {
			const percent = reading[kind];
			const isKnown = typeof percent === 'number' && Number.isFinite(percent);
			const history = kind === 'storage' ? [] : usageCells(usage, id, kind, now, cells);
			const hasHistory = history.some(value => value !== undefined);
			if (!isKnown && !hasHistory) return [];
			const text = isKnown ? `${Math.round(percent)} %` : theme.glyphs.noValue;
			const isOlder = context.isOlderThanRow(row, kind);
			const tone = isOlder ? 'faint' : isKnown ? toneOfShare(percent) : 'faint';
			const bar: Line =
				kind === 'storage' && isKnown
					? barSpans(percent / 100, storageBarWidth, theme, 'accent')
					: [[hasHistory ? percentSparkline(history, theme) : '', 'accent']];
			const label: Line = [
				[usageLabels[kind], 'faint'],
				[`${text.padStart(6)}  `, tone],
			];
			return [[...label, ...bar]];
		});
	const forms = sparklineWidths.map(cells => flowing(partsWith(cells), width, theme));
	return forms.find(({ length }) => length <= 1) ?? forms.at(-1) ?? [];
}

const usageLabels = { cpu: 'CPU', memory: 'Memory', storage: 'Storage' };

/** Writes the values that the title does not have. */
function valueLines({ account, row, context, width }: DetailOptions): readonly Line[] {
	const { theme } = context;
	const values = detailValues(account, row.computer, context).filter(
		({ isOnScreen }) => isOnScreen,
	);
	const pairs = [{ label: 'Id', value: [[row.computer.id] as const] }, ...values].map(
		({ label, value }): Line => [[`${label} `, 'faint'], ...value],
	);
	return flowing(pairs, width, theme);
}

/** Writes as many parts in each line as fit. A part that is longer than a line is cut. */
function flowing(parts: readonly Line[], width: number, theme: Theme): readonly Line[] {
	const lines: Line[] = [];
	for (const part of parts) {
		const last = lines.at(-1);
		const joined: Line = [...(last ?? []), ['   '], ...part];
		if (last && widthOf(joined, theme) <= width - 1) lines[lines.length - 1] = joined;
		else lines.push(fitToWidth([[' '], ...part], Math.min(width, widthOf(part, theme) + 1), theme));
	}
	return lines;
}

/** Names the keys for published ports, where operations are allowed. */
function portKeyLines({ bindings, context }: DetailOptions): readonly Line[] {
	const hints = [
		['copyAddress', 'copies the address'],
		['checkPorts', 'checks'],
		...(context.canChange ? [['unpublish', 'unpublishes'] as const] : []),
	] as const;
	const parts = hints.flatMap(([action, words]) => {
		const key = shownKeyOf(bindings, action);
		return key === undefined ? [] : [`${key} ${words}`];
	});
	return [[[` ${parts.join(` ${context.theme.glyphs.separator} `)}`, 'faint']]];
}

export type FleetDetailOptions = {
	accounts: readonly OpenedAccount[];
	addressesOf: AddressesOf;
	bindings: readonly Binding[];
	detailSelectors: DetailSelectors;
	screen: Screen;
	shown: Pick<VisibleRows, 'rows' | 'ids'>;
	operationsState: OperationsState;
	waitingFor: WaitReasonOf;
	width: number;
	lines: number;
	now: number;
	theme: Theme;
};

/**
 * Returns the options for the details of the computer under the cursor, or undefined while the details are
 * not in sight.
 */
export function openDetailOptions(options: FleetDetailOptions): DetailOptions | undefined {
	const { accounts, screen, shown, operationsState, addressesOf, bindings } = options;
	const { historyOf, dayStrip } = options.detailSelectors;
	const row = shown.rows[cursorIndex(screen, shown.ids)];
	const account = accountOfRow(accounts, row)?.state;
	const { place, width } = detailPlacement(screen, options.width, accounts.length);
	if (!row || !account || place === 'hidden' || !isTable(screen)) return undefined;
	const history = historyOf(account, row.computer.id);
	const { portChecks: checks } = operationsState;
	const context = cellContextsOf(options)(row);
	const addresses = addressesOf(row.account);
	return {
		account,
		row,
		history,
		checks,
		context,
		...addresses,
		bindings,
		width,
		dayStrip,
	};
}

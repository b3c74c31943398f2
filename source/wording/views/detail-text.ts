import { barSpans } from '../../drawing/chart.ts';
import { detailPlacement } from '../../drawing/layout.ts';
import {
	labelValueLines,
	labelValueSpans,
	labelWidth,
	type Section,
} from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Change } from '../../fleet/change.ts';
import type { Reading } from '../../fleet/computers/computer.ts';
import type { Operation } from '../../fleet/operations/operation.ts';
import type { Failure } from '../../foundation/failure.ts';
import type { OperationsState, PortCheck } from '../../operations/operations-state.ts';
import type { WaitReasonOf } from '../../operations/waiting.ts';
import { cursorIndex, isTable, type Screen } from '../../screen/screen.ts';
import { historyOf } from '../../store/change-log.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { Row } from '../../store/selectors.ts';
import type { AccountState } from '../../store/state.ts';
import { adviceText, outcomeFromOperation } from '../phrases/outcome-text.ts';
import { type CellContext, cellContextsOf } from '../table/cell-context.ts';
import { stageSpans, statusSpans, uptimeText } from '../table/status-text.ts';
import type { VisibleRows } from '../table/visible-rows.ts';
import { dayStripLines } from './day-strip-text.ts';
import { detailValues } from './detail-values.ts';
import { createLogLineFormatter } from './log-text.ts';
import { type AddressBuilders, type AddressesOf, portsTable } from './ports-table.ts';
import { paragraphLines, releaseNotesLines } from './versions-text.ts';

type DetailOptions = AddressBuilders & {
	account: AccountState;
	row: Row;
	/** The changes of the computer in `row`, oldest first. */
	history: readonly Change[];
	checks: readonly PortCheck[];
	context: CellContext;
	width: number;
};

//  atlas  sb_atlas01                                                      ● Active   6d 4h
//  Address   10.0.0.2                         Version   1.4.2 (latest)
//  Status    active since 2026-11-15 04:12    Seen      4s ago, by the list
//  Created   2026-11-14 07:31 (7d ago)        Plan      Pro, auto-sleep after 30 min idle
//  CPU       ━━━╸───────────── 12%   Memory    ━━━━━━━━━╸─────── 41%   Storage   ━━━╸──── 18%
//  Last 24 h ██████████████░░░░░░░░░█████████████████████████████████████████████████████
//            █ active 90%  ░ stopped 10%
//  PORT   PUBLIC ADDRESS                          LAST CHECK
//  8080   https://…/v1/p/sb_atlas01/8080          answers, 4s ago
//  08:14  ● atlas: starting → active in 8s

export function detailTitle({ row, context }: DetailOptions): readonly [Span[], Span[]] {
	const { computer } = row;
	const { name } = computer.reading;
	const uptime = uptimeText(row, context);
	const up: Span = [uptime === undefined ? ' ' : `  ${uptime} `];
	const left: Span[] = name
		? [
				[name, 'strong'],
				[`  ${computer.id}`, 'faint'],
			]
		: [[computer.id, 'strong']];
	const status = statusSpans(computer, context.theme);
	const isOld = context.ageOf(row) === 'old';
	const right = isOld ? [...status, up].map(([text]): Span => [text, 'faint']) : [...status, up];
	return [left, [['  '], ...right]];
}

/**
 * Builds the sections of the computer details, most urgent first, because a short screen cuts off the last
 * sections.
 */
export function detailSections(options: DetailOptions): readonly Section[] {
	const { account, row, history, context, width } = options;
	const { now, theme } = context;
	const { computer } = row;
	const { reading } = computer;
	const ports = reading.ports ?? [];
	const release = row.isOutdated ? account.release : undefined;
	const notes = release ? releaseNotesLines(release, width, theme) : [];
	return [
		sectionOfLines([
			...stageLines(options),
			...labelValueLines(detailValues(account, computer, context), width, theme),
		]),
		sectionOfLines([
			...usageLines(reading, width, theme),
			...dayStripLines({ computer, history, now, width, theme }),
		]),
		ports.length > 0
			? [portsTable({ ...options, id: computer.id, rowId: row.id, ports, now, theme })]
			: [],
		release ? sectionOfLines([[[` New in ${release.version}`, 'strong']], ...notes]) : [],
		sectionOfLines(
			history.toReversed().map(createLogLineFormatter(history, { now, width, theme })),
		),
	];
}

const sectionOfLines = (lines: readonly (readonly Span[])[]): Section =>
	lines.length > 0 ? [{ type: 'lines', lines }] : [];

/** Shows the stage of the computer in one line, or its error in as many lines as the text needs. */
function stageLines({ row, context, width }: DetailOptions): readonly (readonly Span[])[] {
	const stage = stageSpans(row, width - 2, context);
	if (stage.every(([text]) => text === '')) return [];
	const { failure } = row.operation ?? {};
	const hasError = failure !== undefined || row.computer.phase === 'error';
	if (!hasError) return [[[' '], ...stage]];
	const { theme } = context;
	return [
		...stage.flatMap(([text, token]) => paragraphLines(text, '', width, theme, token)),
		...(row.operation && failure
			? paragraphLines(adviceAfter(row.operation, failure), '', width, theme, 'faint')
			: []),
	];
}

function adviceAfter(operation: Operation, { message }: Failure): string {
	const advice = adviceText(outcomeFromOperation(operation));
	return operation.stage === 'unknown' ? `Last response: ${message}. ${advice}` : advice;
}

//  CPU       ━━━╸───────────── 12%   Memory ━━━━━━━━━╸─────── 41%   Storage ━━━╸────── 18%

const minOneLineWidth = 72;
const maxBarWidth = 24;

// The cells that the label, the percentage and the gaps take beside each bar.
const widthBesideBar = labelWidth + 8;

/** Draws a bar for each of CPU, memory and storage that the platform reports. */
function usageLines(
	{ cpu, memory, storage }: Reading,
	width: number,
	theme: Theme,
): readonly (readonly Span[])[] {
	const usages = [
		['CPU', cpu],
		['Memory', memory],
		['Storage', storage],
	] as const;
	const reported = usages.flatMap(([label, value]) =>
		typeof value === 'number' && Number.isFinite(value) ? [{ label, value }] : [],
	);
	const isInOneLine = width >= minOneLineWidth && reported.length > 1;
	const room = isInOneLine
		? Math.floor(width / reported.length) - widthBesideBar
		: width - widthBesideBar;
	const bars = reported.map(({ label, value }) =>
		labelValueSpans(label, [
			...barSpans(value / 100, Math.min(maxBarWidth, room), theme, 'accent'),
			[`${String(Math.round(value)).padStart(4)}%  `],
		]),
	);
	return isInOneLine ? [bars.flat()] : bars;
}

export type FleetDetailOptions = {
	accounts: readonly OpenedAccount[];
	addressesOf: AddressesOf;
	screen: Screen;
	shown: Pick<VisibleRows, 'rows' | 'ids'>;
	operationsState: OperationsState;
	waitingFor: WaitReasonOf;
	width: number;
	now: number;
	theme: Theme;
};

/**
 * Returns the options for the details of the computer under the cursor, or undefined while the details are
 * closed.
 */
export function openDetailOptions(options: FleetDetailOptions): DetailOptions | undefined {
	const { accounts, screen, shown, operationsState, addressesOf } = options;
	const row = shown.rows[cursorIndex(screen, shown.ids)];
	const account = accountOfRow(accounts, row)?.state;
	if (!row || !account || !screen.isDetailOpen || !isTable(screen)) return undefined;
	const { width } = detailPlacement(options.width);
	const history = historyOf(account, row.computer.id);
	const { portChecks: checks } = operationsState;
	const context = cellContextsOf(options)(row);
	return { account, row, history, checks, context, ...addressesOf(row.account), width };
}

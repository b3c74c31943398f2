import { type LabelledValue, labelValueLines, type Section } from '../../drawing/section.ts';
import { type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Change } from '../../fleet/change.ts';
import type { Binding } from '../../keys/binding.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import type { OperationsState, PortCheck } from '../../operations/operations-state.ts';
import type { WaitReasonOf } from '../../operations/waiting.ts';
import { cursorIndex, isTable, type Screen } from '../../screen/screen.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import { type FleetRow, signedInEmailOf } from '../../store/selectors.ts';
import type { AccountState } from '../../store/state.ts';
import { type CellContext, cellContextsOf } from '../table/cell-context.ts';
import { detailPlacement } from '../table/detail-placement.ts';
import { statusSpans, uptimeText } from '../table/status-text.ts';
import type { VisibleRows } from '../table/visible-rows.ts';
import { dayStripLines } from './day-strip-text.ts';
import type { DetailSelectors } from './detail-selectors.ts';
import { stageParts } from './detail-stage.ts';
import { dataAgeText, detailValues, listedDetailValues } from './detail-values.ts';
import { type AddressBuilders, type AddressesOf, portsTable } from './ports-table.ts';
import { storyLines } from './story-text.ts';
import { minLinesForPlaces, usageParts } from './usage-charts.ts';
import { releaseNotesSection } from './versions-text.ts';

type DetailOptions = AddressBuilders & {
	account: AccountState;
	row: FleetRow;
	/** The changes of the computer in `row`, oldest first. */
	history: readonly Change[];
	checks: readonly PortCheck[];
	context: CellContext;
	bindings: readonly Binding[];
	width: number;
	/** How many lines the details have. */
	lines: number;
	/** Draws the day strip, and may keep it while it stays the same. */
	dayStrip?: typeof dayStripLines | undefined;
};

//  atlas  sb_9p8p29seq06p  10.0.0.1  eu-north  1.4.2 (latest)          ● Active  5d 17h   data 1 s old
//  CPU        12 %  ▁▁▂▃▅▇▇▆▃▂▁▁▁▁▂▃▂▁▁▁           Memory     41 %  ▃▃▃▃▃▅▅▅▅▅▅▇▇▇▇▇▇▇▇▇
//  Storage    73 %  ━━━━━━━━━━━━━━╸─────           Created   2026-11-14 07:31 (7 d ago)
//  24 h       ░░░░░░░░░░░░░█████████████████▼███████████████████████████████████████████████
//             █ up 78 %  ░ asleep 22 %                                ▼ 08:14 restarted by you
//  PORT  STATE             PUBLIC ADDRESS
//  8080  answers, 4 s ago  https://…/v1/p/sb_9p8p29seq06p/8080
//  08:14:07   restarted by you (9 s)

/** The parts of the title that have room beside the status and the age of the data. */
function titleParts(options: DetailOptions) {
	const { account, row, context, width } = options;
	const { theme } = context;
	const { computer } = row;
	const { name } = computer.reading;
	const uptime = uptimeText(row, context);
	const age = context.ageOf(row);
	const left: Span[] = [[name || computer.id, 'strong']];
	// If there is little room, the uptime is dropped. The status and the age of the data always stay.
	const whole = `data ${dataAgeText(account, computer, context)}`.padStart(minDataAgeWidth);
	const withoutOrigin = whole.replace(/ \(.*/, '');
	const withUptime = [...statusSpans(computer, theme), [uptime ? `  ${uptime}` : ''] as const];
	const forms = [
		[withUptime, whole],
		[withUptime, withoutOrigin],
		[statusSpans(computer, theme), withoutOrigin],
	] as const;
	const [right = []] = forms
		.map(([status, data]): readonly Span[] => [
			['  '],
			...(age === 'old' ? status.map(([text]): Span => [text, 'faint']) : status),
			[`  ${data} `, age === 'fresh' ? 'faint' : 'busy'],
		])
		.filter(
			(spans, at) => at === forms.length - 1 || widthOf([...left, ...spans], theme) + 1 <= width,
		);
	const values = [
		...(name ? [{ label: idLabel, value: [[computer.id, 'faint'] as const] }] : []),
		...detailValues(account, computer, context).filter(({ isForTitle }) => isForTitle),
	];
	const labels = new Set<string>();
	let usualRoom = width - 1 - usualTitleWidth;
	let room = width - 1 - widthOf([...left, ...right], theme);
	for (const label of titleLabels) {
		const found = values.find(each => each.label === label)?.value ?? [];
		const isUnread = found[0]?.[0] === theme.glyphs.notRead;
		const value = isUnread ? [[`${label.toLowerCase()} `, 'faint'] as const, ...found] : found;
		usualRoom -= usualValueWidths[label];
		room -= value.length > 0 ? 2 + widthOf(value, theme) : 0;
		if (usualRoom < 0 || room < 0) break;
		if (value.length > 0) left.push(['  '], ...value);
		labels.add(label);
	}
	return { left, right, labels };
}

const idLabel = 'Id';

// The title has the values that usually fit beside a name, the status and the age of the data. What it has depends only on
// its width and hardly ever on the values, so that they keep their places from one computer to the next.
const usualTitleWidth = 42;
const usualValueWidths = { [idLabel]: 17, Address: 15, Location: 10, Version: 22 } as const;
const titleLabels = [idLabel, 'Address', 'Location', 'Version'] as const;

// Wide enough for “data 59 s old”, so that the status does not move when the age gets another digit.
const minDataAgeWidth = 13;

export function detailTitle(options: DetailOptions): readonly [readonly Span[], readonly Span[]] {
	const { left, right } = titleParts(options);
	return [left, right];
}

/** Builds the sections of the computer details, most urgent first, because a short screen cuts off the last ones. */
export function detailSections(options: DetailOptions): readonly Section[] {
	const { account, row, history, context, width, lines, dayStrip = dayStripLines } = options;
	const { now, theme } = context;
	const { computer } = row;
	const ports = computer.reading.ports ?? [];
	const release = row.isOutdated ? account.release : undefined;
	const email = signedInEmailOf(account);
	const usage = usageParts(row, options, context);
	const { stage, advice } = stageParts(options);
	// Where there is room, the stage has a line also while nothing is going on, so that the values below it never move.
	const hasStageLine = lines >= minLinesForPlaces;
	const stageLines = stage.length === 0 && hasStageLine ? [[]] : stage;
	const hasCharts = usage.charts.length > 0;
	return [
		sectionOfLines(hasStageLine && !hasCharts ? [] : stageLines),
		sectionOfLines([
			...(hasStageLine && !hasCharts ? stageLines : []),
			...usage.charts,
			...labelValueLines([...usage.values, ...otherValues(options)], width, theme),
			...dayStrip({
				computer,
				history,
				email,
				now: Math.min(now, context.lastReadAtOf(row) ?? now),
				width,
				theme,
			}),
			...advice,
		]),
		ports.length > 0
			? [
					portsTable({ ...options, id: computer.id, rowId: row.id, ports, now, theme }),
					...sectionOfLines(portKeyLines(options)),
				]
			: [],
		release ? releaseNotesSection(release, width, theme) : [],
		sectionOfLines(storyLines(history, { now, email, theme })),
	];
}

/** Returns the values that the title has no room for. */
function otherValues(options: DetailOptions): readonly LabelledValue[] {
	const { account, row, context } = options;
	const { labels } = titleParts(options);
	const { id } = row.computer;
	const others = listedDetailValues(account, row.computer, context, labels).map(
		({ label, value }): LabelledValue => [label, value],
	);
	return labels.has(idLabel) ? others : [[idLabel, [[id]]], ...others];
}

/** Names the keys for published ports, where operations are allowed. */
function portKeyLines({ bindings, context }: DetailOptions): readonly (readonly Span[])[] {
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

const sectionOfLines = (lines: readonly (readonly Span[])[]): Section =>
	lines.length > 0 ? [{ type: 'lines', lines }] : [];

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
	const { accounts, screen, shown, operationsState, addressesOf, bindings, lines } = options;
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
		...{ account, row, history, checks, context, ...addresses },
		...{ bindings, width, lines, dayStrip },
	};
}

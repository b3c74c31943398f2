import {
	isNotRead,
	omittedPortCount,
	type ReadingField,
	readingFields,
	readingRows,
} from '../fleet/computers/computer.ts';
import { autoSleepText } from '../fleet/computers/stop-reason.ts';
import { phaseStartOf } from '../fleet/computers/uptime.ts';
import { isBehind } from '../fleet/filters/order.ts';
import { latestOf, logEntries } from '../fleet/log-entries.ts';
import { capitalized } from '../foundation/letter-case.ts';
import {
	flowing,
	type LabelledValue,
	type Line,
	line,
	paragraph,
	parted,
	valueLines,
} from '../lines/line.ts';
import { fitParts, type Part, rightPart } from '../lines/parts.ts';
import { cellsOf, endOf, fitTo, type Span, textOf } from '../lines/span.ts';
import { type Column, table } from '../lines/table.ts';
import { timeText, timeTextWithSeconds } from '../lines/time-text.ts';
import { changesOfComputer } from '../store/change-log.ts';
import { accountOfRow, type FleetRow } from '../store/selectors.ts';
import { dayStripLines } from './day-strip.ts';
import { keyHints } from './dialogs/dialog.ts';
import { columns } from './fleet/columns.ts';
import {
	freshnessOf,
	isErrorShown,
	stageSpans,
	statusCell,
	statusWord,
	uptimeText,
} from './fleet/status.ts';
import { rowUnderCursor } from './look/cursor.ts';
import { creationSteps } from './phrases/creation.ts';
import { entrySpans, ownEmailsIn } from './phrases/entry.ts';
import { adviceForError } from './phrases/error-advice.ts';
import { adviceText, outcomeFromOperation } from './phrases/outcome.ts';
import type { Scene, View } from './scene.ts';

//  atlas  ● Active 5d 17h                                                                  1.3.9 ↑ 1.4.2 is out
//  CPU  12 %  ▁▁▂▃▅▇▇▆▃▂▁▁▁▁▂▃▂▁▁▁   Memory  41 %  ▃▃▃▃▃▅▅▅▅▅▅▇▇▇▇▇▇▇▇▇   Storage  73 %  ━━━━━━━╸──
//  24 h  ░░░░░░░░░░░░░█████████████████▼███████████████████████   █ up 78 %  ░ asleep 22 %
//  Id sb_9p8p29seq06p   Address 10.0.0.1   Location eu-north   Created 2025-12-30 07:31
//  PORT  STATE             PUBLIC ADDRESS
//  8080  answers, 4 s ago  https://…/v1/p/sb_9p8p29seq06p/8080

/** The most urgent things come first, because a short screen cuts off the last lines. */
export const detail: View = {
	title(scene) {
		const seen = seenIn(scene);
		if (!seen) return [[], []];
		const { row, opened } = seen;
		const { computer, isBehind } = row;
		const { name, version } = computer.reading;
		const cell = statusCell(row, scene);
		const { isOld, lagMs } = freshnessOf(row, scene);
		const uptime = lagMs === undefined ? uptimeText(row, scene) : undefined;
		const isExplained = computer.phase === 'stopped' && !row.operation;
		const why = isExplained ? stageSpans(row, scene) : [];
		const tone = isBehind ? 'accent' : undefined;
		const known = version ? `  ${version}${isBehind ? ' ↑' : ''}` : '';
		const news = version && isBehind ? ` ${opened.state.release?.version} is out` : '';
		const left: readonly Span[] = [
			[name || computer.id, 'strong'],
			['  '],
			...(isOld ? cell.map(([text]): Span => [text, 'faint']) : cell),
			[uptime ? ` ${uptime}` : ''],
			[why.length > 0 ? '  ' : ''],
			...why,
		];
		const parts: readonly Part[] = [
			{ spans: left, drop: 0 },
			rightPart(1, known, tone),
			rightPart(2, news, tone),
		];
		return [fitParts(parts, scene.width - 2, ''), [[' ']]];
	},
	lines(scene) {
		const seen = seenIn(scene);
		if (!seen) return [];
		const { row, history } = seen;
		return parted(
			attentionLines(seen, scene),
			[
				...usageLines(seen, scene),
				...dayStripLines(row.computer, history, freshnessOf(row, scene).readAt, scene.width),
				...valueLinesOf(seen, scene),
			],
			[...portLines(row, scene), ...portKeyLines(seen, scene)],
			historyLines(seen, scene),
		);
	},
};

type Seen = NonNullable<ReturnType<typeof seenIn>>;

export function seenIn(scene: Scene) {
	const row = rowUnderCursor(scene);
	const opened = accountOfRow(scene.accounts, row);
	if (!row || !opened) return undefined;
	const history = changesOfComputer(opened.state, row.computer.id);
	return { row, opened, history };
}

function attentionLines({ row, opened: { state } }: Seen, scene: Scene): readonly Line[] {
	const { width } = scene;
	const { computer, operation } = row;
	const { phase, reading, isMissing, id } = computer;
	const { failing } = state.computerReads.get(id) ?? {};
	const { failure } = failing?.status ?? failing?.detail ?? {};
	const failed = failure
		? paragraph(`The next read failed: ${failure.message}`, width, 'busy')
		: [];
	if (phase === 'creating' && !operation?.failure && !isMissing && reading.stage) {
		const steps = creationSteps(computer, state.changes, freshnessOf(row, scene).readAt, scene);
		return [...steps.map(spans => ({ spans })), ...failed];
	}
	const isCalm = phase === 'active' || phase === 'stopped';
	if (isCalm && !operation && !isMissing) return failed;
	const stage = stageSpans(row, scene);
	const stageText = textOf(stage);
	const advice = adviceFor(row);
	return [
		...(stageText === '' ? [] : paragraph(stageText, width, stage[0]?.[1])),
		...(advice === '' ? [] : paragraph(advice, width)),
		...failed,
	];
}

function adviceFor(row: FleetRow): string {
	const { computer, operation } = row;
	if (!operation?.failure || isErrorShown(row))
		return computer.phase === 'error' ? adviceForError(computer.reading) : '';
	const advice = adviceText(outcomeFromOperation(operation));
	const { message } = operation.failure;
	return operation.stage === 'unknown' ? `Last response: ${message}. ${advice}` : advice;
}

const minWidthForLongCharts = 100;

function usageLines({ row }: Seen, scene: Scene): readonly Line[] {
	const { width } = scene;
	const cells = width < minWidthForLongCharts ? 10 : 20;
	const cellOf = (column: string) =>
		columns.find(({ name }) => name === column)?.cell(row, scene, cells) ?? [];
	const values = ['cpu', 'memory', 'storage'].map((name): LabelledValue => {
		const drawn = width === Infinity ? [] : cellOf(`${name}-history`);
		const value: readonly Span[] = [...fitTo(cellOf(name), 4, 'right'), [' '], ...drawn];
		const label = name === 'cpu' ? 'CPU' : capitalized(name);
		return [label, textOf(value).trim() === '' ? [] : value];
	});
	return flowingValues(values, width);
}

/** Without a width, as for speech, each value has a line, and what has no value has none. */
function flowingValues(values: readonly LabelledValue[], width: number): readonly Line[] {
	const known = values.filter(([, value]) => value.length > 0);
	if (width === Infinity) return valueLines(known);
	const parts = known.map(([label, value]): readonly Span[] => [[`${label} `, 'faint'], ...value]);
	return flowing(parts, width, '   ');
}

function valueLinesOf({ row, opened: { state } }: Seen, scene: Scene): readonly Line[] {
	const { now, times, width } = scene;
	const { computer } = row;
	const { reading } = computer;
	const { subscription, release, listFields, computerReads } = state;
	const isHeard = width === Infinity;
	const ifRead = (field: ReadingField, value: readonly Span[]): readonly Span[] =>
		isNotRead(field, computer, listFields) ? [[isHeard ? 'not read yet' : '…', 'faint']] : value;
	const texts = readingFields.flatMap((field): readonly LabelledValue[] => {
		const { label } = readingRows[field];
		const text = String(reading[field] ?? '');
		return label === undefined ? [] : [[label, ifRead(field, text === '' ? [] : [[text]])]];
	});
	const past = (at: number | null | undefined): readonly Span[] =>
		typeof at === 'number' ? [[timeText(at, now)], [` (${times.ago(now - at)})`, 'faint']] : [];
	const since = phaseStartOf(computer);
	const { toldAt } = freshnessOf(row, scene);
	const isRestored = toldAt === computerReads.get(computer.id)?.restoredFrom;
	const origin = isRestored ? ' (from an earlier run)' : '';
	const age = toldAt === undefined ? '…' : `${times.duration(now - toldAt)} old${origin}`;
	const time = since.isLowerBound
		? ` for at least ${times.duration(Math.max(0, (toldAt ?? now) - since.at))}`
		: ` since ${timeText(since.at, now)}`;
	const status = reading.status === undefined ? 'not reported' : statusWord(reading.status);
	const plan =
		subscription && `${subscription.planName}, auto-sleep ${autoSleepText(subscription.plan)}`;
	// The screen has no room for what its header, the title, the log and the table of ports tell.
	const heard: readonly LabelledValue[] = [
		['Data', [[age]]],
		['Version', ifRead('version', versionSpans(reading.version, release?.version))],
		['Status', [[status], [time, 'faint']]],
		['Started', past(reading.startedAt)],
		['Changed', past(reading.updatedAt)],
		['Plan', plan ? [[plan]] : []],
		['Ports', ifRead('ports', [])],
	];
	const values: readonly LabelledValue[] = [
		['Id', [[computer.id]]],
		...(isHeard ? heard : []),
		...texts,
		['Created', past(reading.createdAt)],
	];
	return flowingValues(values, width);
}

function versionSpans(
	version: string | null | undefined,
	latest: string | undefined,
): readonly Span[] {
	if (!version) return [[`unknown${latest ? `, latest is ${latest}` : ''}`, 'faint']];
	if (isBehind(version, latest)) return [[version], [` ↑ ${latest} is out`, 'accent']];
	return version === latest ? [[version], [' (latest)', 'faint']] : [[version]];
}

export function portLines(
	{ id: rowId, account, computer }: FleetRow,
	{ addressesOf, operationsState, now, times, width }: Scene,
): readonly Line[] {
	const { ports } = computer.reading;
	if (!ports || ports.length === 0) return [];
	const { publicAddress, shareAddress } = addressesOf(account);
	const stateOf = (port: number) => {
		const check = operationsState.portChecks.find(each => each.id === rowId && each.port === port);
		if (!check) return 'not checked';
		if (check.state === 'asking') return 'checking';
		const answer = check.state === 'answers' ? 'answers' : 'nothing answers';
		const result = check.state === 'failed' ? check.failure.message : answer;
		return `${result}, ${times.ago(now - check.checkedAt)}`;
	};
	type Row = { name?: string; state?: string; url: string };
	const rows = ports.flatMap(({ port, url, shareToken }): Row[] => [
		{ name: String(port), state: stateOf(port), url: url ?? publicAddress(computer.id, port) },
		...(shareToken === undefined ? [] : [{ state: 'shared link', url: shareAddress(shareToken) }]),
	]);
	const omitted = omittedPortCount({ ports });
	if (omitted > 0) rows.push({ url: `and ${omitted} more, which crowsnest does not read` });
	const columns: readonly Column<Row>[] = [
		{ title: 'PORT', align: 'right', min: 5, cell: ({ name = '' }) => [[name]] },
		{ title: 'STATE', drop: 1, min: 5, cell: ({ state = '' }) => [[state]] },
		{ title: 'PUBLIC ADDRESS', min: 20, cell: ({ url }, cells) => link(url, cells) },
	];
	return table(columns, rows, width, () => ({}));
}

function link(url: string, cells: number): readonly Span[] {
	const text = cellsOf(url) > cells ? `…${endOf(url, cells - 1)}` : url;
	return [[text, 'accent', { type: 'link', url }]];
}

function portKeyLines(
	{ row, opened: { profile } }: Seen,
	{ actions, canChange }: Scene,
): readonly Line[] {
	if (!row.computer.reading.ports?.length || actions.length === 0) return [];
	const hints = [
		['copyAddress', 'copies the address'],
		['checkPorts', 'checks'],
		['unpublish', 'unpublishes'],
	] as const;
	const allowed = hints.filter(
		([action]) => (canChange && !profile.isReadOnly) || action !== 'unpublish',
	);
	return [line([keyHints(actions, allowed).join(' · '), 'faint'])];
}

/** The name and the reason of the present error stand above these lines. */
function historyLines({ opened, row, history }: Seen, { now, width }: Scene): readonly Line[] {
	const knownError = row.computer.reading.error;
	const entries = logEntries(
		history.map(change =>
			change.type === 'statusChanged' && change.error === knownError
				? { ...change, error: undefined }
				: change,
		),
	);
	const own = ownEmailsIn([opened]);
	const timed = entries.map(entry => ({
		entry,
		time: ` ${timeTextWithSeconds(latestOf(entry).at, now)} `,
	}));
	const timeWidth = Math.max(0, ...timed.map(({ time }) => time.length));
	return timed.map(({ entry, time }) => ({
		spans: entrySpans(time.padEnd(timeWidth), entry, { own, width, isBelowName: true }),
	}));
}

import type { Change } from '../fleet/change.ts';
import {
	omittedPortCount,
	type ReadingField,
	readingFields,
	readingRows,
} from '../fleet/computers/computer.ts';
import { isNotRead } from '../fleet/computers/not-read.ts';
import { autoSleepText } from '../fleet/computers/stop-reason.ts';
import { phaseStartOf } from '../fleet/computers/uptime.ts';
import { isOutdated } from '../fleet/computers/version.ts';
import { latestOf, logEntries } from '../fleet/log-entries.ts';
import { bar, sparkline } from '../lines/bar.ts';
import { flowing, type LabelledValue, type Line, line, paragraph, parted } from '../lines/line.ts';
import { cellsOf, endOf } from '../lines/measure.ts';
import { fitParts, type Part } from '../lines/parts.ts';
import { type Span, textOf } from '../lines/span.ts';
import { type Column, table } from '../lines/table.ts';
import { timeText, timeTextWithSeconds } from '../lines/time-text.ts';
import { changesOfComputer } from '../store/change-log.ts';
import { statusAnswerOf } from '../store/freshness.ts';
import { accountOfRow, type OpenedAccount } from '../store/opened-accounts.ts';
import type { FleetRow } from '../store/selectors.ts';
import type { ComputerState } from '../store/state.ts';
import { usageCells } from '../store/usage-history.ts';
import { dayStripLines } from './day-strip.ts';
import { keyHints } from './dialogs/dialog.ts';
import { type CellContext, cellContextsOf } from './fleet/cell-context.ts';
import { toneOfShare } from './fleet/columns.ts';
import { isErrorShown, stageSpans, statusCell, statusWord, uptimeText } from './fleet/status.ts';
import { entrySpans, ownEmailsIn } from './log.ts';
import { cursorIndex } from './look/cursor.ts';
import { creationSteps } from './phrases/creation.ts';
import { adviceForError } from './phrases/error-advice.ts';
import { adviceText, outcomeFromOperation } from './phrases/outcome.ts';
import type { Scene } from './scene.ts';
import type { View } from './view.ts';

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
		const { row, context } = seen;
		const { computer, isOutdated } = row;
		const { name, version } = computer.reading;
		const cell = statusCell(row, context);
		const isOld = context.ageOf(row) === 'old';
		const uptime = context.statusAgeOf(row) === undefined ? uptimeText(row, context) : undefined;
		const isExplained = computer.phase === 'stopped' && !row.operation;
		const why = isExplained ? stageSpans(row, context) : [];
		const tone = isOutdated ? 'accent' : undefined;
		const known = version ? `  ${version}${isOutdated ? ' ↑' : ''}` : '';
		const news = version && isOutdated ? ` ${context.account.release?.version} is out` : '';
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
			{ spans: [[known, tone]], drop: 1, isRight: true },
			{ spans: [[news, tone]], drop: 2, isRight: true },
		];
		return [fitParts(parts, scene.width - 2, ''), [[' ']]];
	},
	lines(scene) {
		const seen = seenIn(scene);
		if (!seen) return [];
		const { row, history, context } = seen;
		const { now, width } = scene;
		const readAt = Math.min(now, context.lastReadAtOf(row) ?? now);
		return parted(
			attentionLines(seen, scene),
			[
				...usageLines(seen, scene),
				...dayStripLines(row.computer, history, readAt, width),
				...valueLinesOf(seen, scene),
			],
			[...portLines(row, scene), ...portKeyLines(seen, scene)],
			historyLines(seen, scene),
		);
	},
};

type Seen = {
	row: FleetRow;
	opened: OpenedAccount;
	history: readonly Change[];
	context: CellContext;
};

export function seenIn(scene: Scene): Seen | undefined {
	const { accounts, screen, shown } = scene;
	const row = shown.rows[cursorIndex(screen, shown.ids)];
	const opened = accountOfRow(accounts, row);
	if (!row || !opened) return undefined;
	const history = changesOfComputer(opened.state, row.computer.id);
	return { row, opened, history, context: cellContextsOf(scene)(row) };
}

function attentionLines({ row, context }: Seen, scene: Scene): readonly Line[] {
	const { now, width } = scene;
	const { computer, operation } = row;
	const { account } = context;
	const { phase, reading, isMissing, id } = computer;
	const { failing } = account.computerReads.get(id) ?? {};
	const { failure } = failing?.status ?? failing?.detail ?? {};
	const failed = failure
		? paragraph(`The next read failed: ${failure.message}`, width, 'busy')
		: [];
	if (phase === 'creating' && !operation?.failure && !isMissing && reading.stage) {
		const readAt = context.lastReadAtOf(row) ?? now;
		const steps = creationSteps(computer, account.changes, readAt, scene);
		return [...steps.map(spans => ({ spans })), ...failed];
	}
	const isCalm = phase === 'active' || phase === 'stopped';
	if (isCalm && !operation && !isMissing) return failed;
	const stage = stageSpans(row, context);
	const told = textOf(stage);
	const advice = adviceFor(row);
	return [
		...(told === '' ? [] : paragraph(told, width, stage[0]?.[1])),
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

const usages = [
	['cpu', 'CPU'],
	['memory', 'Memory'],
	['storage', 'Storage'],
] as const;
const gapOfParts = '   ';
const minWidthForLongCharts = 100;
/** Where each value has a line of its own. */
const labelWidth = 11;
const storageBarWidth = 10;

function usageLines({ row, context }: Seen, { now, width }: Scene): readonly Line[] {
	const { id, reading } = row.computer;
	const cells = width < minWidthForLongCharts ? 10 : 20;
	const parts = usages.flatMap(([kind, name]): readonly Span[][] => {
		const percent = reading[kind];
		const isKnown = typeof percent === 'number' && Number.isFinite(percent);
		const history =
			kind === 'storage' ? [] : usageCells(context.account.usage, id, kind, now, cells);
		const hasHistory = history.some(value => value !== undefined);
		if (!isKnown && !hasHistory) return [];
		const text = isKnown ? `${Math.round(percent)} %` : '–';
		if (width === Infinity) return [[[name.padEnd(labelWidth), 'faint'], [text]]];
		const tone = !isKnown || context.isOlderThanRow(row, kind) ? 'faint' : toneOfShare(percent);
		const chart: readonly Span[] =
			kind === 'storage' && isKnown
				? bar(percent / 100, storageBarWidth, 'accent')
				: [[hasHistory ? sparkline(history) : '', 'accent']];
		return [[[name, 'faint'], [`${text.padStart(6)}  `, tone], ...chart]];
	});
	return flowing(parts, width, gapOfParts);
}

function valueLinesOf({ row: { computer }, context }: Seen, { width }: Scene): readonly Line[] {
	const isHeard = width === Infinity;
	const values = valuesOf(computer, context, isHeard).filter(([, value]) => value.length > 0);
	const parts = values.map(([label, value]): readonly Span[] =>
		isHeard
			? [[label.padEnd(labelWidth), 'faint'], [textOf(value).replace(/^…/, 'not read yet')]]
			: [[`${label} `, 'faint'], ...value],
	);
	return flowing(parts, width, gapOfParts);
}

const firstTexts: readonly ReadingField[] = ['address', 'location'];
const lastTexts = [...new Set<ReadingField>(['serverType', 'provider', ...readingFields])].filter(
	field => !firstTexts.includes(field),
);

/** On the screen, the title and the table of ports have some of them already. The ear hears all. */
function valuesOf(
	computer: ComputerState,
	{ account, now, times }: CellContext,
	isHeard: boolean,
): readonly LabelledValue[] {
	const { reading } = computer;
	const { subscription, release, listFields } = account;
	const heard = (...values: readonly LabelledValue[]) => (isHeard ? values : []);
	const isUnread = (field: ReadingField) => isNotRead(field, computer, listFields);
	const ifRead = (field: ReadingField, value: string): readonly Span[] =>
		isUnread(field) ? [['…', 'faint']] : value === '' ? [] : [[value]];
	const texts = (fields: readonly ReadingField[]) =>
		fields.flatMap((field): readonly LabelledValue[] => {
			const { label } = readingRows[field];
			return label === undefined ? [] : [[label, ifRead(field, String(reading[field] ?? ''))]];
		});
	const past = (at: number | null | undefined): readonly Span[] =>
		typeof at === 'number' ? [[timeText(at, now)], [` (${times.ago(now - at)})`, 'faint']] : [];
	const since = phaseStartOf(computer);
	const answeredAt = statusAnswerOf(account, computer)?.at;
	const { restoredFrom } = account.computerReads.get(computer.id) ?? {};
	const origin = answeredAt === restoredFrom ? ' (from an earlier run)' : '';
	const age = answeredAt === undefined ? '…' : `${times.duration(now - answeredAt)} old${origin}`;
	const time = since.isLowerBound
		? ` for at least ${times.duration(Math.max(0, (answeredAt ?? now) - since.at))}`
		: ` since ${timeText(since.at, now)}`;
	const status = reading.status === undefined ? 'not reported' : statusWord(reading.status);
	const plan =
		subscription && `${subscription.planName}, auto-sleep ${autoSleepText(subscription.plan)}`;
	return [
		['Id', [[computer.id]]],
		...heard(['Data', [[age]]]),
		...texts(firstTexts),
		...heard(
			['Version', versionSpans(reading.version, release?.version, isUnread('version'))],
			['Status', [[status], [time, 'faint']]],
		),
		['Created', past(reading.createdAt)],
		...heard(
			['Started', past(reading.startedAt)],
			['Changed', past(reading.updatedAt)],
			['Plan', plan ? [[plan]] : []],
			['Ports', ifRead('ports', '')],
		),
		...texts(lastTexts),
	];
}

function versionSpans(
	version: string | null | undefined,
	latest: string | undefined,
	isUnread: boolean,
): readonly Span[] {
	if (isUnread || !version) {
		const end = latest ? `, latest is ${latest}` : '';
		return [[`${isUnread ? '…' : 'unknown'}${end}`, 'faint']];
	}
	if (isOutdated(version, latest)) return [[version], [` ↑ ${latest} is out`, 'accent']];
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
		{ title: 'PORT', drop: 0, align: 'right', min: 5, cell: ({ name = '' }) => [[name]] },
		{ title: 'STATE', drop: 1, min: 5, cell: ({ state = '' }) => [[state]] },
		{ title: 'PUBLIC ADDRESS', drop: 0, min: 20, cell: ({ url }, cells) => link(url, cells) },
	];
	return table(columns, rows, width, () => ({}));
}

/** Where an address is cut, its end stays, which tells addresses apart. */
function link(url: string, cells: number): readonly Span[] {
	const text = cellsOf(url) > cells ? `…${endOf(url, cells - 1)}` : url;
	return [[text, 'accent', { type: 'link', url }]];
}

function portKeyLines({ row, context }: Seen, { actions }: Scene): readonly Line[] {
	if (!row.computer.reading.ports?.length || actions.length === 0) return [];
	const hints = [
		['copyAddress', 'copies the address'],
		['checkPorts', 'checks'],
		['unpublish', 'unpublishes'],
	] as const;
	const allowed = hints.filter(([action]) => context.canChange || action !== 'unpublish');
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
	const times = entries.map(entry => timeTextWithSeconds(latestOf(entry).at, now));
	const timeWidth = Math.max(0, ...times.map(({ length }) => length));
	return entries.map((entry, at) => {
		const time = ` ${times[at]?.padEnd(timeWidth)} `;
		return { spans: entrySpans(time, entry, { own, width, isBelowName: true }) };
	});
}

import { phaseOf } from '../fleet/computers/computer.ts';
import { globalIdOf } from '../fleet/computers/global-id.ts';
import { type LogEntry, latestOf, movesOf } from '../fleet/log-entries.ts';
import {
	type BatchProgress,
	hasUnknownOutcome,
	isOfThisProcess,
	isUnderWay,
	isUnsent,
	type Operation,
	questionIdOf,
} from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { countText } from '../foundation/number-text.ts';
import { bar } from '../lines/chart.ts';
import { joinedParts, type Part, part, partsThatFit } from '../lines/parts.ts';
import { cut, type Span } from '../lines/span.ts';
import { timeTextWithSeconds } from '../lines/time-text.ts';
import { sendingTimeLeft, usualDurationOf } from '../operations/why-not.ts';
import { batchesOf } from '../store/our-operations.ts';
import { specWithAccountName } from '../store/selectors.ts';
import { operationSpans } from './fleet/status.ts';
import { batchCountParts, endedFractionOf, targetText } from './phrases/outcome.ts';
import { isCountdown, waitParts } from './phrases/waiting.ts';
import { pluralize } from './phrases/words.ts';
import type { Scene, ViewLine } from './scene.ts';

//   05:12:07 ◐ Stopping 16 computers  ━━━━━━━━╸─────  5 done  8 under way  3 queued   about 14 s left ▸

export type UnderWay = ReturnType<typeof underWayIn>;

type Running = { account: string; operation: Operation };

export function underWayIn(scene: Scene) {
	const all = operationsIn(scene);
	const open = all.filter(({ operation }) => isUnderWay(operation));
	const batches = [...batchesOf(scene).values()].filter(
		({ isOver, total }) => !isOver && total >= 2,
	);
	const batchIds = new Set(batches.map(({ id }) => id));
	const singles = open.filter(({ operation: { spec } }) => !batchIds.has(spec.batch ?? ''));
	const groups = [
		...batches.map(progress => {
			const parts = all.filter(({ operation }) => operation.spec.batch === progress.id);
			return { askedAt: progress.askedAt, lines: batchLines(progress, parts, scene) };
		}),
		...singles.map(each => {
			return { askedAt: each.operation.askedAt, lines: [operationLine(each, scene)] };
		}),
	];
	// The log says why an outcome is unknown.
	const certain = open.map(({ operation }) => operation).filter(({ stage }) => stage !== 'unknown');
	const ids = new Set([...batchIds, ...certain.map(({ spec }) => questionIdOf(spec))]);
	const sent = certain.filter(({ sentAt }) => sentAt !== undefined);
	const sentAt = new Map(sent.map(({ spec, sentAt: at }) => [spec.computer, at]));
	return {
		lines: groups
			.reverse()
			.sort((a, b) => b.askedAt - a.askedAt)
			.flatMap(({ lines }) => lines),
		isAbout(entry: LogEntry): boolean {
			const change = latestOf(entry);
			if (change.type !== 'statusChanged')
				return movesOf(entry).some(({ wish }) => ids.has(questionIdOf(wish)));
			const isError = phaseOf(change.to ?? '') === 'error';
			return !isError && change.at >= (sentAt.get(change.id) ?? Infinity);
		},
	};
}

const operationsIn = ({ accounts }: Scene): readonly Running[] =>
	accounts.flatMap(({ profile: { account, name }, state }) =>
		[...state.endedOperations.values(), ...state.operations.values()].map(operation => {
			const spec = accounts.length > 1 ? specWithAccountName(name, operation.spec) : operation.spec;
			return { account, operation: { ...operation, spec } };
		}),
	);

const timeOf = (askedAt: number, { now }: Scene) => `  ${timeTextWithSeconds(askedAt, now)} `;

const signCells = 2;

function operationLine({ account, operation }: Running, scene: Scene, isPart = false): ViewLine {
	const { spec, askedAt, stage } = operation;
	const { key, computer } = spec;
	const isQuiet = stage === 'done' || stage === 'cancelled';
	const time = timeOf(askedAt, scene);
	return {
		id: key,
		opens:
			computer === undefined
				? undefined
				: { type: 'computer', id: globalIdOf(account, computer), name: spec.name ?? computer },
		isCancellable: isOfThisProcess(operation) && isUnsent(operation),
		spans() {
			const begin = isPart ? ' '.repeat(time.length + signCells) : time;
			const target = `${targetText(spec)}: `;
			const room = scene.width - begin.length - signCells;
			const words = operationSpans(operation, scene, room - target.length);
			const said = words.map(([text, tone]): Span => [text, isQuiet ? undefined : tone]);
			return [[begin, 'faint'], signOf(operation), [' '], ...cut([[target], ...said], room)];
		},
	};
}

function signOf(operation: Operation): Span {
	if (hasUnknownOutcome(operation)) return ['?', 'busy'];
	if (operation.stage === 'failed') return ['✖', 'bad'];
	return isUnderWay(operation) ? ['◐', 'busy'] : [' '];
}

function batchLines(
	progress: BatchProgress,
	running: readonly Running[],
	scene: Scene,
): readonly ViewLine[] {
	const { id, askedAt, pane, countsByState } = progress;
	const isUnfolded = scene.screen.unfoldedIds.has(id);
	const time = timeOf(askedAt, scene);
	const room = scene.width - time.length - signCells - 2;
	const line: ViewLine = {
		id,
		opens: { type: 'parts' },
		isCancellable: pane === undefined && countsByState.waiting > 0,
		spans() {
			const parts = partsThatFit(batchParts(progress, running, scene), room, '');
			// Without a width, as for speech, there is neither a sign nor a bar.
			const end = room === Infinity ? '' : isUnfolded ? ' ▾' : ' ▸';
			const said = cut(joinedParts(parts), room);
			return [[time, 'faint'], ['◐', 'busy'], [' '], ...said, [end, 'accent']];
		},
	};
	if (!isUnfolded) return [line];
	// Ordered by name, so that the order does not change when one ends.
	const ordered = running.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
	return [line, ...ordered.map(each => operationLine(each, scene, true))];
}

const nameOf = ({ operation: { spec } }: Running) => spec.name ?? spec.computer ?? '';

function batchParts(
	progress: BatchProgress,
	running: readonly Running[],
	scene: Scene,
): readonly Part[] {
	// All operations of a batch share one countdown.
	const first = running.find(each => isUnsent(each.operation));
	const wait = first && scene.waitingFor(first.operation.spec.key);
	if (!isCountdown(wait)) return progressParts(progress, scene);
	const who = pluralize(progress.total, 'computer');
	return waitParts(progress.operation, who, wait, scene.now, { canCancel: scene.canChange });
}

const barCells = 16;

export function progressParts(progress: BatchProgress, scene: Scene): readonly Part[] {
	const { operation, total, skipped } = progress;
	const drawn = [['  '] as const, ...bar(endedFractionOf(progress), barCells, 'accent')];
	const leftMs = timeLeftMs(progress, scene);
	return [
		part(0, `${operationRowOf(operation).doingLabel} ${pluralize(total, 'computer')}`),
		...(scene.width < Infinity ? [{ spans: drawn, drop: 5 }] : []),
		...batchCountParts(progress),
		part(3, skipped > 0 ? `  ${countText(skipped)} skipped` : '', 'faint'),
		part(4, leftMs < 1000 ? '' : `   about ${scene.times.duration(leftMs)} left`, 'faint'),
	];
}

function timeLeftMs({ id, operation, countsByState }: BatchProgress, scene: Scene): number {
	const { accounts, operations, changes, now } = scene;
	const usualMs = usualDurationOf(changes, operation);
	if (countsByState.waiting > 0) return sendingTimeLeft(accounts, id, now) + (usualMs ?? 0);
	if (usualMs === undefined) return 0;
	const sendTimes = [...operations.values()].flatMap(({ spec, sentAt }) =>
		spec.batch === id && sentAt !== undefined ? sentAt : [],
	);
	return Math.max(0, ...sendTimes) + usualMs - now;
}

import { barSpans } from '../../drawing/chart.ts';
import { fitToWidth, type Span, widthOf } from '../../drawing/span.ts';
import { globalIdOf } from '../../fleet/computers/global-id.ts';
import {
	type BatchProgress,
	hasUnknownOutcome,
	isOfThisProcess,
	isUnsent,
	type Operation,
	type OperationStage,
} from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import { joinedParts } from '../../lines/parts.ts';
import type { Theme } from '../../lines/theme.ts';
import { timeTextWithSeconds } from '../../lines/time-text.ts';
import type { Operations } from '../../operations/operations.ts';
import type { WaitReasonOf } from '../../operations/waiting.ts';
import type { Choice } from '../../screen/choice.ts';
import { specWithAccountName } from '../../store/joint-account.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { JointAccount } from '../../store/state.ts';
import { batchCounts, endedFractionOf } from '../../views/phrases/batch.ts';
import { targetText } from '../../views/phrases/outcome.ts';
import { isCountdown, waitParts } from '../../views/phrases/waiting.ts';
import { pluralize } from '../../views/phrases/words.ts';
import { operationSpans } from '../table/stage-progress.ts';

//   05:12:07 ◐ Stopping 16 computers  ━━━━━━━━╸─────  5 done  8 under way  3 queued   all sent in 14 s ▸
//   05:11:58 ◐ draco: Deleting in 4 s, Esc to cancel

/** An operation that has not ended, or a batch of them, or an operation of an unfolded batch. */
export type UnderWayLine =
	| { type: 'operation'; account: string; operation: Operation; isPart: boolean }
	| { type: 'batch'; progress: BatchProgress; operations: readonly Operation[] };

/** What is under way in all accounts and all processes of this host, newest first. */
export type UnderWay = {
	lines: readonly UnderWayLine[];
	choices: readonly Choice[];
	/** The batches, and the operations without one, about which the log below says nothing more. */
	ids: ReadonlySet<string>;
};

/** The list of a log whose reader does not see what is under way, or sees it elsewhere. */
export const nothingUnderWay: UnderWay = { lines: [], choices: [], ids: new Set() };

type Part = { account: string; operation: Operation };

const endedStages: readonly OperationStage[] = ['done', 'failed', 'cancelled', 'skipped'];

/** Creates a function that lists what is under way. It returns the same list until an operation changes. */
export function createUnderWay(): (
	joint: Pick<JointAccount, 'batches'>,
	accounts: readonly OpenedAccount[],
	unfoldedIds: ReadonlySet<string>,
) => UnderWay {
	let accounts: readonly OpenedAccount[] = [];
	const select = memoize(
		(
			batches: JointAccount['batches'],
			unfoldedIds: ReadonlySet<string>,
			..._maps: readonly ReadonlyMap<string, Operation>[]
		) => underWayFrom(batches, accounts.flatMap(partsOf(accounts.length > 1)), unfoldedIds),
	);
	return ({ batches }, opened, unfoldedIds) => {
		accounts = opened;
		const maps = opened.flatMap(({ state }) => [state.operations, state.endedOperations]);
		return select(batches, unfoldedIds, ...maps);
	};
}

/** With several accounts, each operation names its account. */
function partsOf(hasSeveral: boolean) {
	return ({ profile: { account, name }, state }: OpenedAccount): readonly Part[] =>
		[...state.endedOperations.values(), ...state.operations.values()].map(operation => {
			const spec = hasSeveral ? specWithAccountName(name, operation.spec) : operation.spec;
			return { account, operation: { ...operation, spec } };
		});
}

function underWayFrom(
	batches: JointAccount['batches'],
	parts: readonly Part[],
	unfoldedIds: ReadonlySet<string>,
): UnderWay {
	const running = [...batches.values()].filter(({ isOver, total }) => !isOver && total >= 2);
	const groups = running.map(progress => {
		const own = parts.filter(({ operation }) => operation.spec.batch === progress.id);
		return { id: progress.id, askedAt: progress.askedAt, progress, parts: own };
	});
	const ids = new Set(groups.map(({ id }) => id));
	const single = parts.filter(
		({ operation: { spec, stage } }) => !endedStages.includes(stage) && !ids.has(spec.batch ?? ''),
	);
	const singles = single.map(part => {
		const { spec, askedAt } = part.operation;
		return { id: spec.key, askedAt, progress: undefined, parts: [part] };
	});
	const all = [...groups, ...singles].reverse().sort((a, b) => b.askedAt - a.askedAt);
	const lines = all.flatMap(({ id, progress, parts }): readonly UnderWayLine[] => {
		const lineOf = (part: Part): UnderWayLine => {
			return { type: 'operation', ...part, isPart: progress !== undefined };
		};
		if (!progress) return parts.map(lineOf);
		const operations = parts.map(({ operation }) => operation);
		const batch: UnderWayLine = { type: 'batch', progress, operations };
		// Ordered by name, so that the order does not change when one ends.
		const ordered = parts.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
		return unfoldedIds.has(id) ? [batch, ...ordered.map(lineOf)] : [batch];
	});
	// The log says why an outcome is unknown.
	for (const { id, parts } of singles)
		if (parts.every(({ operation }) => operation.stage !== 'unknown')) ids.add(id);
	return { lines, choices: lines.map(choiceOf), ids };
}

const nameOf = ({ operation: { spec } }: Part) => spec.name ?? spec.computer ?? '';

function choiceOf(each: UnderWayLine, line: number): Choice {
	if (each.type === 'batch') {
		const { id, pane, countsByState } = each.progress;
		const isCancellable = pane === undefined && countsByState.waiting > 0;
		return { id, line, opens: { type: 'parts' }, isCancellable };
	}
	const { account, operation } = each;
	const { key, computer, name } = operation.spec;
	const isCancellable = isOfThisProcess(operation) && isUnsent(operation);
	if (computer === undefined) return { id: key, line, isCancellable };
	const id = globalIdOf(account, computer);
	return { id: key, line, opens: { type: 'computer', id, name: name ?? computer }, isCancellable };
}

export type UnderWayOptions = {
	changes: JointAccount['changes'];
	unfoldedIds: ReadonlySet<string>;
	waitingFor: WaitReasonOf;
	estimateTimeLeft: Operations['estimateTimeLeft'];
	/** Whether a person can cancel operations here, which a replay does not allow. */
	canChange: boolean;
	now: number;
	width: number;
	theme: Theme;
};

export function underWaySpans(line: UnderWayLine, options: UnderWayOptions): readonly Span[] {
	const { width, theme, now } = options;
	if (line.type === 'batch') return batchSpans(line, options);
	const { operation, isPart } = line;
	const { spec, askedAt, stage } = operation;
	const begin: readonly Span[] = [
		[isPart ? ' '.repeat(12) : ` ${timeTextWithSeconds(askedAt, now)} `, 'faint'],
		glyphSpan(operation, theme),
		[` ${targetText(spec)}: `],
	];
	const room = width - 1 - widthOf(begin, theme);
	const spans = operationSpans(operation, options, room).map(
		([text, tone]): Span => [text, stage === 'done' || stage === 'cancelled' ? undefined : tone],
	);
	return [...begin, ...spans];
}

function glyphSpan(operation: Operation, { glyphs }: Theme): Span {
	if (hasUnknownOutcome(operation)) return [glyphs.unknown, 'busy'];
	if (operation.stage === 'failed') return [glyphs.error, 'bad'];
	return endedStages.includes(operation.stage) ? [' '] : [glyphs.busy, 'busy'];
}

const barCells = 16;
const minBarWidth = 90;

function batchSpans(
	{ progress, operations }: Extract<UnderWayLine, { type: 'batch' }>,
	options: UnderWayOptions,
): readonly Span[] {
	const { estimateTimeLeft, unfoldedIds, canChange, width, now, theme } = options;
	const { folded, unfolded } = theme.glyphs;
	const fold: Span = [` ${unfoldedIds.has(progress.id) ? unfolded : folded}`, 'accent'];
	const begin: readonly Span[] = [
		[` ${timeTextWithSeconds(progress.askedAt, now)} `, 'faint'],
		[theme.glyphs.busy, 'busy'],
		[' '],
	];
	const fitted = (spans: readonly Span[]) => {
		const room = width - 1 - widthOf([...begin, fold], theme);
		const text = widthOf(spans, theme) <= room ? spans : fitToWidth(spans, room, theme);
		return [...begin, ...text, fold];
	};
	// All operations of a batch share one countdown.
	const first = operations.find(isUnsent);
	const wait = first && options.waitingFor(first.spec.key);
	const who = pluralize(progress.total, 'computer');
	if (isCountdown(wait))
		return fitted([
			...joinedParts(waitParts(progress.operation, who, wait, now, { canCancel: canChange })),
		]);
	const bar =
		width < minBarWidth
			? []
			: [['  '] as const, ...barSpans(endedFractionOf(progress), barCells, theme, 'accent')];
	const counts = batchCounts(progress).map(({ text, tone }): Span => [`  ${text}`, tone]);
	const skipped = progress.skipped.length;
	const leftMs = estimateTimeLeft(progress.id);
	const { doingLabel } = operationRowOf(progress.operation);
	return fitted([
		[`${doingLabel} ${who}`],
		...bar,
		...counts,
		[skipped > 0 ? `  ${countText(skipped)} skipped` : '', 'faint'],
		[leftMs < 1000 ? '' : `   all sent in ${theme.times.duration(leftMs)}`, 'faint'],
	]);
}

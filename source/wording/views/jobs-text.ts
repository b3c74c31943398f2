import { barSpans } from '../../drawing/chart.ts';
import type { Section } from '../../drawing/section.ts';
import { fitToWidth, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeTextWithSeconds } from '../../drawing/time-text.ts';
import {
	type BatchProgress,
	hasUnknownOutcome,
	isUnsent,
	type Operation,
	type OperationStage,
} from '../../fleet/operations/operation.ts';
import { durationText } from '../../foundation/duration.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Operations } from '../../operations/operations.ts';
import type { WaitReasonOf } from '../../operations/waiting.ts';
import { chosenLineIndex, type ViewCursors } from '../../screen/choice.ts';
import type { Job, JobOperation } from '../../store/jobs.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { JointAccount } from '../../store/state.ts';
import { batchActionText, batchCounts, endedFractionOf } from '../phrases/batch-text.ts';
import { targetText } from '../phrases/outcome-text.ts';
import { countdownLine, isCountdown, wholeLine } from '../phrases/waiting-text.ts';
import { pluralize } from '../phrases/words.ts';
import { operationSpans } from '../table/stage-progress.ts';
import type { createJobLines, JobLine } from './job-lines.ts';
import { paragraphLines } from './versions-text.ts';

//  Jobs                                                        2 under way · 1 not sent · 3 ended
//   05:12:07 ◐ 16 computers  Stopping  ━━━━━━━━╸─────  5 done  8 under way  3 queued   about 14 s left
// ❯ 05:11:58 ◐ draco         Deleting: on hold
//   05:10:01 ✖ hydra         Restart failed: internal error   F retries
//   05:09:44   atlas         Stopped in 9 s

type JobsOptions = {
	/** The joint state of all accounts. */
	account: Pick<JointAccount, 'batches' | 'changes'>;
	accounts: readonly OpenedAccount[];
	jobsOf: ReturnType<typeof createJobLines>;
	unfoldedIds: ReadonlySet<string>;
	viewCursors: ViewCursors;
	waitingFor: WaitReasonOf;
	estimateTimeLeft: Operations['estimateTimeLeft'];
	/** Whether a person can cancel operations here, which a replay does not allow. */
	canChange: boolean;
	now: number;
	width: number;
	theme: Theme;
};

export function jobsTitle({ account, accounts, jobsOf, unfoldedIds }: JobsOptions) {
	const counts = { 'under way': 0, 'not sent': 0, ended: 0 };
	for (const job of jobsOf(account, accounts, unfoldedIds).jobs) counts[stateOf(job)] += 1;
	const parts = Object.entries(counts).flatMap(([word, count]) =>
		count > 0 ? [`${countText(count)} ${word}`] : [],
	);
	const left: Span[] = [['Jobs', 'strong']];
	const right: Span[] = [[` ${parts.join(', ')} `, 'faint']];
	return [left, right] as const;
}

function stateOf(job: Job): 'under way' | 'not sent' | 'ended' {
	if (job.type === 'operation') {
		if (isUnsent(job.operation)) return 'not sent';
		return endedStages.includes(job.operation.stage) ? 'ended' : 'under way';
	}
	const { isOver, countsByState, total } = job.progress;
	if (isOver) return 'ended';
	return countsByState.waiting === total ? 'not sent' : 'under way';
}

const endedStages: readonly OperationStage[] = ['done', 'failed', 'cancelled', 'skipped'];

export function jobsSections(options: JobsOptions): readonly Section[] {
	const { account, accounts, jobsOf, unfoldedIds, viewCursors, width, theme } = options;
	const { lines, choices } = jobsOf(account, accounts, unfoldedIds);
	if (lines.length === 0) {
		const text = 'No operations. Each one is listed here from its countdown on. The log keeps all.';
		return [[{ type: 'lines', lines: paragraphLines(text, '', width, theme, 'faint') }]];
	}
	const nameWidth = nameWidthOf(lines, options);
	const lineAt = (index: number) => {
		const line = lines[index];
		return line ? jobLineSpans(line, nameWidth, { ...options, theme }) : [];
	};
	const cursorLine = chosenLineIndex(viewCursors.jobs, choices);
	return [[{ type: 'list', count: lines.length, lineAt, cursorLine }]];
}

/** Returns the lines that the cursor can choose. */
export function jobChoices({ account, accounts, jobsOf, unfoldedIds }: JobsOptions) {
	return jobsOf(account, accounts, unfoldedIds).choices;
}

const maxNameCells = 28;
const maxMeasuredLines = 200;

function nameWidthOf(lines: readonly JobLine[], { width, theme }: JobsOptions): number {
	const widest = lines.slice(0, maxMeasuredLines).reduce((cells, line) => {
		return Math.max(cells, theme.ruler.width(nameOf(line)));
	}, 0);
	return Math.min(widest, maxNameCells, Math.floor(width / 3));
}

function nameOf(line: JobLine): string {
	if (line.type === 'note') return '';
	if (line.type === 'part') return `  ${targetText(line.part.operation.spec)}`;
	const { job } = line;
	if (job.type === 'operation') return targetText(job.operation.spec);
	return pluralize(job.progress.total, 'computer');
}

function jobLineSpans(line: JobLine, nameWidth: number, options: JobsOptions): readonly Span[] {
	const { now, theme } = options;
	if (line.type === 'note') return [[`            ${line.text}`, 'faint']];
	const name = fitToWidth([[nameOf(line)]], nameWidth, theme);
	if (line.type === 'part') {
		const { operation } = line.part;
		const result = resultOf(operation, options);
		const shown = [['          '] as const, glyphSpan(operation, theme), [' '] as const, ...name];
		return withRetryHint([...shown, ...result], operation, options);
	}
	const { job } = line;
	const time: Span = [` ${timeTextWithSeconds(job.askedAt, now)} `, 'faint'];
	if (job.type === 'operation') {
		const { operation } = job;
		const result = resultOf(operation, options);
		const shown = [time, glyphSpan(operation, theme), [' '] as const, ...name, ...result];
		return withRetryHint(shown, operation, options);
	}
	const { isOver, failures } = job.progress;
	const glyph: Span = !isOver
		? [theme.glyphs.busy, 'busy']
		: failures.length > 0
			? [theme.glyphs.error, 'bad']
			: [' '];
	return [time, glyph, [' '], ...name, ['  '], ...batchSpans(job, options)];
}

function glyphSpan(operation: Operation, { glyphs }: Theme): Span {
	if (hasUnknownOutcome(operation)) return [glyphs.unknown, 'busy'];
	if (operation.stage === 'failed') return [glyphs.error, 'bad'];
	return endedStages.includes(operation.stage) ? [' '] : [glyphs.busy, 'busy'];
}

/** Says how far one operation has come, or how it ended. */
function resultOf(operation: Operation, options: JobsOptions): readonly Span[] {
	const { account, waitingFor, canChange, now, theme } = options;
	const { stage, askedAt, sentAt = askedAt, endedAt } = operation;
	const context = { waitingFor, canChange, changes: account.changes, now, theme };
	const spans = operationSpans(operation, context).map(
		([text, tone]): Span => [text, stage === 'done' || stage === 'cancelled' ? undefined : tone],
	);
	const took =
		stage === 'done' && endedAt !== undefined ? ` in ${durationText(endedAt - sentAt)}` : '';
	return [['  '], ...spans, [took, 'faint']];
}

const retryHint: Span = ['   F retries', 'faint'];

/** Adds the key that retries a failed operation. Where there is no room for all of it, only the footer names the key. */
function withRetryHint(
	line: readonly Span[],
	operation: Operation,
	{ width, theme }: JobsOptions,
): readonly Span[] {
	const canRetry = operation.stage === 'failed' && !hasUnknownOutcome(operation);
	// The cursor takes the first cell.
	const hasRoom = widthOf([...line, retryHint], theme) <= width - 1;
	return canRetry && hasRoom ? [...line, retryHint] : line;
}

const barCells = 16;
const minBarWidth = 90;

function batchSpans(job: Extract<Job, { type: 'batch' }>, options: JobsOptions): readonly Span[] {
	const { estimateTimeLeft, unfoldedIds, width, theme } = options;
	const { progress } = job;
	const { isOver, askedAt, endedAt, failures, unknownOutcomes, skipped } = progress;
	const countdown = batchCountdownText(job, options);
	if (countdown !== undefined) return [[countdown, 'busy']];
	const bar =
		width < minBarWidth ? [] : barSpans(endedFractionOf(progress), barCells, theme, 'accent');
	const counts = [
		...batchCounts(progress),
		...(skipped.length > 0
			? [{ text: `${countText(skipped.length)} skipped`, tone: 'faint' as const }]
			: []),
	].map(({ text, tone }): Span => [`  ${text}`, tone]);
	const { folded, unfolded } = theme.glyphs;
	const fold = unfoldedIds.has(progress.id) ? unfolded : folded;
	const begin: readonly Span[] = [
		[fold, 'accent'],
		[` ${batchActionText(progress)}`],
		[bar.length > 0 ? '  ' : ''],
		...bar,
		...counts,
	];
	if (!isOver) {
		const leftMs = estimateTimeLeft(progress.id);
		const left = theme.times.duration(leftMs);
		return leftMs < 1000 ? begin : [...begin, [`   last one sent in about ${left}`, 'faint']];
	}
	const [problem] = [...failures, ...unknownOutcomes];
	const took = endedAt === undefined ? '' : `  in ${durationText(endedAt - askedAt)}`;
	return [
		...begin,
		[took, 'faint'],
		[failures.length > 0 ? '   F retries' : '', 'faint'],
		[problem ? `   ${problem.name}: ${problem.message}` : '', failures.length > 0 ? 'bad' : 'busy'],
	];
}

function batchCountdownText(
	{ operations, progress }: { operations: readonly JobOperation[]; progress: BatchProgress },
	options: JobsOptions,
): string | undefined {
	// All operations of a batch share one countdown.
	const first = operations.find(({ operation }) => isUnsent(operation));
	const wait = first && options.waitingFor(first.operation.spec.key);
	if (!isCountdown(wait)) return undefined;
	const { canChange, now } = options;
	const { operation, total } = progress;
	return wholeLine(countdownLine(operation, countText(total), wait, now, { canChange }));
}

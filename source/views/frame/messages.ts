import { phaseOf } from '../../fleet/computers/computer.ts';
import { type LogEntry, latestOf, logEntries, movesOf } from '../../fleet/log-entries.ts';
import type { OperationSpec } from '../../fleet/operations/operation.ts';
import { countText } from '../../foundation/number-text.ts';
import { fitParts, type Part } from '../../lines/parts.ts';
import { type Span, textOf } from '../../lines/span.ts';
import { timeText } from '../../lines/time-text.ts';
import {
	batchesOf,
	pendingCreate,
	runningBatchOf,
	type StandingFailure,
	standingFailure,
} from '../../store/our-operations.ts';
import { operationSpans } from '../fleet/status.ts';
import { isTablePlace } from '../keys.ts';
import { entryText, ownEmailsIn } from '../log.ts';
import { cursorIndex } from '../look/cursor.ts';
import type { Notice } from '../look/screen.ts';
import {
	batchFailureSpans,
	outcomeFromOperation,
	outcomeText,
	targetText,
} from '../phrases/outcome.ts';
import { isCountdown, timeLeftOf, waitParts } from '../phrases/waiting.ts';
import type { Scene } from '../scene.ts';
import { progressParts } from '../under-way.ts';
import type { FrameScene } from './frame-scene.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  ✖ borealis: restart failed: disk quota exceeded   T does nothing here · ? help
//  Stopping 40 computers  ━━━━━━━━━━╸─────  18 done  1 failed  4 under way  17 queued   about 42 s left   J shows all

const shownForMs = 8_000;

/** A person can read a notice about a read even if the read ends sooner. */
const minShownForMs = 2_000;

/** Without a countdown and a message, the line says what is under way, or else the newest of the log. Undefined for nothing. */
export function messageLine(scene: FrameScene): readonly Span[] | undefined {
	const { layout, width, now } = scene;
	const failure = failureOf(scene);
	// In the place of the keys, even a failure leaves after a while, and the newest of the log is left out.
	const isFailureShown = failure && (layout.hasActivity || now - failure.at < shownForMs);
	const failed: readonly Part[] | undefined = isFailureShown
		? [{ drop: 7, min: 20, spans: failureSpans(failure) }]
		: undefined;
	const [countdown, message] = [countdownParts(scene), newestMessage(scene, failure)];
	const isTaken = countdown || message || (failed && !layout.hasActivity);
	const isLogShown = layout.hasActivity && !failed;
	const underWay = isTaken
		? undefined
		: (underWayParts(scene) ?? (isLogShown ? latestChange(scene) : undefined));
	const said = [countdown, failed, message, underWay].filter(parts => parts !== undefined);
	const parts = said.flatMap((message, group) => message.map(part => ({ ...part, group })));
	const gap = { within: '', groups: ['   '] } as const;
	return said.length === 0 ? undefined : [[' '], ...fitParts(parts, width - 2, gap), [' ']];
}

/** It stands until a person takes it away, or until its operation succeeds. */
export function failureOf(scene: Scene): StandingFailure | undefined {
	const { screen, shown, replay } = scene;
	const row = shown.rows[cursorIndex(screen, shown.ids)];
	return replay ? undefined : standingFailure(scene, row?.operation);
}

function failureSpans(failure: StandingFailure): readonly Span[] {
	if (failure.type === 'batch') return batchFailureSpans(failure.batch);
	const outcome = outcomeFromOperation(failure.operation);
	const text = outcomeText(outcome);
	return outcome.stage === 'unknown' ? [[`? ${text}`, 'busy']] : [[`✖ ${text}`, 'bad']];
}

function newestMessage(
	scene: FrameScene,
	failure: StandingFailure | undefined,
): readonly Part[] | undefined {
	const { screen, accounts, replay } = scene;
	const notice = isNoticeShown(scene) ? screen.notice : undefined;
	const failedKey = failure?.type === 'operation' ? failure.operation.spec.key : undefined;
	const told = [notice?.outcomeOf, failedKey];
	const news = replay
		? undefined
		: recentEntries(scene).find(entry => {
				const [move] = movesOf(entry);
				return isNews(entry) && !(move && told.includes(move.wish.key));
			});
	if (news && !(notice && notice.shownAt >= latestOf(news).at))
		return [{ drop: 2, spans: entryText(news, ownEmailsIn(accounts)) }];
	return notice && noticeParts(notice);
}

function noticeParts({ text, parts = { why: text } }: Notice): readonly Part[] {
	const { what = '', why, advice = '', hint = '' } = parts;
	return [
		{ drop: 12, spans: [[what]] },
		{ drop: 2, spans: [[why]] },
		{ drop: 11, spans: [[advice]] },
		{ drop: 13, spans: [[hint]] },
	];
}

function isNoticeShown({ account, screen: { notice }, now }: Scene): boolean {
	if (!notice) return false;
	const { answer, failing } = account.reads.list ?? {};
	const lastReadAt = Math.max(answer?.at ?? 0, failing?.lastFailedAt ?? 0);
	const hasReadEnded = notice.isAboutRead === true && lastReadAt > notice.shownAt;
	const age = now - notice.shownAt;
	return notice.isLasting === true || age < (hasReadEnded ? minShownForMs : shownForMs);
}

/** Changes before these are summed up in entries of their own. */
const maxSummedChanges = 100;

/** What the log says of the last seconds, newest first, unless a person sees the log. */
function recentEntries({ changes, areChangesSeen, now }: FrameScene): readonly LogEntry[] {
	const newest = changes.at(-1);
	if (!newest || now - newest.at >= shownForMs || areChangesSeen) return [];
	const entries = logEntries(changes.slice(-maxSummedChanges));
	return entries.filter(entry => now - latestOf(entry).at < shownForMs);
}

/** A person must not miss these, even after a key. A failed operation is left out, because it stays on the screen by itself. */
function isNews(entry: LogEntry): boolean {
	if (entry.type !== 'change') return false;
	const { change } = entry;
	if (change.type === 'statusChanged')
		return change.to !== null && change.from !== null && phaseOf(change.to) === 'error';
	if (change.type !== 'operationMoved' || change.pane !== undefined) return false;
	return change.wish.batch === undefined && (change.to === 'settled' || change.to === 'unknown');
}

/** A failure that was taken away does not come back. */
function latestChange(scene: FrameScene) {
	const [entry] = recentEntries(scene);
	if (!entry || movesOf(entry).some(({ to }) => to === 'failed')) return undefined;
	const time: Span = [`${timeText(latestOf(entry).at, scene.now)} `, 'faint'];
	return [{ drop: 3, spans: [time, ...entryText(entry, ownEmailsIn(scene.accounts))] }];
}

/** There may be hundreds of queued operations, which have no countdown. */
const operationsBeforeQueue = ({ operations }: Scene): readonly OperationSpec[] =>
	[...operations.values()]
		.filter(({ stage }) => stage === 'counting' || stage === 'held')
		.map(({ spec }) => spec);

/** A held countdown does not run. */
export const isCountingDown = (scene: Scene): boolean =>
	operationsBeforeQueue(scene).some(({ key }) => scene.waitingFor(key)?.type === 'grace');

/** Esc cancels the countdown that ends next. All operations of a batch share one. */
export function countdownParts(scene: Scene): readonly Part[] | undefined {
	const { waitingFor, canChange, now } = scene;
	const byQuestion = new Map<string, OperationSpec>();
	for (const spec of operationsBeforeQueue(scene)) {
		const question = spec.batch ?? spec.key;
		if (!byQuestion.has(question)) byQuestion.set(question, spec);
	}
	const countdowns = [...byQuestion.values()]
		.flatMap(spec => {
			const wait = waitingFor(spec.key);
			return isCountdown(wait) ? [{ spec, wait, leftMs: timeLeftOf(wait, now) }] : [];
		})
		.sort((a, b) => a.leftMs - b.leftMs);
	const [first] = countdowns;
	if (!first) return undefined;
	const { spec, wait } = first;
	const batch = batchesOf(scene).get(spec.batch ?? '');
	const who = batch ? countText(batch.total) : targetText(spec);
	const otherCount = countdowns.length - 1;
	return waitParts(spec.operation, who, wait, now, { otherCount, canCancel: canChange });
}

function underWayParts(scene: Scene): readonly Part[] | undefined {
	const batch = runningBatchOf(scene);
	if (batch) {
		const hasHint = batch.countsByState.waiting > 0 && scene.canChange && isTablePlace(scene.place);
		const hint: Part = { drop: 6, spans: [[hasHint ? '   J shows all' : '', 'faint']] };
		return [...progressParts(batch, scene), hint];
	}
	const creation = pendingCreate(scene);
	if (!creation) return undefined;
	const { name } = creation.spec;
	const text = textOf(operationSpans(creation, scene));
	return [{ drop: 0, spans: [[name === undefined ? text : `${name}: ${text}`]] }];
}

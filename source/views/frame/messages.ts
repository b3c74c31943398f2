import { phaseOf } from '../../fleet/computers/computer.ts';
import { type LogEntry, latestOf, logEntries, movesOf } from '../../fleet/log-entries.ts';
import { type OperationSpec, questionIdOf } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { countText } from '../../foundation/number-text.ts';
import { fitParts, type Part, part } from '../../lines/parts.ts';
import { cellsOf, type Span, textOf } from '../../lines/span.ts';
import { timeText } from '../../lines/time-text.ts';
import {
	batchesOf,
	pendingCreate,
	runningBatchOf,
	type StandingFailure,
	standingFailure,
} from '../../store/our-operations.ts';
import { waitingProposals } from '../../store/proposals.ts';
import { operationSpans } from '../fleet/status.ts';
import { isTablePlace, isViewPlace, keyHint, shownKeyOf } from '../keys.ts';
import { firstVisibleLine, rowUnderCursor } from '../look/cursor.ts';
import { currentFilter, isHelpOpen, isMap } from '../look/screen.ts';
import { viewRows } from '../look/view-table.ts';
import { isTableShown } from '../open-text.ts';
import { entryText, ownEmailsIn } from '../phrases/entry.ts';
import {
	batchFailureSpans,
	outcomeFromOperation,
	outcomeText,
	targetText,
} from '../phrases/outcome.ts';
import { isCountdown, timeLeftOf, waitParts } from '../phrases/waiting.ts';
import type { Scene } from '../scene.ts';
import { progressParts } from '../under-way.ts';
import { hasSpareLines } from './empty-table.ts';
import { tableEnd } from './rules.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  ✖ borealis: restart failed: disk quota exceeded   T does nothing here · ? help
//  Stopping 40 computers  ━━━━━━━━━━╸─────  18 done  1 failed  4 under way  17 queued   about 42 s left   J shows all

const shownForMs = 8_000;

/** A person can read a notice about a read even if the read ends sooner. */
const minShownForMs = 2_000;

export function messageLine(scene: Scene): readonly Span[] | undefined {
	const { width, now } = scene;
	const { hasActivity } = scene.layout;
	const failure = failureOf(scene);
	// In the place of the keys, even a failure leaves after a while, and the newest of the log is left out.
	const isFailureShown = failure && (hasActivity || now - failure.at < shownForMs);
	const failed: readonly Part[] | undefined = isFailureShown
		? [{ drop: 7, min: 20, spans: failureSpans(failure) }]
		: undefined;
	const [countdown, message] = [countdownParts(scene), newestMessage(scene, failure)];
	const proposal = proposalParts(scene);
	const isTaken = countdown || message || (failed && !hasActivity);
	const underWay = isTaken ? undefined : underWayParts(scene);
	const hasLatest = hasActivity && !isTaken && !failed && !proposal;
	const latest = hasLatest ? latestChange(scene) : undefined;
	const said = [countdown, proposal, failed, message, underWay ?? latest].filter(
		parts => parts !== undefined,
	);
	const parts = said.flatMap((message, group) => message.map(part => ({ ...part, group })));
	const gap = { within: '', groups: ['   '] } as const;
	return said.length === 0 ? undefined : [[' '], ...fitParts(parts, width - 2, gap), [' ']];
}

/** What an assistant has proposed first and waits for a person here, in the words for the screen. */
export function proposalIn({ accounts, now, replay }: Scene) {
	for (const { profile, state } of replay ? [] : accounts)
		for (const proposal of profile.isReadOnly ? [] : waitingProposals(state.proposals, now)) {
			const { operation } = proposal;
			const { label, subject } = operationRowOf(operation);
			const isCreate = subject === 'account';
			const computers = isCreate ? [] : (proposal.computers ?? []);
			const [id = '', ...others] = computers;
			// Only a new computer has a name that the assistant chooses, and a stop with a port would read like one of the port.
			const name = isCreate ? proposal.name : undefined;
			const port = subject === 'port' ? proposal.port : undefined;
			const own = name ?? (state.computers.get(id)?.reading.name || id || undefined);
			const shown = others.length > 0 ? `${countText(computers.length)} computers` : own;
			const who = `An assistant proposes${accounts.length > 1 ? ` in ${profile.name}` : ''}: `;
			const verb = label.toLowerCase();
			const what = `${verb} ${targetText({ operation, port, name: shown })}`;
			return { proposal: { ...proposal, computers, name, port }, who, verb, what };
		}
	return undefined;
}

function proposalParts(scene: Scene): readonly Part[] | undefined {
	const proposed = proposalIn(scene);
	if (!proposed) return undefined;
	const { who, verb, what } = proposed;
	// Under a dialog and in the past, both keys mean something else.
	const hasKeys = isViewPlace(scene.place) && scene.screen.pastAt === undefined;
	const key = hasKeys ? shownKeyOf(scene.actions, 'openProposal') : undefined;
	const wordings = [`${who}${what}`, `Proposed: ${what}`];
	const text = wordings.find(each => cellsOf(each) <= scene.width - 2) ?? `Proposed: ${verb}`;
	const dismissal = !hasKeys || isCountingDown(scene) ? '' : `${key ? ',' : ' ·'} Esc dismisses`;
	// Alone, the words of the operation would read as if it were under way. They return when a notice or a countdown has left.
	return [part(4, text, 'accent'), part(8, key ? ` · ${key} asks` : ''), part(9, dismissal)];
}

/** It stands until a person takes it away, or until its operation succeeds. */
export function failureOf(scene: Scene): StandingFailure | undefined {
	return scene.replay ? undefined : standingFailure(scene, rowUnderCursor(scene)?.operation);
}

function failureSpans(failure: StandingFailure): readonly Span[] {
	if (failure.type === 'batch') return batchFailureSpans(failure.batch);
	const outcome = outcomeFromOperation(failure.operation);
	const text = outcomeText(outcome);
	return outcome.stage === 'unknown' ? [[`? ${text}`, 'busy']] : [[`✖ ${text}`, 'bad']];
}

/** The newer of what the latest key has said and of what has happened since, which the failure does not tell already. */
function newestMessage(
	scene: Scene,
	failure: StandingFailure | undefined,
): readonly Part[] | undefined {
	const notice = isNoticeShown(scene) ? scene.screen.notice : undefined;
	const failedKey = failure?.type === 'operation' ? failure.operation.spec.key : undefined;
	const news = recentEntries(scene).find(entry => {
		const key = movesOf(entry)[0]?.wish.key;
		const isTold = key !== undefined && [notice?.outcomeOf, failedKey].includes(key);
		return isNews(entry) && !isTold;
	});
	if (news && !scene.replay && !(notice && notice.shownAt >= latestOf(news).at))
		return [
			part(2, scene.screen.pastAt === undefined ? '' : 'Now: ', 'busy'),
			{ drop: 2, spans: entryText(news, ownEmailsIn(scene.accounts)) },
		];
	if (!notice) return undefined;
	const { what = '', why, advice = '', hint = '' } = notice;
	return [part(12, what), part(2, why), part(11, advice), part(13, hint)];
}

function isNoticeShown({ account, screen: { notice }, now }: Scene): boolean {
	if (!notice) return false;
	const { answer, failing } = account.reads.list ?? {};
	const lastReadAt = Math.max(answer?.at ?? 0, failing?.lastFailedAt ?? 0);
	const hasReadEnded = notice.isAboutRead === true && lastReadAt > notice.shownAt;
	const age = now - notice.shownAt;
	return notice.isLasting === true || age < (hasReadEnded ? minShownForMs : shownForMs);
}

function areChangesSeen(scene: Scene): boolean {
	const { screen, shown, layout } = scene;
	const spareLines = layout.tableRowCount - shown.allRows.length;
	if (screen.pastAt !== undefined) return false;
	if (isTableShown(scene)) return !isMap(screen) && hasSpareLines(spareLines, tableEnd(scene));
	return (
		viewRows[screen.view].showsNewestChanges === true &&
		!isHelpOpen(screen) &&
		currentFilter(screen) === '' &&
		firstVisibleLine(screen, shown.choiceList()) === 0
	);
}

/** Changes before these are summed up in entries of their own. */
const maxSummedChanges = 100;

function recentEntries(scene: Scene): readonly LogEntry[] {
	const { changes, now } = scene;
	const newest = changes.at(-1);
	if (!newest || now - newest.at >= shownForMs || areChangesSeen(scene)) return [];
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
function latestChange(scene: Scene) {
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

export const isCountingDown = (scene: Scene): boolean =>
	operationsBeforeQueue(scene).some(({ key }) => scene.waitingFor(key)?.type === 'countdown');

/** Esc cancels the countdown that ends next. All operations of a batch share one. */
export function countdownParts(scene: Scene): readonly Part[] | undefined {
	const { waitingFor, canChange, now } = scene;
	const byQuestion = new Map(operationsBeforeQueue(scene).map(spec => [questionIdOf(spec), spec]));
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
		const hint = hasHint ? keyHint(scene, 'underWay', 'shows all', '   ') : '';
		return [...progressParts(batch, scene), part(6, hint, 'faint')];
	}
	const creation = pendingCreate(scene);
	if (!creation) return undefined;
	const { name } = creation.spec;
	const text = textOf(operationSpans(creation, scene));
	return [part(0, name === undefined ? text : `${name}: ${text}`)];
}

import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import type { Intent } from '../keys/binding.ts';
import { keyContext } from '../keys/key-context.ts';
import { operationTable as rules } from '../operations/operation-table.ts';
import type { Operations } from '../operations/operations.ts';
import { commandsShown, type KeyOrPaste } from '../operations/question.ts';
import { type AskResult, type KeyResult, skippedText } from '../operations/refusal.ts';
import type { WaitReason } from '../operations/waiting.ts';
import type { Platform } from '../platform/platform.ts';
import { cursorIndex, type Screen } from '../screen/screen.ts';
import { pendingCreate, retryCandidates } from '../store/our-operations.ts';
import type { Row } from '../store/selectors.ts';
import type { AccountState } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';
import { createPublishNotices } from './notices.ts';

type OperationIntentDeps = {
	screens: StoreApi<Screen>;
	operations: Operations;
	platform: Pick<Platform, 'publicAddress' | 'shareAddress'>;
	accountNow: () => AccountState;
	terminal: Pick<Terminal, 'copy' | 'end'>;
	clock: Clock;
	say: (notice: string) => void;
};

/** The intents that ask for, answer or cancel operations. */
export function createOperationIntents(parts: OperationIntentDeps) {
	const { screens, operations, accountNow, terminal, clock, say } = parts;
	const published = createPublishNotices(parts);
	let taken: { marks: Screen['marks']; keys: ReadonlySet<string> } | undefined;
	const confirm = (about: 'unlock' | 'leave', askedWith: string) =>
		screens.setState({ confirmation: { about, openedAt: clock.now(), askedWith } });

	function tell(result: AskResult | KeyResult) {
		if (result.type === 'refused') say(refusalText(result.refusal));
		if (result.type === 'cancelled') say('Question closed.');
		if (result.type === 'begun') begun(result.specs);
		if (result.type === 'copy') {
			const { question } = result;
			const [shown = ''] = commandsShown(question);
			say(
				terminal.copy(question.command)
					? `Copied ${shown}`
					: 'This terminal has no clipboard access',
			);
		}
	}

	function begun(wishes: readonly OperationSpec[]) {
		const { marks } = screens.getState();
		published.await(wishes);
		if (!wishes.some(({ computer = '' }) => marks.has(computer))) return;
		taken = { marks, keys: new Set(wishes.map(({ key }) => key)) };
		screens.setState({ marks: new Set() });
	}

	// When no marked computer was operated on, the marks come back.
	function restoreMarks(dropped: readonly OperationSpec[]) {
		const kept = new Set(taken?.keys);
		for (const { key } of dropped) kept.delete(key);
		if (!taken || kept.size > 0) return;
		screens.setState({ marks: new Set([...taken.marks, ...screens.getState().marks]) });
		taken = undefined;
	}

	function leave(key: string) {
		const { sent: safe, unknown, dropped } = operations.exitSummary();
		const isAsking = screens.getState().confirmation?.about === 'leave';
		if (safe.length + unknown.length + dropped.length > 0 && !isAsking) confirm('leave', key);
		else quit();
	}

	const quit = () => void terminal.end({ kind: 'quit' });

	// Every view promises that Esc cancels a countdown.
	function cancelCountdowns() {
		const waitingFor = operations.waiting();
		const counting = operations
			.exitSummary()
			.dropped.filter(({ key }) => isCounting(waitingFor(key)));
		const batches = new Set(counting.flatMap(({ batch }) => batch ?? []));
		const single = counting.filter(({ batch }) => batch === undefined);
		return [
			...[...batches].flatMap(batch => operations.cancel({ batch })),
			...single.flatMap(({ key }) => operations.cancel({ key })),
		];
	}

	return {
		leave,
		quit,
		lock(key: string) {
			if (operations.state().isLocked) return confirm('unlock', key);
			operations.lock();
			say('Locked. Still watching; L unlocks');
		},
		ask({ operation, key }: Extract<Intent, { type: 'ask' }>, ids: readonly string[]) {
			if (operations.state().isLocked) return confirm('unlock', key);
			const targets = operation === 'create' ? [] : ids;
			tell(operations.ask(operation, targets, { askedWith: key }));
		},
		press(input: KeyOrPaste) {
			tell(operations.press(input));
		},
		/** Retries the failures of the shown batch, or else those of the same kind as the one under the cursor. */
		retry(key: string, screen: Screen, { rows, ids }: VisibleRows) {
			if (operations.state().isLocked) return confirm('unlock', key);
			const batch = operations.state().batches.findLast(({ counts }) => counts.failed > 0);
			if (batch) return tell(operations.retryFailed(batch.id, key));
			const failed = retryCandidates(accountNow(), rows[cursorIndex(screen, ids)]?.operation);
			const [first] = failed;
			if (!first) return say(nothingFailedText(rows[cursorIndex(screen, ids)]));
			const { operation, name, port } = first.spec;
			const isCreate = operation === 'create';
			const about = isCreate ? [] : failed.flatMap(({ spec: { computer } }) => computer ?? []);
			tell(
				operations.ask(operation, about, {
					askedWith: key,
					...(port !== undefined && { port }),
					...(isCreate && name !== undefined && { name }),
				}),
			);
		},
		/** True when Esc cancelled or dismissed something. */
		back(screen: Screen, { rows, ids }: VisibleRows): boolean {
			const isTable = keyContext(screen, operations.state(), false) === 'fleet';
			const dropped = isTable ? operations.cancel('all') : cancelCountdowns();
			if (dropped.length > 0) {
				restoreMarks(dropped);
				say(cancelledText(dropped));
				return true;
			}
			if (!isTable) return false;
			const over = operations.state().batches.find(({ isOver }) => isOver);
			const failed = rows[cursorIndex(screen, ids)]?.operation;
			const newcomer = pendingCreate(accountNow());
			if (over) operations.dismissBatch(over.id);
			else if (failed?.stage === 'failed') operations.markSeen(failed.spec.key);
			else if (newcomer?.stage === 'failed') operations.markSeen(newcomer.spec.key);
			else return false;
			return true;
		},
	};
}

const isCounting = (waiting: WaitReason | undefined) =>
	waiting?.for === 'grace' || waiting?.for === 'held';

/** "Cancelled: atlas was not stopped" */
function cancelledText(wishes: readonly OperationSpec[]): string {
	const [first] = wishes;
	if (!first || wishes.length > 1) return `Cancelled: ${wishes.length} operations were not sent`;
	const { operation, name, computer } = first;
	const who = name ?? computer ?? 'the computer';
	return `Cancelled: ${who} was not ${rules[operation].done}`;
}

/** A computer can be in error without any request of ours. */
function nothingFailedText(row: Row | undefined): string {
	if (row?.computer.phase !== 'error') return 'No failed request to repeat';
	const name = row.computer.reading.name ?? row.computer.id;
	return `No request of yours failed here; ${name} is in error: r restarts it, D deletes it`;
}

function refusalText({
	message,
	skipped,
}: Extract<AskResult, { type: 'refused' }>['refusal']): string {
	return skipped.length > 0 ? skippedText(skipped) : message;
}

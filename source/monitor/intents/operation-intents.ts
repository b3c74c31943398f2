import type { StoreApi } from 'zustand/vanilla';
import type { OperationMove } from '../../fleet/change.ts';
import { type GlobalId, globalIdOf } from '../../fleet/computers/global-id.ts';
import { isUnsent, type OperationSpec } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Intent } from '../../keys/binding.ts';
import type { Operations } from '../../operations/operations.ts';
import type { AskOptions, AskResult, BegunOperations } from '../../operations/question.ts';
import { chosenChoiceOf, withCursorKept } from '../../screen/choice.ts';
import { type MessageParts, refusalBecause } from '../../screen/notice.ts';
import { cursorIndex, isTable, type Screen } from '../../screen/screen.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import { batchesOf, retryCandidates, standingFailure } from '../../store/our-operations.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { JointAccount } from '../../store/state.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import { refusalOnAll } from '../../views/phrases/outcome.ts';
import { showOutput } from './command-intents.ts';
import type { HandlerDeps } from './intent-handlers.ts';
import { createPublishNotices, sayCancelled } from './notices.ts';

/** Creates the handlers of the intents that request, confirm, retry or cancel operations. */
export function createOperationIntents(deps: HandlerDeps) {
	const { screenStore, operations, accountsNow, jointNow, isTypedAhead, terminal, say } = deps;
	const publishNotices = createPublishNotices(deps);
	const markRelease = createMarkRestorer(screenStore);
	const openConfirmation = (about: 'unlock' | 'leave', openingKey: string) =>
		screenStore.setState({ confirmation: { about, openingKey } });

	function report(result: AskResult) {
		if (result.type === 'refused') say(refusalFrom(result.refusal));
		if (result.type !== 'begun') return;
		publishNotices.expectCheck(result);
		showOutput(screenStore, result);
		markRelease.release(result);
		keepRows(screenStore, result);
	}

	const quit = () => void terminal.end({ kind: 'quit' });

	return {
		quit,
		/** Shows what came of a request for operations, or of an answer to the question about them. */
		report,
		askToQuit(key: string) {
			const { sent, running, unknown, dropped } = operations.exitSummary();
			const isAsking = screenStore.getState().confirmation?.about === 'leave';
			const underWay = [...sent, ...running, ...unknown, ...dropped];
			if (underWay.length > 0 && !isAsking) openConfirmation('leave', key);
			else quit();
		},
		lock(key: string) {
			if (operations.state().isLocked) return openConfirmation('unlock', key);
			operations.lock();
			say('Locked. Still watching; L unlocks');
		},
		/**
		 * Opens the question about an operation. A new computer is created in the account under the cursor, if there
		 * are several.
		 */
		ask(
			{ operation, key, targets }: Extract<Intent, { type: 'ask' }>,
			ids: readonly GlobalId[],
			visibleRows: VisibleRows,
		) {
			const { changes } = operationRowOf(operation);
			if (changes && operations.state().isLocked) return openConfirmation('unlock', key);
			rememberTable(screenStore, visibleRows);
			const { account } = rowUnderCursor(screenStore.getState(), visibleRows) ?? {};
			report(
				operations.ask(operation, ids, {
					openingKey: key,
					account,
					asksAnyway: isTypedAhead(),
					starting: targets === 'behind' ? 'offered' : undefined,
				}),
			);
		},
		/** Asks again for what failed: on the chosen line of the log, or else in the failure that is shown. */
		retry(key: string, screen: Screen, visibleRows: VisibleRows) {
			const list = visibleRows.choiceList?.();
			const chosen = chosenChoiceOf(screen, list);
			const row = isTable(screen) ? rowUnderCursor(screen, visibleRows) : undefined;
			const { isLocked } = operations.state();
			const [first, ...others] = failedOperationsOf(accountsNow(), jointNow(), chosen?.id, row);
			if (!first) return say(noFailure(isLocked ? undefined : row));
			if (isLocked) return openConfirmation('unlock', key);
			// What is asked for appears at the top of the log, but the cursor stays on the failure.
			if (list && chosen && !list.isSpoken)
				screenStore.setState(withCursorKept(screen, list), true);
			rememberTable(screenStore, visibleRows);
			const asking = { openingKey: key, asksAnyway: isTypedAhead() };
			report(askForFailedOperations(operations, [first, ...others], asking));
		},
		/** Cancels what the chosen line of the log says, if it is not sent yet. */
		cancelUnsent(screen: Screen, visibleRows: VisibleRows) {
			const chosen = chosenChoiceOf(screen, visibleRows.choiceList?.());
			const joint = jointNow();
			const batch = batchesOf(joint).get(chosen?.id ?? '');
			const operation = joint.operations.get(chosen?.id ?? '');
			if (!chosen || !(batch ?? operation)) return say('Nothing to cancel on this line');
			const dropped = operations.cancel(batch ? { batch: chosen.id } : { key: chosen.id });
			if (dropped.length > 0) return sayCancelled(say, dropped);
			const isWaiting = batch ? batch.countsByState.waiting > 0 : operation && isUnsent(operation);
			say(isWaiting ? sentElsewhereText : 'Already sent: it cannot be cancelled');
		},
		/** The details of the computer under the cursor have shown how its operation failed. */
		noteSeen(screen: Screen, visibleRows: VisibleRows) {
			const operation = rowUnderCursor(screen, visibleRows)?.operation;
			if (operation?.stage !== 'failed') return;
			const at = operation.endedAt ?? operation.askedAt;
			operations.markSeen({ type: 'operation', at, operation });
		},
		/**
		 * Handles Esc: cancels the countdowns, or, if there are none, takes a failure away. Queued operations stay.
		 * Returns false if there was neither.
		 */
		cancelOrTakeFailureAway(screen: Screen, visibleRows: VisibleRows): boolean {
			const dropped = operations.cancel('countingDown');
			if (dropped.length === 0) {
				const row = rowUnderCursor(screen, visibleRows);
				// Closing the details takes away the failure that they show.
				const isOfDetail = isTable(screen) && screen.isDetailOpen && row?.operation !== undefined;
				const failure = isOfDetail ? undefined : standingFailure(jointNow(), row?.operation);
				if (failure) operations.markSeen(failure);
				return failure !== undefined;
			}
			markRelease.restore(dropped);
			sayCancelled(say, dropped);
			return true;
		},
	};
}

/** Keeps what the table shows, so that the question says what was hidden when it opened. */
function rememberTable(screenStore: StoreApi<Screen>, { ids, keptIds }: VisibleRows) {
	const { view, filters } = screenStore.getState();
	screenStore.setState({ tableWhenAsked: { screen: { view, filters }, ids, keptIds } });
}

const rowUnderCursor = (screen: Screen, { rows, ids }: VisibleRows) =>
	rows[cursorIndex(screen, ids)];

const maxCaptures = 20;

/** Keeps the rows of operations in the table, even if a change of status would make the filter hide them. */
function keepRows(screenStore: StoreApi<Screen>, { operations, ids }: BegunOperations) {
	const first = operations[0]?.spec;
	const { capturedRows, filters } = screenStore.getState();
	if (!first || ids.length === 0 || filters.fleet === '') return;
	const captured = { asked: first.batch ?? first.key, filter: filters.fleet, ids };
	screenStore.setState({ capturedRows: [...capturedRows, captured].slice(-maxCaptures) });
}

/** Clears the marks of computers when their operations begin, and restores the marks if all are cancelled. */
function createMarkRestorer(screenStore: StoreApi<Screen>) {
	/** The marks, and the operations that began: the key of their batch, or of the only one, and their number. */
	let released: { marks: Screen['marks']; asked: string; count: number } | undefined;

	return {
		release({ operations, ids }: BegunOperations) {
			const first = operations[0]?.spec;
			const { marks } = screenStore.getState();
			if (!first || !ids.some(id => marks.has(id))) return;
			released = { marks, asked: first.batch ?? first.key, count: operations.length };
			screenStore.setState({ marks: new Set() });
		},
		restore(cancelledSpecs: readonly OperationSpec[]) {
			if (!released) return;
			const { asked, count } = released;
			const cancelled = cancelledSpecs.filter(({ key, batch = key }) => batch === asked);
			if (cancelled.length < count) return;
			screenStore.setState({
				marks: new Set([...released.marks, ...screenStore.getState().marks]),
			});
			released = undefined;
		},
	};
}

type FailedOperation = { account: string; spec: OperationSpec };

/**
 * Returns the failed operations that one question can ask for again: those of a line of the log, else those of the
 * failure that is shown, else all failures of the same kind as the latest one.
 */
function failedOperationsOf(
	accounts: readonly OpenedAccount[],
	joint: JointAccount,
	lineId: string | undefined,
	row: FleetRow | undefined,
): readonly FailedOperation[] {
	const onLine = failedOnLine(accounts, lineId);
	if (onLine.length > 0) return onLine;
	const failure = standingFailure(joint, row?.operation);
	if (failure?.type === 'batch') return failedOnLine(accounts, failure.batch.id);
	if (row?.operation?.stage === 'failed')
		return [{ account: row.account, spec: row.operation.spec }];
	const all = accounts.flatMap(({ profile: { account }, state }) =>
		retryCandidates(state).map(({ spec, askedAt }) => ({ account, spec, askedAt })),
	);
	const [latest] = all.toSorted((a, b) => b.askedAt - a.askedAt);
	return all.filter(({ spec }) => {
		const { operation, port } = latest?.spec ?? {};
		return spec.operation === operation && spec.port === port;
	});
}

/** Returns the operations of a line of the log that failed: the only one, or some of a batch. */
const failedOnLine = (accounts: readonly OpenedAccount[], id: string | undefined) =>
	accounts.flatMap(({ profile: { account }, state }): readonly FailedOperation[] => {
		const latest = new Map<string, OperationMove>();
		for (const change of state.changes) {
			if (change.type !== 'operationMoved') continue;
			const { key, batch } = change.wish;
			if (key === id || (batch !== undefined && batch === id)) latest.set(key, change);
		}
		const failed = [...latest.values()].filter(({ to }) => to === 'failed');
		return failed.map(({ wish }) => ({ account, spec: wish }));
	});

/** Asks the person again about the operations that failed. */
function askForFailedOperations(
	operations: Operations,
	failedOperations: readonly [FailedOperation, ...FailedOperation[]],
	asking: Pick<AskOptions, 'openingKey' | 'asksAnyway'>,
): AskResult {
	const [first] = failedOperations;
	const { operation, name, port } = first.spec;
	const isCreate = operationRowOf(operation).subject === 'account';
	const ids = failedOperations.flatMap(({ account, spec }) =>
		spec.computer === undefined ? [] : [globalIdOf(account, spec.computer)],
	);
	return operations.ask(operation, isCreate ? [] : ids, {
		...asking,
		account: first.account,
		port,
		name: isCreate ? name : undefined,
	});
}

const sentElsewhereText = 'Another pane or command of yours will send this: cancel it there';

/** Explains that no operation can be retried. A computer may be in error without a failed operation. */
function noFailure(row: FleetRow | undefined): MessageParts {
	if (row?.computer.phase !== 'error') return refusalBecause('No failed request to repeat');
	return {
		what: 'No request of yours failed here; ',
		why: `${row.computer.reading.name ?? row.computer.id} is in error`,
		advice: ': r restarts it, D deletes it',
	};
}

function refusalFrom({
	message,
	skipped,
	refused,
}: Extract<AskResult, { type: 'refused' }>['refusal']): MessageParts {
	return refused && skipped.length > 0 ? refusalOnAll(refused, skipped) : refusalBecause(message);
}

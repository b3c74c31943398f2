import type { OperationMove } from '../../fleet/change.ts';
import { demoAccount } from '../../fleet/computers/account.ts';
import { computerName, isVersionNotRead } from '../../fleet/computers/computer.ts';
import { type GlobalId, globalIdOf } from '../../fleet/computers/global-id.ts';
import { runwayOf } from '../../fleet/computers/runway.ts';
import {
	isOfThisProcess,
	isUnsent,
	type OperationId,
	type OperationSpec,
	questionIdOf,
} from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { hourMs } from '../../foundation/duration.ts';
import { uncapitalized } from '../../foundation/letter-case.ts';
import { countText, firstNamesAndCount, rateText } from '../../foundation/number-text.ts';
import type { Span } from '../../lines/span.ts';
import type { ExitSummary } from '../../operations/operations.ts';
import { shellId } from '../../operations/own-commands.ts';
import type { AskOptions, AskResult } from '../../operations/question.ts';
import type { Refusal } from '../../operations/why-not.ts';
import { batchesOf, standingFailure } from '../../store/our-operations.ts';
import type { Proposal } from '../../store/proposals.ts';
import { accountOfRow, type FleetRow, shownOperationByComputer } from '../../store/selectors.ts';
import { idleMsOf } from '../../views/fleet/status.ts';
import { proposalIn } from '../../views/frame/messages.ts';
import { keyHint, shownKey } from '../../views/keys.ts';
import {
	chosenChoice,
	chosenChoiceOf,
	computersIn,
	isHeading,
	lineUnderCursor,
	rowUnderCursor,
	withCursorKept,
} from '../../views/look/cursor.ts';
import { chosenIds, markIds } from '../../views/look/moves.ts';
import { isTable, type MessageParts } from '../../views/look/screen.ts';
import { showView } from '../../views/look/views.ts';
import { namesByReason, targetText } from '../../views/phrases/outcome.ts';
import { pluralize } from '../../views/phrases/words.ts';
import type { ActionContext, Scene } from '../../views/scene.ts';
import { readingTimeMs } from './deafness.ts';
import { accountUnderCursor, look, sayNoComputer } from './effects.ts';
import { awaitPortCheck } from './ports.ts';

export const ask = (operation: OperationId) => (context: ActionContext) => {
	const { targets, say } = context;
	const { screen, shown } = context.scene();
	const present = new Set(shown.allRows.map(({ id }) => id));
	if (targets?.length === 0)
		return say('No computer is under the cursor. Type a name after the operation');
	const chosen = targets ?? chosenIds(screen, shown.lines, id => present.has(id));
	const ids = chosen.filter(id => present.has(id));
	if (targets && ids.length === 0) return say('The computer no longer exists');
	const { subject } = operationRowOf(operation);
	if (subject !== 'account' && isHeading(lineUnderCursor(context.scene())) && ids.length === 0)
		return sayNoComputer(context);
	if (operation === shellId) askForShell(context, ids);
	else askAbout(context, operation, ids);
};

/** The first shell in an account shows its command and asks: the log knows the earlier ones. */
function askForShell(context: ActionContext, ids: readonly GlobalId[]) {
	const { shown, accounts } = context.scene();
	const [row, ...others] = shown.allRows.filter(({ id }) => ids.includes(id));
	if (row?.computer.phase === 'stopped' && others.length === 0) {
		// A shell that opened later, by itself, would take the terminal from a person who has gone on.
		context.say(`${computerName(row.computer)} is stopped: start it, then open the shell`);
		return askAbout(context, 'start', ids, { asksAnyway: true });
	}
	const { changes = [] } = (row && accountOfRow(accounts, row)?.state) ?? {};
	const isFirst = !changes.some(
		each => each.type === 'operationMoved' && each.wish.operation === shellId,
	);
	askAbout(context, shellId, ids, { asksAnyway: isFirst || context.isTypedAhead() });
}

const idleFromMs = hourMs;

const idleRows = (scene: Scene) =>
	scene.shown.rows.filter(row => idleMsOf(row, scene) >= idleFromMs);

const noneIdleText = 'No computer shown has been seen idle for an hour';

export function markIdle(context: ActionContext) {
	const scene = context.scene();
	const rows = idleRows(scene);
	if (rows.length === 0) return context.say(noneIdleText);
	look(context, markIds(rows.map(({ id }) => id)));
	const count = pluralize(rows.length, 'idle computer');
	context.say({ why: `${count} marked${spendingText(scene, rows)}`, hint: '; Esc unmarks' });
}

/** Empty where an account that has some of them does not know what a computer spends. */
function spendingText({ accounts }: Scene, rows: readonly FleetRow[]): string {
	const perHour = accounts.map(({ profile, state }) => {
		const { length } = rows.filter(({ account }) => account === profile.account);
		return length === 0 ? 0 : length * (runwayOf(state)?.eachPerHour ?? Number.NaN);
	});
	const sum = perHour.reduce((total, each) => total + each);
	return Number.isNaN(sum) ? '' : `: about ${rateText(sum)} credits an hour`;
}

export function stopIdle(context: ActionContext) {
	const ids = idleRows(context.scene()).map(({ id }) => id);
	if (ids.length === 0) context.say(noneIdleText);
	else askAbout(context, 'stop', ids);
}

export function updateBehind(context: ActionContext) {
	const { allRows } = context.scene().shown;
	const ids = allRows.filter(({ isBehind }) => isBehind).map(({ id }) => id);
	if (ids.length === 0) context.say(nothingBehindText(allRows));
	else askAbout(context, 'update', ids, { starting: 'offered' });
}

function nothingBehindText(allRows: readonly FleetRow[]): string {
	const notRead = allRows.filter(({ computer }) => isVersionNotRead(computer)).length;
	return notRead === 0
		? 'No computer is behind the latest version'
		: `No known version is behind the latest; versions of ${countText(notRead)} not read yet`;
}

function askAbout(
	context: ActionContext,
	operation: OperationId,
	ids: readonly GlobalId[],
	options: AskOptions = {},
) {
	const { sessions, key, isTypedAhead } = context;
	const { operations } = sessions;
	if (operationRowOf(operation).changes && operations.state().isLocked) return askToUnlock(context);
	rememberRows(context);
	const result = operations.ask(operation, ids, {
		openingKey: key,
		asksAnyway: isTypedAhead(),
		// A new computer is created in the account under the cursor, if there are several.
		account: accountUnderCursor(context.scene()),
		...options,
	});
	reportAsked(context, result);
}

/** The question is the usual one, and it is asked even if a setting has switched it off: a person did not choose the computers. */
export function openProposal(context: ActionContext) {
	const scene = context.scene();
	const { proposal } = proposalIn(scene) ?? {};
	if (!proposal) return context.say('No assistant proposes anything');
	if (scene.operationsState.isLocked) return askToUnlock(context);
	endProposal(context, proposal, 'opened');
	const { account, operation, computers, port, name } = proposal;
	const ids = computers.map(id => globalIdOf(account, id));
	askAbout(context, operation, ids, { account, port, name, asksAnyway: true });
}

/** Called with each scene that a person gets to see. */
export function noteShownProposal(
	{ keyState, clock }: Pick<ActionContext, 'keyState' | 'clock'>,
	scene: Scene,
) {
	const key = proposalIn(scene)?.proposal.key;
	if (key === keyState.shownProposal?.key) return;
	keyState.shownProposal = key === undefined ? undefined : { key, since: clock.now() };
}

/** The assistant hears of it when it asks. */
function endProposal(
	{ sessions, clock }: ActionContext,
	proposal: Proposal,
	outcome: 'opened' | 'dismissed',
) {
	sessions.store.receive([{ ...proposal, pane: undefined, at: clock.now(), outcome }]);
}

export function askToUnlock(context: ActionContext) {
	const { screenStore, key } = context;
	screenStore.setState({
		confirmation: {
			title: 'Unlock?',
			lines: ({ dropped }) => [
				['Still watching. Nothing can be changed until you unlock.'],
				...operationLines('Sent as soon as you unlock:', dropped),
			],
			accept: 'unlocks',
			openingKey: key,
			onYes: () => unlock(context),
		},
	});
}

export const operationLines = (
	title: string,
	specs: ExitSummary['sent'],
	end = '',
): readonly Span[] =>
	specs.length === 0 ? [] : [[title, 'strong'], [`${commandsText(specs)}${end}`]];

function commandsText(specs: readonly OperationSpec[]): string {
	return firstNamesAndCount(
		specs.map(spec => `${operationRowOf(spec.operation).label.toLowerCase()} ${targetText(spec)}`),
	);
}

/** Keeps which rows pass the filter, so that the question says what was hidden when it opened. */
function rememberRows({ screenStore, scene }: ActionContext) {
	const {
		screen,
		shown: { lines, keptIds },
	} = scene();
	const isAnyHidden =
		screen.filters.fleet !== '' || lines.some(line => isHeading(line) && line.isFolded);
	const inSight = computersIn(lines).map(({ id }) => id);
	const passing = new Set(inSight.filter(id => !keptIds.has(id)));
	screenStore.setState({ passingWhenAsked: isTable(screen) && isAnyHidden ? passing : undefined });
}

export function reportAsked(context: ActionContext, result: AskResult) {
	if (result.type === 'refused') {
		const { message, skipped, refused } = result.refusal;
		context.say(refused && skipped.length > 0 ? refusalOnAll(refused, skipped) : message);
	}
	if (result.type !== 'begun') return;
	const { screenStore } = context;
	const { operations, ids } = result;
	const [first] = operations;
	if (!first) return;
	awaitPortCheck(context, result);
	if (operationRowOf(first.spec.operation).ownCommand?.output === 'pane')
		screenStore.setState(showView('output'));
	const { marks, capturedRows, filters } = screenStore.getState();
	const isMarked = ids.some(id => marks.has(id));
	const captured = {
		asked: questionIdOf(first.spec),
		filter: filters.fleet,
		ids,
		marks: isMarked ? { ids: marks, operationCount: operations.length } : undefined,
	};
	screenStore.setState({
		capturedRows: [...capturedRows, captured].slice(-maxCaptures),
		marks: isMarked ? new Set() : marks,
	});
}

/** As in "Cannot update atlas and 3 more: already on 1.4.2, the latest; draco: in error". */
function refusalOnAll(
	{ operation, port }: NonNullable<Refusal['refused']>,
	skipped: Refusal['skipped'],
): MessageParts {
	const { label, questionLabel = label } = operationRowOf(operation);
	const reasons = namesByReason(skipped).map(([reason, names], at) => {
		const those = firstNamesAndCount(names, 1);
		return `${at === 0 ? targetText({ operation, port, name: those }) : those}: ${reason}`;
	});
	return { what: `Cannot ${uncapitalized(questionLabel)} `, why: reasons.join('; '), advice: '' };
}

const maxCaptures = 20;

/** The marks that operations have taken come back if all of these are cancelled. */
function restoreMarks({ screenStore }: ActionContext, cancelled: readonly OperationSpec[]) {
	const { marks: present, capturedRows } = screenStore.getState();
	const restored = capturedRows.flatMap(({ asked, marks }) => {
		const count = cancelled.filter(spec => questionIdOf(spec) === asked).length;
		return marks && count >= marks.operationCount ? [...marks.ids] : [];
	});
	if (restored.length > 0) screenStore.setState({ marks: new Set([...restored, ...present]) });
}

export function retry(context: ActionContext) {
	const { screenStore, say } = context;
	const scene = context.scene();
	const { screen } = scene;
	const list = scene.shown.choiceList();
	const chosen = chosenChoiceOf(screen, list);
	const row = isTable(screen) ? rowUnderCursor(scene) : undefined;
	const { isLocked } = scene.operationsState;
	const failed = failedOperationsOf(scene, chosen?.id, row);
	const [first] = failed;
	if (!first) return say(noFailure(scene, isLocked ? undefined : row));
	if (isLocked) return askToUnlock(context);
	// What is asked for appears at the top of the log, but the cursor stays on the failure.
	if (list && chosen && !list.isSpoken) screenStore.setState(withCursorKept(screen, list));
	const { account } = first;
	const { operation, name, port } = first.spec;
	if (operationRowOf(operation).subject === 'account')
		return askAbout(context, operation, [], { account, port, name });
	const ids = failed.flatMap(({ account, spec }) =>
		spec.computer === undefined ? [] : [globalIdOf(account, spec.computer)],
	);
	askAbout(context, operation, ids, { account, port });
}

type FailedOperation = { account: string; spec: OperationSpec };

function failedOperationsOf(
	scene: Scene,
	lineId: string | undefined,
	row: FleetRow | undefined,
): readonly FailedOperation[] {
	const onLine = failedOnLine(scene, lineId);
	if (onLine.length > 0) return onLine;
	const failure = standingFailure(scene, row?.operation);
	if (failure?.type === 'batch') return failedOnLine(scene, failure.batch.id);
	if (row?.operation?.stage === 'failed')
		return [{ account: row.account, spec: row.operation.spec }];
	return latestFailures(scene);
}

function latestFailures({ accounts }: Scene): readonly FailedOperation[] {
	const failed = accounts.flatMap(({ profile: { account }, state: { operations } }) => {
		const creations = [...operations.values()].filter(({ spec }) => spec.computer === undefined);
		return [...shownOperationByComputer(operations).values(), ...creations]
			.filter(each => each.stage === 'failed' && isOfThisProcess(each))
			.map(({ spec, askedAt }) => ({ account, spec, askedAt }));
	});
	const [latest] = failed.toSorted((a, b) => b.askedAt - a.askedAt);
	if (!latest) return [];
	const { operation, port } = latest.spec;
	if (operationRowOf(operation).subject === 'account') return [latest];
	return failed.filter(({ spec }) => spec.operation === operation && spec.port === port);
}

const failedOnLine = ({ accounts }: Scene, id: string | undefined) =>
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

function noFailure(scene: Scene, row: FleetRow | undefined): string | MessageParts {
	if (row?.computer.phase !== 'error') return 'No failed request to repeat';
	return {
		what: 'No request of yours failed here; ',
		why: `${computerName(row.computer)} is in error`,
		advice: keyHint(scene, 'restart', 'restarts it', ': '),
		hint: keyHint(scene, 'delete', 'deletes it', '; '),
	};
}

export function cancelUnsent({ sessions, scene, say }: ActionContext) {
	const seen = scene();
	const chosen = chosenChoice(seen);
	const batch = batchesOf(seen).get(chosen?.id ?? '');
	const operation = seen.operations.get(chosen?.id ?? '');
	if (!chosen || !(batch ?? operation)) return say('Nothing to cancel on this line');
	const dropped = sessions.operations.cancel(batch ? { batch: chosen.id } : { key: chosen.id });
	if (dropped.length > 0) return sayCancelled(say, dropped);
	const isWaiting = batch ? batch.countsByState.waiting > 0 : operation && isUnsent(operation);
	say(
		isWaiting
			? 'Another pane or command of yours will send this: cancel it there'
			: 'Already sent: it cannot be cancelled',
	);
}

function sayCancelled(say: ActionContext['say'], specs: readonly OperationSpec[]) {
	const [first, ...others] = specs;
	if (!first) return;
	const { doneLabel } = operationRowOf(first.operation);
	const all = `${countText(specs.length)} operations were not sent`;
	const what = others.length > 0 ? all : `${targetText(first)} was not ${doneLabel}`;
	say(`Cancelled: ${what}`, questionIdOf(first));
}

/** Returns false if there was nothing to cancel or to take away. Queued operations stay. */
export function cancelOrTakeFailureAway(context: ActionContext): boolean {
	const { sessions, keyState, clock, say } = context;
	const { operations } = sessions;
	const dropped = operations.cancel('countingDown');
	if (dropped.length > 0) {
		restoreMarks(context, dropped);
		sayCancelled(say, dropped);
		return true;
	}
	const scene = context.scene();
	const { screen } = scene;
	const proposed = proposalIn(scene);
	// Who presses Esc several times cannot have read the next one yet.
	const { key, since = 0 } = keyState.shownProposal ?? {};
	if (proposed && proposed.proposal.key === key && clock.now() - since >= readingTimeMs) {
		endProposal(context, proposed.proposal, 'dismissed');
		say(`Dismissed, and the assistant is told: ${proposed.what}`);
		return true;
	}
	const row = rowUnderCursor(scene);
	// Closing the details takes away the failure that they show.
	const isOfDetail = isTable(screen) && screen.isDetailOpen && row?.operation !== undefined;
	const failure = isOfDetail ? undefined : standingFailure(scene, row?.operation);
	if (failure) operations.markSeen(failure);
	return failure !== undefined;
}

export function lock(context: ActionContext) {
	const { operations } = context.sessions;
	if (operations.state().isLocked) return askToUnlock(context);
	operations.lock();
	context.say(`Locked. Still watching${keyHint(context.scene(), 'lock', 'unlocks', '; ')}`);
}

/** Unlocking does not repeat the key that met the lock. */
function unlock({ sessions, scene, key, say }: ActionContext) {
	sessions.operations.unlock();
	const isLockKey = scene().actions.some(({ id, keys }) => id === 'lock' && keys.includes(key));
	say(isLockKey ? 'Unlocked' : `Unlocked: press ${shownKey(key)} again`);
}

// A person may not have seen yet that the command has ended, so its key does not quit at once.
const surpriseMs = 3_000;

export function endCommands(context: ActionContext) {
	const { commandRunner, sessions, clock, say } = context;
	const count = commandRunner?.endShown() ?? 0;
	if (count > 0) return say(`Asked ${count === 1 ? 'the command' : `${count} commands`} to end`);
	const hasJustEnded = sessions.operations
		.state()
		.commandRuns.some(({ endedAt = -surpriseMs }) => clock.now() - endedAt < surpriseMs);
	if (hasJustEnded) say('The command has ended. Press the key again in 3 s to quit');
	else quit(context);
}

export function isAnythingUnderWay(
	{ sessions }: Pick<ActionContext, 'sessions'>,
	account?: string,
): boolean {
	const { sent, running, unknown, dropped } = sessions.operations.exitSummary(account);
	return [sent, running, unknown, dropped].some(({ length }) => length > 0);
}

export const isDemo = (sessions: ActionContext['sessions']) =>
	sessions.profiles().some(({ account }) => account === demoAccount);

/** A second press in the dialog quits. */
export function quit(context: ActionContext) {
	const { screenStore, sessions, key, terminal } = context;
	const onYes = () => void terminal.end({ kind: 'quit' });
	if (screenStore.getState().confirmation?.isQuit || !isAnythingUnderWay(context)) return onYes();
	screenStore.setState({
		confirmation: {
			title: 'Quit now?',
			// Only the operations that quitting cancels depend on the answer, so they come first.
			lines: ({ dropped, running, sent, unknown }) => [
				...operationLines('Quitting cancels:', dropped, ' (on hold)'),
				...operationLines('Quitting ends the command:', running),
				...operationLines(
					`${isDemo(sessions) ? 'Ends with the demo' : 'Continues after quitting'}:`,
					sent,
				),
				...operationLines('Outcome still unknown:', unknown),
			],
			accept: 'quits',
			refuse: 'stays',
			openingKey: key,
			isQuit: true,
			onYes,
		},
	});
}

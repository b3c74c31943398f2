import type { OperationMove } from '../fleet/change.ts';
import { allPortsOf, type PublishedPort } from '../fleet/computers/computer.ts';
import { type FactOf, specOf } from '../fleet/fact.ts';
import {
	hasUnknownOutcome,
	isOfThisProcess,
	isUnderWay,
	isUnsent,
	type Operation,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { withChanges } from './change-log.ts';
import { statusChangeOf, updateComputer, withoutComputers } from './fold-computers.ts';
import { answerTimeFrom, isListComplete } from './freshness.ts';
import { operationIn, withNameOfNew, withOperationsEnded } from './our-operations.ts';
import type { AccountState } from './state.ts';

type OperationFact = FactOf<'operationChanged'>;

export function foldOperation(before: AccountState, fact: OperationFact): AccountState {
	const { key, step } = fact;
	const earlier = operationIn(before, key);
	if (step === 'seen')
		return before.operations.get(key)?.stage === 'failed'
			? withOperationsEnded(before, [key])
			: before;
	if (earlier && !isUnderWay(earlier)) return before;
	const account = earlier ? before : withoutEarlierFailures(before, fact);
	const operation = operationAfter(account, earlier, fact);
	const known = { ...account, operations: new Map(account.operations).set(key, operation) };
	const logged = withChanges(known, newSteps(known, earlier, operation, fact.at));
	switch (operation.stage) {
		case 'accepted':
			return foldAccepted(logged, operation, fact);
		case 'done':
			return foldDone(account, logged, operation, fact);
		case 'cancelled':
			return withOperationsEnded(logged, [key]);
		case 'counting':
		case 'held':
		case 'queued':
		case 'sent':
		case 'failed':
		case 'unknown':
		case 'skipped':
			return logged;
	}
}

function operationAfter(
	account: AccountState,
	earlier: Operation | undefined,
	fact: OperationFact,
): Operation {
	const { step, times, failure, skipped, abandonedBy } = fact;
	const stage = step === 'seen' ? 'failed' : step;
	const spec = withNameOfNew(account, specOf(fact), fact.reading);
	const operation: Operation = {
		...earlier,
		spec,
		stage,
		askedAt: times.asked,
		countdownEndsAt: times.until,
		sentAt: times.sent,
		acceptedAt: times.accepted,
		endedAt: times.ended,
		failure,
		skipped,
		hasPhaseChanged: earlier !== undefined && !isUnsent({ stage }) && earlier.hasPhaseChanged,
		pane: earlier ? earlier.pane : (abandonedBy ?? fact.pane),
		abandonedAt: earlier?.abandonedAt ?? (abandonedBy === undefined ? undefined : fact.at),
	};
	if (stage !== 'sent' && stage !== 'unknown') delete operation.idsBeforeCreate;
	if (stage !== 'sent' || earlier?.sentAt === times.sent) return operation;
	if (spec.computer !== undefined)
		operation.readingBefore = account.computers.get(spec.computer)?.reading;
	else if (isListComplete(account)) operation.idsBeforeCreate = new Set(account.computers.keys());
	return operation;
}

const maxFailedCreates = 20;

function withoutEarlierFailures(account: AccountState, { computer }: OperationFact) {
	const failed = [...account.operations.values()].filter(
		other => other.spec.computer === computer && !isUnderWay(other),
	);
	const gone = computer === undefined ? failed.slice(0, -maxFailedCreates) : failed;
	return withOperationsEnded(
		account,
		gone.map(({ spec }) => spec.key),
	);
}

const loggedAs = {
	sent: 'sent',
	done: 'settled',
	failed: 'failed',
	unknown: 'unknown',
	cancelled: 'cancelled',
} as const satisfies Partial<Record<Operation['stage'], OperationMove['to']>>;

/** Another process may tell of an operation late, and twice: over the socket and through the journal. */
function newSteps(
	account: AccountState,
	earlier: Operation | undefined,
	operation: Operation,
	at: number,
): readonly OperationMove[] {
	const { stage, sentAt, endedAt, pane } = operation;
	const steps: OperationMove[] = [];
	if (sentAt !== undefined && sentAt !== earlier?.sentAt)
		steps.push(loggedStep(account, operation, 'sent', sentAt));
	if (stage !== earlier?.stage && stage !== 'sent' && stage in loggedAs) {
		const to = hasUnknownOutcome(operation) ? 'unknown' : loggedAs[stage as keyof typeof loggedAs];
		steps.push(loggedStep(account, operation, to, endedAt ?? at));
	}
	return pane === undefined ? steps : steps.filter(step => !isLogged(account, step));
}

function isLogged({ changes }: AccountState, { wish, to, at }: OperationMove): boolean {
	return changes.some(
		change =>
			change.type === 'operationMoved' &&
			change.wish.key === wish.key &&
			change.to === to &&
			change.at === at,
	);
}

function loggedStep(
	{ signIn }: Pick<AccountState, 'signIn'>,
	{ spec, askedAt, sentAt = askedAt, failure, pane }: Operation,
	to: OperationMove['to'],
	at: number,
): OperationMove {
	const isWithReason = to === 'failed' || to === 'unknown';
	return {
		type: 'operationMoved',
		at,
		wish: spec,
		to,
		took: Math.max(0, at - sentAt),
		who: signIn?.email,
		pane,
		message: isWithReason ? failure?.message : undefined,
	};
}

/** Without such a step, another process would take the operation for one whose process was killed. */
export function lastSteps(account: AccountState, now: number): readonly OperationMove[] {
	const own = [...account.operations.values()].filter(isOfThisProcess);
	const accepted = own.filter(({ stage }) => stage === 'accepted');
	const sent = own.filter(({ stage }) => stage === 'sent');
	const message = 'no response before crowsnest ended';
	return [
		...accepted.map(each => ({ ...loggedStep(account, each, 'sent', now), isAccepted: true })),
		...sent.map(each => ({ ...loggedStep(account, each, 'unknown', now), message })),
	];
}

function foldAccepted(
	account: AccountState,
	{ spec }: Operation,
	fact: OperationFact,
): AccountState {
	const { computer: id } = spec;
	const computer = id === undefined ? undefined : computerAfter(account, spec, id, fact);
	if (!computer) return account;
	const accepted = { ...computer, answersValidFrom: fact.at };
	if (operationRowOf(spec.operation).subject !== 'port') delete accepted.statusReadFor;
	return { ...account, computers: new Map(account.computers).set(computer.id, accepted) };
}

function computerAfter(
	account: AccountState,
	spec: OperationSpec,
	id: string,
	fact: OperationFact,
) {
	const earlier = account.computers.get(id);
	const { goal, subject } = operationRowOf(spec.operation);
	if (subject === 'account') {
		const created = { name: spec.name, ...fact.reading, id };
		return updateComputer(account, earlier, created, answerTimeFrom(fact));
	}
	if (!earlier) return undefined;
	const { ports, ...reading } = earlier.reading;
	const others = (ports ?? []).filter(({ port }) => port !== spec.port);
	const reportsPorts = allPortsOf(earlier.reading) !== undefined;
	if (goal.reaches === 'published' && spec.port !== undefined) {
		const published: PublishedPort = fact.published ?? { port: spec.port };
		const added = reportsPorts ? published : { ...published, isOurs: true };
		return { ...earlier, reading: { ...reading, ports: [...others, added] } };
	}
	if (goal.reaches !== 'unpublished') return earlier;
	// Other published ports may exist, so the ports become unknown.
	const isKnown = reportsPorts || !allPortsOf({ ports: others });
	return { ...earlier, reading: isKnown ? { ...reading, ports: others } : reading };
}

function foldDone(
	before: AccountState,
	account: AccountState,
	{ spec }: Operation,
	fact: OperationFact,
): AccountState {
	const over = withOperationsEnded(account, [spec.key]);
	const computer = account.computers.get(spec.computer ?? '');
	const { reaches } = operationRowOf(spec.operation).goal;
	if (reaches !== 'gone' || !computer || computer.phase === 'archived') return over;
	const change = statusChangeOf(before, computer, undefined, fact.at);
	return withChanges(withoutComputers(over, [computer.id], fact.at), [change]);
}

/** What an ended process had not sent never will be. The recorder finds out how the rest ended. */
export function foldPaneLeft(
	account: AccountState,
	{ left, hasEnded = false, at }: FactOf<'paneLeft'>,
): AccountState {
	const operations = new Map(account.operations);
	const ended = new Map(account.endedOperations);
	for (const [key, operation] of account.operations) {
		if (operation.pane !== left) continue;
		const isFollowed = operation.abandonedAt !== undefined || (hasEnded && isUnsettled(operation));
		if (isFollowed) operations.set(key, { ...operation, abandonedAt: operation.abandonedAt ?? at });
		else operations.delete(key);
		if (hasEnded && isUnsent(operation) && operation.spec.batch !== undefined)
			ended.set(key, { ...operation, stage: 'cancelled', endedAt: at });
	}
	const followed = new Set([...operations.values()].map(({ spec }) => spec.batch));
	for (const [key, { pane, spec }] of ended)
		if (pane === left && (spec.batch === undefined || !followed.has(spec.batch))) ended.delete(key);
	return { ...account, operations, endedOperations: ended };
}

const isUnsettled = (operation: Operation) =>
	operation.sentAt !== undefined && (isUnderWay(operation) || hasUnknownOutcome(operation));

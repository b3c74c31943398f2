import type { OperationMove } from '../fleet/change.ts';
import { allPortsOf, type PublishedPort } from '../fleet/computers/computer.ts';
import type { Fact } from '../fleet/fact.ts';
import {
	hasUnknownOutcome,
	isUnderWay,
	isUnsent,
	type Operation,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { withItem, withoutItems } from '../foundation/layered-map.ts';
import { isListComplete } from './answer-times.ts';
import { changesWithName, withChanges } from './change-log.ts';
import { foldAbandoned } from './fold-pane-left.ts';
import { loggedStep } from './logged-step.ts';
import { withNameOfNew, withOperationsEnded } from './our-operations.ts';
import { answerTimeFrom } from './read-health.ts';
import { withoutComputers } from './removed-computers.ts';
import type { AccountState } from './state.ts';
import { statusChangeOf, updateComputer } from './update-computer.ts';

type OperationFact = Extract<Fact, { key: string } | { wish: OperationSpec }>;

type CountdownFact = Extract<Fact, { keys: readonly string[] }>;

/** Folds what happens to a countdown, which all operations of one question share. */
export function foldCountdown(account: AccountState, fact: CountdownFact): AccountState {
	const operations = new Map(account.operations);
	for (const key of fact.keys) {
		const earlier = operations.get(key);
		if (earlier && isUnsent(earlier)) operations.set(key, withCountdown(earlier, fact));
	}
	return { ...account, operations };
}

function withCountdown(earlier: Operation, fact: CountdownFact): Operation {
	const { graceEndsAt: _, heldGraceMs: __, ...rest } = earlier;
	switch (fact.type) {
		case 'countdownHeld':
			return { ...rest, stage: 'held', heldGraceMs: fact.leftMs };
		case 'countdownRestarted':
			return { ...rest, stage: 'counting', graceEndsAt: fact.endsAt };
		case 'countdownEnded':
			return { ...rest, stage: 'queued' };
	}
}

/** Folds one step in the life of an operation. */
export function foldOperation(account: AccountState, fact: OperationFact): AccountState {
	if (fact.type === 'operationAsked') return foldAsked(account, fact);
	if (fact.type === 'operationAbandoned') return foldAbandoned(account, fact);
	const earlier = account.operations.get(fact.key);
	// If a later request has replaced the operation, a late response does not change the outcome of the operation.
	if (!earlier || (earlier.stage === 'failed' && fact.type !== 'operationSeen')) return account;
	switch (fact.type) {
		case 'operationSent':
			return withLoggedStep(account, markedAsSent(account, earlier, fact.at), 'sent', fact.at);
		case 'operationAccepted':
			return foldAccepted(account, earlier, fact);
		case 'operationFailed': {
			const { at, failure } = fact;
			const { idsBeforeCreate: _, ...rest } = earlier;
			const operation: Operation = { ...rest, stage: 'failed', endedAt: at, failure };
			const to = hasUnknownOutcome(operation) ? 'unknown' : 'failed';
			return withLoggedStep(account, operation, to, at);
		}
		case 'operationUnknown': {
			const { at, failure } = fact;
			const operation: Operation = { ...earlier, stage: 'unknown', endedAt: at, failure };
			return withLoggedStep(account, operation, 'unknown', at);
		}
		case 'operationSettled':
			return foldSettled(account, earlier, fact);
		case 'operationCancelled':
			return withOperationsEnded(
				withLoggedStep(
					account,
					{ ...earlier, stage: 'cancelled', endedAt: fact.at },
					'cancelled',
					fact.at,
				),
				[fact.key],
			);
		// A failure is removed once a person has seen it. An unknown outcome stays, because it is still looked up.
		case 'operationSeen':
			return earlier.stage === 'failed' ? withOperationsEnded(account, [fact.key]) : account;
	}
}

const maxFailedCreates = 20;

// A new operation on a computer removes its earlier failures. Failed creates belong to no computer, so only the
// latest few of them stay.
function foldAsked(
	account: AccountState,
	{ wish, graceEndsAt, at: askedAt, pane }: Extract<Fact, { type: 'operationAsked' }>,
): AccountState {
	const operation: Operation = {
		spec: wish,
		...(graceEndsAt === undefined ? { stage: 'queued' } : { stage: 'counting', graceEndsAt }),
		askedAt,
		hasPhaseChanged: false,
		...(pane !== undefined && { pane }),
	};
	const { computer } = wish;
	const stale: Operation[] = [];
	account.operations.forEach(other => {
		if (other.spec.computer === computer && !isUnderWay(other)) stale.push(other);
	});
	const gone = computer === undefined ? stale.slice(0, -maxFailedCreates) : stale;
	const kept = withoutItems(
		account.operations,
		gone.map(({ spec }) => spec.key),
	);
	const operations = withItem(kept, wish.key, operation);
	return { ...account, operations, endedOperations: latestEnded(account, wish.batch, gone) };
}

const maxEndedOperations = 200;

// When another question begins operations, only the latest ended operations of the previous questions stay, so that
// the state does not grow.
function latestEnded(
	{ endedOperations: ended }: AccountState,
	batch: string | undefined,
	added: readonly Operation[],
): AccountState['endedOperations'] {
	if (added.length === 0 && ended.size <= maxEndedOperations) return ended;
	const all = [...ended.values(), ...added];
	const isOfBatch = ({ spec }: Operation) => batch !== undefined && spec.batch === batch;
	const earlier = all.filter(operation => !isOfBatch(operation));
	const dropped = new Set(earlier.slice(0, -maxEndedOperations));
	if (added.length === 0 && dropped.size === 0) return ended;
	const kept = all.filter(operation => !dropped.has(operation));
	return new Map(kept.map(operation => [operation.spec.key, operation]));
}

function markedAsSent(account: AccountState, operation: Operation, sentAt: number): Operation {
	const { computer } = operation.spec;
	if (computer === undefined) {
		const before = isListComplete(account) && {
			idsBeforeCreate: new Set(account.computers.keys()),
		};
		return { ...operation, stage: 'sent', sentAt, ...before };
	}
	const before = account.computers.get(computer)?.reading;
	return { ...operation, stage: 'sent', sentAt, ...(before && { readingBefore: before }) };
}

function foldAccepted(
	account: AccountState,
	earlier: Operation,
	fact: Extract<Fact, { type: 'operationAccepted' }>,
): AccountState {
	const id = fact.computer ?? fact.reading?.id ?? earlier.spec.computer;
	const spec = id === undefined ? earlier.spec : { ...earlier.spec, computer: id };
	const wish = withNameOfNew(account, spec, fact.reading);
	// The outcome of a request without a response is known now, so the failure is removed.
	const { failure: _, idsBeforeCreate: __, ...rest } = earlier;
	const operation: Operation = { ...rest, spec: wish, stage: 'accepted', acceptedAt: fact.at };
	const operations = withItem(account.operations, wish.key, operation);
	const changes = wish === spec ? account.changes : changesWithName(account.changes, wish);
	const taken = { ...account, operations, changes };
	if (id === undefined) return taken;
	const computer = computerAfter(account, wish, id, fact);
	if (!computer) return taken;
	const accepted = { ...computer, answersValidFrom: fact.at };
	if (operationRowOf(wish.operation).subject !== 'port') delete accepted.statusReadFor;
	return { ...taken, computers: withItem(account.computers, id, accepted) };
}

// The response of a create contains the new computer. Other responses only change the ports.
function computerAfter(
	account: AccountState,
	wish: OperationSpec,
	id: string,
	fact: Extract<Fact, { type: 'operationAccepted' }>,
) {
	const earlier = account.computers.get(id);
	const { goal, subject } = operationRowOf(wish.operation);
	if (subject === 'account') {
		const created = { ...(wish.name !== undefined && { name: wish.name }), ...fact.reading, id };
		return updateComputer(account, earlier, created, { ...answerTimeFrom(fact), read: 'detail' });
	}
	if (!earlier) return undefined;
	const { ports, ...reading } = earlier.reading;
	const others = (ports ?? []).filter(({ port }) => port !== wish.port);
	const reportsPorts = allPortsOf(earlier.reading) !== undefined;
	if (goal.reaches === 'published' && wish.port !== undefined) {
		const published: PublishedPort = fact.published ?? { port: wish.port };
		const added = reportsPorts ? published : { ...published, isOurs: true };
		return { ...earlier, reading: { ...reading, ports: [...others, added] } };
	}
	if (goal.reaches !== 'unpublished') return earlier;
	// The platform does not report ports, and the program knows of no other published port. Others may exist, so the
	// ports become unknown.
	const isKnown = reportsPorts || !allPortsOf({ ports: others });
	return { ...earlier, reading: isKnown ? { ...reading, ports: others } : reading };
}

function foldSettled(account: AccountState, earlier: Operation, fact: OperationFact): AccountState {
	const { key, operation, computer: id = '' } = earlier.spec;
	const spec = withNameOfNew(account, earlier.spec);
	const done: Operation = { ...earlier, spec, stage: 'done', endedAt: fact.at };
	const over = withOperationsEnded(withLoggedStep(account, done, 'settled', fact.at), [key]);
	const computer = account.computers.get(id);
	const { reaches } = operationRowOf(operation).goal;
	if (reaches !== 'gone' || !computer || computer.phase === 'archived') {
		return over;
	}
	const answer = { ...answerTimeFrom(fact), read: 'status' as const };
	const change = statusChangeOf(account, computer, undefined, answer);
	return withChanges(withoutComputers(over, [id], fact.at), [change]);
}

function withLoggedStep(
	account: AccountState,
	operation: Operation,
	to: OperationMove['to'],
	at: number,
): AccountState {
	const operations = withItem(account.operations, operation.spec.key, operation);
	const step = loggedStep(account, operation, to, at);
	return withChanges({ ...account, operations }, [isLogged(account, step) ? undefined : step]);
}

/**
 * Whether the log has a step of another process already. Such a step may arrive over the socket and from the journal,
 * and again when its process has left and comes back.
 */
const isLogged = ({ changes }: AccountState, { wish, to, at, pane }: OperationMove): boolean =>
	pane !== undefined &&
	changes.some(
		change =>
			change.type === 'operationMoved' &&
			change.wish.key === wish.key &&
			change.to === to &&
			change.at === at,
	);

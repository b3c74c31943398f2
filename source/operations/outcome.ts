import type { Clock } from '../fleet/clock.ts';
import { allPortsOf } from '../fleet/computer.ts';
import { durationText } from '../fleet/duration.ts';
import type { FactBody } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import type { Operation } from '../fleet/operation.ts';
import { failureOf } from '../platform/platform-error.ts';
import { isListComplete, statusAnswerOf } from '../store/answer-times.ts';
import { type AccountState, type ComputerState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { operationTable } from './operation-table.ts';
import { settlementIn } from './settlement.ts';

export type OutcomeFact = Extract<
	FactBody,
	{ type: 'operationAccepted' | 'operationSettled' | 'operationFailed' }
>;

// A request that got lost on its way may still arrive, and a list may lag behind. So it is looked up at
// the first of these times after the loss and once more at the second, and judged by what is so then.
export const lookUpAfter = 20_000;
export const confirmAfter = 30_000;

/** Nobody waits longer for what the platform took on and does not bring to its end. */
const giveUpAfter = 30 * 60_000;

/** What is known by now of an operation's end; undefined while nothing new is. */
export function outcomeOf(
	account: AccountState,
	operation: Operation,
	before: IdsBefore,
	now: number,
): OutcomeFact | undefined {
	const { stage, spec } = operation;
	const { key } = spec;
	if (stage !== 'accepted' && stage !== 'unknown') return undefined;
	if (spec.computer === undefined) return outcomeOfLostCreate(account, operation, before);
	const settlement = settlementIn(account, operation);
	if (settlement.end === 'settled') return { type: 'operationSettled', key };
	if (settlement.end === 'failed') return failed(key, failureOf('conflict', settlement.message));
	return stage === 'accepted'
		? outcomeOfAccepted(operation, now)
		: outcomeOfUnknown(account, operation);
}

function outcomeOfAccepted(
	{ spec, acceptedAt = Number.POSITIVE_INFINITY }: Operation,
	now: number,
): OutcomeFact | undefined {
	const time = now - acceptedAt;
	if (time <= giveUpAfter) return undefined;
	const { doing } = operationTable[spec.operation];
	const message = `still ${doing.toLowerCase()} after ${durationText(time)}`;
	return failed(spec.key, {
		...failureOf('server', message, { isOutcomeUnknown: true }),
		advice: 'The platform accepted it and did not finish it. Check the computer itself.',
	});
}

function outcomeOfUnknown(account: AccountState, operation: Operation): OutcomeFact | undefined {
	const { spec, sentAt = 0, endedAt = 0, before } = operation;
	const { key } = spec;
	const computer = account.computers.get(spec.computer ?? '');
	if (!computer) return undefined;
	const toldFrom = evidenceAsOf(account, computer, operation);
	if (toldFrom < sentAt) return undefined;
	if (operationTable[spec.operation].isAlreadyHappening(computer, spec)) {
		return { type: 'operationAccepted', key };
	}
	if (toldFrom < endedAt + confirmAfter) return undefined;
	const time = durationText(toldFrom - sentAt);
	if (!hasEvidence(operation, computer)) {
		return probablyNotDone(operation, 'the platform does not report whether it was done', true);
	}
	const word = computer.reading.status ?? 'there';
	const still = before?.status === computer.reading.status ? 'still ' : '';
	return probablyNotDone(
		operation,
		`${time} later it is ${still}${word}: it was probably not done`,
	);
}

// A restart that nobody saw leaves its trace only where the time of the start is told.
function hasEvidence({ spec, before }: Operation, { reading }: ComputerState): boolean {
	switch (spec.operation) {
		case 'restart':
			return typeof before?.startedAt === 'number' && typeof reading.startedAt === 'number';
		case 'publish':
		case 'unpublish':
			return allPortsOf(reading) !== undefined;
		default:
			return true;
	}
}

// The status tells nothing of ports.
function evidenceAsOf(account: AccountState, computer: ComputerState, { spec }: Operation): number {
	const never = Number.NEGATIVE_INFINITY;
	if (spec.operation !== 'publish' && spec.operation !== 'unpublish') {
		return statusAnswerOf(account, computer)?.askedAt ?? never;
	}
	const isListed = account.listFields.has('ports') && computer.listed !== 'absent';
	return Math.max(
		account.computerReads.get(computer.id)?.detail?.askedAt ?? never,
		(isListed ? account.reads.list?.answer?.askedAt : undefined) ?? never,
	);
}

function outcomeOfLostCreate(
	account: AccountState,
	operation: Operation,
	before: IdsBefore,
): OutcomeFact | undefined {
	const { spec, sentAt = 0, endedAt = 0 } = operation;
	const toldFrom = account.reads.list?.answer?.askedAt ?? Number.NEGATIVE_INFINITY;
	if (toldFrom < sentAt) return undefined;
	const computer = computerOfLostCreate(account, operation, before);
	if (computer) return { type: 'operationAccepted', key: spec.key, computer: computer.id };
	if (toldFrom < endedAt + confirmAfter) return undefined;
	return before && isListComplete(account)
		? probablyNotDone(operation, 'the list shows no new computer: it was probably not created')
		: probablyNotDone(operation, 'the platform does not report whether it was created', true);
}

function probablyNotDone(
	{ spec, failure }: Operation,
	found: string,
	isOutcomeUnknown = false,
): OutcomeFact {
	// What it answered is told as it came; how a connection broke tells nobody more.
	const answer = failure && failure.kind !== 'offline' ? failure.message : 'no answer';
	const message = `${answer}, and ${found}`;
	const advice = isOutcomeUnknown
		? 'Check before asking again.'
		: 'Ask again if you still want it.';
	const known = failure ?? failureOf('offline', message);
	return failed(spec.key, { ...known, message, advice, isOutcomeUnknown });
}

function failed(key: string, failure: Failure): OutcomeFact {
	return { type: 'operationFailed', key, failure };
}

type Parts = {
	account: string;
	store: Store;
	clock: Clock;
	/** What was there when a create went out. */
	knownBefore: (key: string) => IdsBefore;
	onVerdicts: (verdicts: readonly { operation: Operation; verdict: OutcomeFact }[]) => void;
};

/**
 * Sees with every change of the state whether something that was sent has come to its end. What it
 * returns ends that.
 */
export function watchOutcomes({
	account,
	store,
	clock,
	knownBefore,
	onVerdicts,
}: Parts): () => void {
	let seen: AccountState | undefined;

	return store.subscribe(() => {
		const known = store.getState().accounts.get(account) ?? emptyAccount;
		if (known === seen) return;
		seen = known;
		const verdicts = [...known.operations.values()].flatMap(operation => {
			const before = knownBefore(operation.spec.key);
			const verdict = outcomeOf(known, operation, before, clock.now());
			return verdict ? [{ operation, verdict }] : [];
		});
		if (verdicts.length > 0) onVerdicts(verdicts);
	});
}

/** The ids that were known when a create went out; absent when no whole list had been read by then. */
export type IdsBefore = ReadonlySet<string> | undefined;

// The platform's clock is not ours.
const clockSkewAtMost = 120_000;

export function idsBefore(account: AccountState): IdsBefore {
	return isListComplete(account) ? new Set(account.computers.keys()) : undefined;
}

/**
 * The computer that a create made whose answer was lost: one that was not there before, is not another
 * create's, and is not called otherwise.
 */
export function computerOfLostCreate(
	{ computers, operations }: AccountState,
	{ spec, sentAt = 0 }: Operation,
	before: IdsBefore,
): ComputerState | undefined {
	const claimed = new Set([...operations.values()].map(each => each.spec.computer));
	const isNew = ({ id, phase, reading: { createdAt, name } }: ComputerState) => {
		if (claimed.has(id) || phase === 'archived') return false;
		if (spec.name && name && name !== spec.name) return false;
		const isOlder = typeof createdAt === 'number' && createdAt < sentAt - clockSkewAtMost;
		return before ? !before.has(id) && !isOlder : typeof createdAt === 'number' && !isOlder;
	};
	const found = [...computers.values()].filter(isNew);
	const called = found.find(({ reading }) => spec.name && reading.name === spec.name);
	return called ?? found.sort(byAge)[0];
}

function byAge(a: ComputerState, b: ComputerState): number {
	return (a.reading.createdAt ?? 0) - (b.reading.createdAt ?? 0);
}

import { allPortsOf } from '../fleet/computer.ts';
import type { Happening } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import type { Operation } from '../fleet/operation.ts';
import { failureOf } from '../platform/platform-error.ts';
import { settlementIn } from '../store/settlement.ts';
import { isWholeFleetTold, statusSightOf } from '../store/sight.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { durationText } from './duration-text.ts';
import { computerOfLostCreate, type KnownBefore } from './lost-create.ts';
import { operations } from './operations.ts';

export type Verdict = Extract<
	Happening,
	{ type: 'operationAccepted' | 'operationSettled' | 'operationFailed' }
>;

// A request that got lost on its way may still arrive, and a list may lag behind. So it is looked up at
// the first of these times after the loss and once more at the second, and judged by what is so then.
export const lookUpAfter = 20_000;
export const confirmAfter = 30_000;

/** Nobody waits longer for what the platform took on and does not bring to its end. */
const watchedFor = 30 * 60_000;

/** What is known by now of an operation's end; undefined while nothing new is. */
export function verdictOf(
	account: AccountState,
	operation: Operation,
	before: KnownBefore,
	now: number,
): Verdict | undefined {
	const { stage, wish } = operation;
	const { key } = wish;
	if (stage !== 'accepted' && stage !== 'unknown') return undefined;
	if (wish.computer === undefined) return lostCreate(account, operation, before);
	const settlement = settlementIn(account, operation);
	if (settlement.end === 'settled') return { type: 'operationSettled', key };
	if (settlement.end === 'failed') return failed(key, failureOf('conflict', settlement.message));
	return stage === 'accepted' ? given(operation, now) : unknown(account, operation);
}

function given(
	{ wish, acceptedAt = Number.POSITIVE_INFINITY }: Operation,
	now: number,
): Verdict | undefined {
	const time = now - acceptedAt;
	if (time <= watchedFor) return undefined;
	const { doing } = operations[wish.operation];
	const message = `still ${doing.toLowerCase()} after ${durationText(time)}`;
	return failed(wish.key, {
		...failureOf('server', message, { isOutcomeUnknown: true }),
		advice: 'The platform took it on and did not finish it. Look at the computer itself.',
	});
}

function unknown(account: AccountState, operation: Operation): Verdict | undefined {
	const { wish, sentAt = 0, endedAt = 0, before } = operation;
	const { key } = wish;
	const computer = account.computers.get(wish.computer ?? '');
	if (!computer) return undefined;
	const toldFrom = evidenceFrom(account, computer, operation);
	if (toldFrom < sentAt) return undefined;
	if (operations[wish.operation].isOnItsWay(computer, wish)) {
		return { type: 'operationAccepted', key };
	}
	if (toldFrom < endedAt + confirmAfter) return undefined;
	const time = durationText(toldFrom - sentAt);
	if (!canTell(operation, computer)) {
		return notDone(operation, 'nothing tells whether it was done', true);
	}
	const word = computer.reading.status ?? 'there';
	const still = before?.status === computer.reading.status ? 'still ' : '';
	return notDone(operation, `${time} later it is ${still}${word}: it was probably not done`);
}

// A restart that nobody saw leaves its trace only where the time of the start is told.
function canTell({ wish, before }: Operation, { reading }: ComputerState): boolean {
	switch (wish.operation) {
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
function evidenceFrom(account: AccountState, computer: ComputerState, { wish }: Operation): number {
	const never = Number.NEGATIVE_INFINITY;
	if (wish.operation !== 'publish' && wish.operation !== 'unpublish') {
		return statusSightOf(account, computer)?.askedAt ?? never;
	}
	const isListed = account.listTells.has('ports') && computer.listed !== 'absent';
	return Math.max(
		account.sights.get(computer.id)?.detail?.askedAt ?? never,
		(isListed ? account.reads.list?.told?.askedAt : undefined) ?? never,
	);
}

function lostCreate(
	account: AccountState,
	operation: Operation,
	before: KnownBefore,
): Verdict | undefined {
	const { wish, sentAt = 0, endedAt = 0 } = operation;
	const toldFrom = account.reads.list?.told?.askedAt ?? Number.NEGATIVE_INFINITY;
	if (toldFrom < sentAt) return undefined;
	const computer = computerOfLostCreate(account, operation, before);
	if (computer) return { type: 'operationAccepted', key: wish.key, computer: computer.id };
	if (toldFrom < endedAt + confirmAfter) return undefined;
	return before && isWholeFleetTold(account)
		? notDone(operation, 'the list shows no new computer: it was probably not created')
		: notDone(operation, 'nothing tells whether it was created', true);
}

function notDone({ wish, failure }: Operation, found: string, isOutcomeUnknown = false): Verdict {
	// What it answered is told as it came; how a connection broke tells nobody more.
	const answer = failure && failure.kind !== 'offline' ? failure.message : 'no answer came';
	const message = `${answer}, and ${found}`;
	const advice = isOutcomeUnknown
		? 'Look before asking again.'
		: 'Ask again if it is still wanted.';
	const known = failure ?? failureOf('offline', message);
	return failed(wish.key, { ...known, message, advice, isOutcomeUnknown });
}

function failed(key: string, failure: Failure): Verdict {
	return { type: 'operationFailed', key, failure };
}

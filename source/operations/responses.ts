import type { Clock } from '../fleet/clock.ts';
import { durationText } from '../fleet/duration.ts';
import type { FactBody, ReadName } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import type { Pace } from '../pace/pace.ts';
import { PlatformError } from '../platform/platform-error.ts';
import type { AccountStore } from './account-store.ts';
import type { ItemState } from './batches.ts';
import type { Countdowns } from './countdowns.ts';
import type { Acceptance, OperationApi } from './operation-row.ts';
import { operationTable } from './operation-table.ts';
import { confirmAfter, lookUpAfter } from './outcome.ts';
import type { PendingOperation } from './queue.ts';
import type { SendResult } from './send-once.ts';

/** What of the watch is needed here. */
export type WatchHandle = {
	/** There is something new to watch. */
	wake(): void;
	/** As soon as the budget allows it. */
	readNow(read: { name: ReadName; id?: string }): void;
};

/** What follows from how a request ended. */
export type ResponseHandler = {
	handle(run: PendingOperation, ended: Exclude<SendResult, { end: 'unsent' }>): void;
	fail(run: PendingOperation, failure: Failure): void;
};

type ResponseOptions = {
	teller: AccountStore;
	platform: OperationApi;
	pace: Pick<Pace, 'budgets'>;
	clock: Clock;
	countdowns: Countdowns;
	watch: WatchHandle;
	/** The end of the program. */
	signal: AbortSignal;
	/** Its request is over: there is nothing left to send. */
	onOver: (run: PendingOperation) => void;
	/** It was not done for now, and goes again. */
	onAgain: (run: PendingOperation) => void;
	onMoved: (wish: OperationSpec, state: ItemState, message?: string) => void;
};

// A create that has to wait for longer is not what its question had told of.
const createWaitAtMost = 60_000;

// Each refusal freezes the scope for everybody, and longer each time: an operation that is refused so
// often would keep the others from their turn.
const rateLimitRefusalsAtMost = 6;

export function createResponseHandler(parts: ResponseOptions): ResponseHandler {
	const { teller, platform, pace, clock, countdowns, watch, signal } = parts;
	const { onOver, onAgain, onMoved } = parts;

	function accept(run: PendingOperation, taken: Acceptance) {
		onOver(run);
		teller.fold({ type: 'operationAccepted', key: run.spec.key, ...taken }, run.sentAt);
		watch.wake();
	}

	function fail(run: PendingOperation, failure: Failure) {
		onOver(run);
		teller.fold({ type: 'operationFailed', key: run.spec.key, failure });
		onMoved(run.spec, 'failed', failure.message);
	}

	// It is never sent again: what is so will tell whether it was done.
	function lose(run: PendingOperation, failure: Failure) {
		const { spec } = run;
		onOver(run);
		onMoved(spec, 'unknown');
		teller.fold({ type: 'operationUnknown', key: spec.key, failure });
		if (signal.aborted) return;
		lookUp(spec);
		for (const wait of [lookUpAfter, confirmAfter]) {
			countdowns.later(wait, () => {
				if (teller.state().operations.get(spec.key)?.stage === 'unknown') lookUp(spec);
			});
		}
	}

	// The status of what is unknown is watched anyway; of ports and of new computers others tell.
	function lookUp({ operation, computer }: OperationSpec) {
		if (computer === undefined) watch.readNow({ name: 'list' });
		else if (operation === 'publish' || operation === 'unpublish') {
			watch.readNow({ name: 'detail', id: computer });
		} else {
			watch.wake();
		}
	}

	// Pace has frozen the scope by now: there it waits for the end of that, and Esc calls it off.
	function limit(run: PendingOperation, failure: Failure) {
		run.rateLimitRefusals = (run.rateLimitRefusals ?? 0) + 1;
		if (run.rateLimitRefusals >= rateLimitRefusalsAtMost) {
			const message = `rate limited ${run.rateLimitRefusals} times and not done`;
			return fail(run, { ...failure, message, advice: 'Ask again later if you still want it.' });
		}
		const wait = pace.budgets().create.nextAt.operation - clock.now();
		if (run.spec.operation !== 'create' || wait <= createWaitAtMost) return onAgain(run);
		const message = `${failure.message}; the next creation is possible in ${durationText(wait)}`;
		fail(run, { ...failure, message, advice: 'Ask again; the request will wait until then.' });
	}

	// "Already in progress" may be just what was wanted, and so may "not found" when deleting.
	async function refuse(run: PendingOperation, failure: Failure) {
		const isWorthALook = failure.kind === 'conflict' || failure.kind === 'missing';
		if (isWorthALook && (await isSoAnyway(run.spec))) accept(run, {});
		else fail(run, failure);
	}

	async function isSoAnyway(wish: OperationSpec): Promise<boolean> {
		const { computer: id, operation } = wish;
		if (id === undefined || signal.aborted) return false;
		const looked = await recheck(wish, { platform, clock, signal });
		if (!looked) return false;
		teller.fold(looked.fact, looked.askedAt);
		const computer = teller.state().computers.get(id);
		return computer
			? operationTable[operation].isAlreadyHappening(computer, wish)
			: operation === 'delete';
	}

	return {
		handle(run, ended) {
			if (ended.end === 'accepted') accept(run, ended.taken);
			else if (ended.end === 'lost') lose(run, ended.failure);
			else if (ended.end === 'limited') limit(run, ended.failure);
			else void refuse(run, ended.failure);
		},
		fail,
	};
}

/** What is so, and when it was asked for. */
export type Recheck = { fact: FactBody; askedAt: number };

/** Looks at the computer of a refused request; nothing when that does not work either. */
export async function recheck(
	{ operation, computer: id = '' }: OperationSpec,
	{ platform, clock, signal }: { platform: OperationApi; clock: Clock; signal: AbortSignal },
): Promise<Recheck | undefined> {
	let askedAt = clock.now();
	const onSent = () => {
		askedAt = clock.now();
	};
	const asking = { signal, priority: 'operation', onSent } as const;
	try {
		// The status does not tell of ports.
		const isAboutPort = operation === 'publish' || operation === 'unpublish';
		const happening: FactBody = isAboutPort
			? { type: 'detailRead', computer: await platform.readComputer(id, asking) }
			: { type: 'statusRead', computer: await platform.readStatus(id, asking) };
		return { fact: happening, askedAt };
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		if (error.failure.kind !== 'missing') return undefined;
		return { fact: { type: 'computerMissed', id }, askedAt };
	}
}

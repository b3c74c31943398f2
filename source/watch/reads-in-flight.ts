import type { FactBody, ReadName } from '../fleet/fact.ts';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { PlatformError } from '../platform/decoding/platform-error.ts';
import type { Read } from './planner-input.ts';
import { type ReadApi, type ReadResult, readTable } from './reads.ts';
import type { RequestHistory } from './request-history.ts';

/** Sends reads and keeps track of those without an answer. The same read is never in flight twice. */
type ReadsInFlight = {
	send(read: Read): void;
	/** Aborts all requests and ignores their answers. */
	cancelAll(): void;
	/** Aborts the requests that still wait for the rate limits. */
	cancelUnsent(): void;
};

type ReadsInFlightOptions = {
	platform: ReadApi;
	clock: Clock;
	history: RequestHistory;
	onFact: (fact: FactBody, askedAt: number, name: ReadName) => void;
	/**
	 * Called before an answer is used. The function may abort all requests, if this process was stopped in the
	 * meantime.
	 */
	onAnswer: () => void;
	/** Counts each answer. */
	activity?: Activity | undefined;
};

type InFlight = { read: Read; controller: AbortController; hasBeenSent: boolean };

export function createReadsInFlight({
	platform,
	clock,
	history,
	onFact,
	onAnswer,
	activity,
}: ReadsInFlightOptions): ReadsInFlight {
	const inFlight = new Map<string, InFlight>();

	function finish(read: Read, askedAt: number, outcome: ReadResult | Failure) {
		const now = clock.now();
		const result = 'fact' in outcome ? outcome : missingComputerResultFrom(read, outcome);
		if (result) {
			history.noteAnswered(read, result, now, askedAt);
			onFact(result.fact, askedAt, read.name);
		} else if ('kind' in outcome) {
			const nextAt = history.noteFailed(read, outcome, now);
			onFact({ ...failureFactFrom(read, outcome), nextAt }, askedAt, read.name);
		}
	}

	function cancel(isCancelled: (entry: InFlight) => boolean) {
		for (const [key, entry] of inFlight) {
			if (!isCancelled(entry)) continue;
			inFlight.delete(key);
			history.noteCancelled(entry.read);
			entry.controller.abort();
		}
	}

	return {
		send(read) {
			const isRequested = history.plannerInput.requestedReads.some(
				({ name, id }) => name === read.name && id === read.id,
			);
			const priority = isRequested ? 'requestedRead' : 'read';
			const key = `${read.name} ${read.id ?? ''}`;
			// A computer that was removed and then listed again has a new, empty history. Its earlier request may
			// still be in flight.
			if (inFlight.has(key)) return;
			const controller = new AbortController();
			const askedAt = clock.now();
			const entry: InFlight = { read, controller, hasBeenSent: false };
			inFlight.set(key, entry);
			history.noteSent(read, askedAt);
			let sentAt: number | undefined;
			// A list of several pages counts as requested at the time when its first page was requested.
			const onSent = () => {
				sentAt ??= clock.now();
				entry.hasBeenSent = true;
			};
			const options = { signal: controller.signal, priority, onSent } as const;
			const answer = readTable[read.name].send(platform, options, read.id ?? '').catch(failureFrom);
			void answer.then(outcome => {
				const endWork = activity?.begin();
				if (!controller.signal.aborted) onAnswer();
				if (!controller.signal.aborted) {
					inFlight.delete(key);
					finish(read, sentAt ?? askedAt, outcome);
				}
				endWork?.();
			});
		},
		cancelAll: () => cancel(() => true),
		cancelUnsent: () => cancel(({ hasBeenSent }) => !hasBeenSent),
	};
}

function failureFrom(error: unknown): Failure {
	if (error instanceof PlatformError) return error.failure;
	throw error;
}

function failureFactFrom({ name, id }: Read, failure: Failure) {
	const about = id === undefined ? {} : { id };
	return { type: 'readFailed', read: name, ...about, failure } as const;
}

// "Not found" is an answer as well: the computer does not exist.
function missingComputerResultFrom({ id }: Read, { kind }: Failure): ReadResult | undefined {
	if (id === undefined || kind !== 'missing') return undefined;
	return { fact: { type: 'computerMissed', id }, requestCount: 1 };
}

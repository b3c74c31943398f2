import type { Clock } from '../fleet/clock.ts';
import type { ReadName } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import { PlatformError } from '../platform/platform-error.ts';
import type { Read } from './planner-input.ts';
import { type Happening, type ReadApi, type ReadResult, reads } from './reads.ts';
import type { RequestHistory } from './request-history.ts';

/** The requests under way: never two for the same thing. */
export type InFlight = {
	send(read: Read): void;
	/** Nobody waits for their answers any more. */
	cancelAll(): void;
};

type Parts = {
	platform: ReadApi;
	clock: Clock;
	memory: RequestHistory;
	onLanded: (happening: Happening, askedAt: number, name: ReadName) => void;
};

export function createInFlight({ platform, clock, memory, onLanded }: Parts): InFlight {
	const underWay = new Map<string, { read: Read; controller: AbortController }>();

	function land(read: Read, askedAt: number, result: ReadResult | Failure) {
		const now = clock.now();
		const told = 'happening' in result ? result : missedFrom(read, result);
		if (told) {
			memory.answered(read, told, now);
			onLanded(told.happening, askedAt, read.name);
		} else if ('kind' in result) {
			const nextAt = memory.failed(read, result, now);
			onLanded({ ...failedFrom(read, result), nextAt }, askedAt, read.name);
		}
	}

	return {
		send(read) {
			const key = `${read.name} ${read.id ?? ''}`;
			// One that went away and came back is new to the memory, but may still be asked about.
			if (underWay.has(key)) return;
			const controller = new AbortController();
			const askedAt = clock.now();
			underWay.set(key, { read, controller });
			memory.sent(read, askedAt);
			let sentAt: number | undefined;
			// Of several pages, what the first one told is the oldest.
			const onSent = () => {
				sentAt ??= clock.now();
			};
			const asking = { signal: controller.signal, priority: 'read', onSent } as const;
			const answer = reads[read.name].ask(platform, asking, read.id ?? '').catch(failureFrom);
			void answer.then(result => {
				if (controller.signal.aborted) return;
				underWay.delete(key);
				land(read, sentAt ?? askedAt, result);
			});
		},
		cancelAll() {
			for (const { read, controller } of underWay.values()) {
				memory.cancelled(read);
				controller.abort();
			}
			underWay.clear();
		},
	};
}

function failureFrom(error: unknown): Failure {
	if (error instanceof PlatformError) return error.failure;
	throw error;
}

function failedFrom({ name, id }: Read, failure: Failure) {
	const about = id === undefined ? {} : { id };
	return { type: 'readFailed', read: name, ...about, failure } as const;
}

// That a computer is not there is an answer too.
function missedFrom({ id }: Read, { kind }: Failure): ReadResult | undefined {
	if (id === undefined || kind !== 'missing') return undefined;
	return { happening: { type: 'computerMissed', id }, requests: 1 };
}

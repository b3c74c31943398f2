import type { Clock } from '../fleet/clock.ts';
import type { ReadName } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import { PlatformError } from '../platform/platform-error.ts';
import type { Memory } from './memory.ts';
import type { Read } from './outlook.ts';
import { type Happening, reads, type Source, type Told } from './reads.ts';

/** The requests under way: never two for the same thing. */
export type Flights = {
	launch(read: Read): void;
	/** Nobody waits for their answers any more. */
	callOff(): void;
};

type Parts = {
	platform: Source;
	clock: Clock;
	memory: Memory;
	onLanded: (happening: Happening, askedAt: number, name: ReadName) => void;
};

export function createFlights({ platform, clock, memory, onLanded }: Parts): Flights {
	const underWay = new Map<string, { read: Read; controller: AbortController }>();

	function land(read: Read, askedAt: number, result: Told | Failure) {
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
		launch(read) {
			const key = `${read.name} ${read.id ?? ''}`;
			// One that went away and came back is new to the memory, but may still be asked about.
			if (underWay.has(key)) return;
			const controller = new AbortController();
			const askedAt = clock.now();
			underWay.set(key, { read, controller });
			memory.asked(read, askedAt);
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
		callOff() {
			for (const { read, controller } of underWay.values()) {
				memory.dropped(read);
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
function missedFrom({ id }: Read, { kind }: Failure): Told | undefined {
	if (id === undefined || kind !== 'missing') return undefined;
	return { happening: { type: 'computerMissed', id }, requests: 1 };
}

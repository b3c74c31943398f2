import type { ReadName } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { PlatformError } from '../platform/decoding/platform-error.ts';
import type { RequestOptions } from '../platform/transport.ts';
import type { AccountSession } from '../session/session.ts';
import { type ReadResult, readTable } from '../watch/reads.ts';
import { createWaitNotifier, retryWhenLimited } from './rate-limit-wait.ts';

type ReaderOptions = {
	clock: Clock;
	session: AccountSession;
	signal: AbortSignal;
	notify: (line: string) => void;
};

/** The names of the reads that concern the whole account and not a single computer. */
export type AccountReadName = Exclude<ReadName, 'status' | 'detail'>;

/**
 * Reads data of the account into the store, waits for rate limits, and resolves with the failure if the
 * read fails. The reads have the priority of operations, because a person waits for them: that part of the
 * budget is never spent by a running monitor's reads.
 */
export type Reader = {
	read(name: AccountReadName): Promise<Failure | undefined>;
	readStatus(id: string): Promise<Failure | undefined>;
	readDetail(id: string): Promise<Failure | undefined>;
};

export function createReader(options: ReaderOptions): Reader {
	const { clock, session, signal, notify } = options;
	const { account, store, platform } = session;
	const retrying = { clock, session, signal, onWait: createWaitNotifier(clock, notify) };

	async function fold(ask: (request: RequestOptions) => Promise<ReadResult>): Promise<void> {
		const startedAt = clock.now();
		let sentAt: number | undefined;
		// If the read has several pages, the time of the first page counts, because that page has the oldest
		// data.
		const onSent = () => {
			sentAt ??= clock.now();
		};
		const { fact } = await ask({ signal, priority: 'operation', onSent });
		store.fold({ account, at: clock.now(), askedAt: sentAt ?? startedAt, ...fact });
	}

	async function failureOf(
		ask: (request: RequestOptions) => Promise<ReadResult>,
	): Promise<Failure | undefined> {
		try {
			await retryWhenLimited(retrying, () => fold(ask));
			return undefined;
		} catch (error) {
			if (!(error instanceof PlatformError)) throw error;
			return error.failure;
		}
	}

	async function readOne(name: 'status' | 'detail', id: string): Promise<Failure | undefined> {
		const failure = await failureOf(request => readTable[name].send(platform, request, id));
		if (failure) {
			store.fold({ account, at: clock.now(), type: 'readFailed', read: name, id, failure });
		}
		return failure;
	}

	return {
		read: name => failureOf(request => readTable[name].send(platform, request)),
		readStatus: id => readOne('status', id),
		readDetail: id => readOne('detail', id),
	};
}

import type { ReadName } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { PlatformError } from '../platform/decoding/platform-error.ts';
import type { RequestOptions } from '../platform/transport.ts';
import type { AccountSession } from '../session/session.ts';
import { emptyAccount } from '../store/state.ts';
import { rateLimitText } from '../views/phrases/waiting.ts';
import { type ReadResult, readTable } from '../watch/reads.ts';

type ReaderOptions = {
	clock: Clock;
	session: AccountSession;
	signal: AbortSignal;
	notify: (line: string) => void;
	/**
	 * Folds what a running monitor knows, and returns the reads that need no request then; absent if the platform is
	 * asked.
	 */
	askLeader?: () => Promise<ReadonlySet<ReadName>>;
	/** Resolves when the last known fleet is in the store. No answer is folded before it. */
	recalled?: Promise<void>;
};

/** The names of the reads that concern the whole account and not a single computer. */
export type AccountReadName = Exclude<ReadName, 'status' | 'detail'>;

/**
 * Reads data of the account into the store, waits for rate limits, and resolves with the failure if the
 * read fails. The reads have the priority of operations, because a person waits for them: that part of the
 * slots are never spent by a running monitor's reads.
 */
export type AccountReader = {
	read(name: AccountReadName): Promise<Failure | undefined>;
	/** Also ends when the second signal is aborted. */
	readStatus(id: string, until?: AbortSignal): Promise<Failure | undefined>;
	readDetail(id: string): Promise<Failure | undefined>;
};

// Details in a monitor that are older than this do not count, because a monitor reads the details of the open
// computer more often.
const maxDetailAgeMs = 60_000;

export function createReader(options: ReaderOptions): AccountReader {
	const { clock, session, signal, notify, recalled } = options;
	const { account, store, platform } = session;
	const retrying = { clock, session, signal, onWait: createWaitNotifier(clock, notify) };

	async function fold(
		ask: (request: RequestOptions) => Promise<ReadResult>,
		until: AbortSignal,
	): Promise<void> {
		const startedAt = clock.now();
		let sentAt: number | undefined;
		// If the read has several pages, the time of the first page counts, because that page has the oldest
		// data.
		const onSent = () => {
			sentAt ??= clock.now();
		};
		const { fact } = await ask({ signal: until, priority: 'operation', onSent });
		const at = clock.now();
		await recalled;
		store.receive([{ account, at, askedAt: sentAt ?? startedAt, ...fact }]);
	}

	async function failureOf(
		ask: (request: RequestOptions) => Promise<ReadResult>,
		until = signal,
	): Promise<Failure | undefined> {
		try {
			await retryWhenLimited({ ...retrying, signal: until }, () => fold(ask, until));
			return undefined;
		} catch (error) {
			if (!(error instanceof PlatformError)) throw error;
			return error.failure;
		}
	}

	async function readOne(
		name: 'status' | 'detail',
		id: string,
		until: AbortSignal = signal,
	): Promise<Failure | undefined> {
		const failure = await failureOf(request => readTable[name].send(platform, request, id), until);
		if (failure && !until.aborted) {
			store.receive([{ account, at: clock.now(), type: 'readFailed', read: name, id, failure }]);
		}
		return failure;
	}

	function hasRecentDetail(id: string): boolean {
		const { computerReads } = store.getState().accounts.get(account) ?? emptyAccount;
		const at = computerReads.get(id)?.detail?.at ?? Number.NEGATIVE_INFINITY;
		return clock.now() - at <= maxDetailAgeMs;
	}

	return {
		async read(name) {
			if ((await options.askLeader?.())?.has(name)) return undefined;
			return failureOf(request => readTable[name].send(platform, request));
		},
		readStatus: (id, until) =>
			readOne('status', id, until ? AbortSignal.any([signal, until]) : signal),
		async readDetail(id) {
			if ((await options.askLeader?.())?.has('detail') && hasRecentDetail(id)) return undefined;
			return readOne('detail', id);
		},
	};
}

/** Sends a read at once. Its result is that of the first call for it. */
export function withFirstRead(reader: AccountReader, first: AccountReadName): AccountReader {
	let started: ReturnType<AccountReader['read']> | undefined = reader.read(first);
	// The error is thrown by the call for the result.
	started.catch(() => {});
	return {
		...reader,
		read(name) {
			const result = (name === first && started) || reader.read(name);
			if (result === started) started = undefined;
			return result;
		},
	};
}

type RetryOptions = {
	clock: Clock;
	session: Pick<AccountSession, 'limiter'>;
	signal: AbortSignal;
	onWait: (until: number) => void;
};

/** Sends a request, and repeats it until no rate limit refuses the request. */
export async function retryWhenLimited<T>(
	{ clock, session: { limiter }, signal, onWait }: RetryOptions,
	send: () => Promise<T>,
): Promise<T> {
	onWait(limiter.slots().other.nextAt.operation);
	const unsubscribe = limiter.subscribe(() => onWait(limiter.slots().other.frozenUntil ?? 0));
	try {
		for (;;) {
			try {
				return await send();
			} catch (error) {
				signal.throwIfAborted();
				if (!(error instanceof PlatformError) || error.failure.kind !== 'limited') throw error;
				// If the platform's own limit refused the request, `limiter` already delays the next request.
				if (limiter.slots().other.frozenUntil === undefined) await pauseAfter(error.failure);
			}
		}
	} finally {
		unsubscribe();
	}

	// The identity provider, which signs people in, has limits of its own and does not always say how long
	// they last.
	function pauseAfter({ retryAfter = 30_000 }: Failure): Promise<void> {
		const time = Math.max(1_000, retryAfter);
		onWait(clock.now() + time);
		return new Promise((resolve, reject) => {
			const cancelTimer = clock.after(time, () => {
				signal.removeEventListener('abort', giveUp);
				resolve();
			});
			const giveUp = () => {
				cancelTimer();
				reject(signal.reason);
			};
			signal.addEventListener('abort', giveUp, { once: true });
		});
	}
}

// A wait shorter than `minNoticedWaitMs` is over before a person has read the notice. A wait that grows by
// less than `minNoticedDelayMs` needs no second notice.
const minNoticedWaitMs = 2_000;
const minNoticedDelayMs = 10_000;

/** Returns a function that prints one notice per wait, with the time until the rate limit ends. */
export function createWaitNotifier(clock: Clock, notify: (line: string) => void) {
	let noticedUntil = 0;
	return (until: number) => {
		const now = clock.now();
		const isNoticed = now < noticedUntil && until - noticedUntil < minNoticedDelayMs;
		if (until - now < minNoticedWaitMs || isNoticed) return;
		noticedUntil = until;
		notify(rateLimitText(until - now));
	};
}

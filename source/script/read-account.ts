import type { Fact } from '../fleet/fact.ts';
import { type ReadName, readNames } from '../fleet/reads.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { spacedAgeText } from '../lines/time-text.ts';
import { PlatformError } from '../platform/decoding/platform-error.ts';
import type { RequestOptions } from '../platform/endpoints.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';
import { openElection } from '../session/state-folder.ts';
import { askLeader } from '../sharing/socket.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import { createStore } from '../store/store.ts';
import { rateLimitText } from '../views/phrases/waiting.ts';
import { type ReadResult, sendRead } from '../watch/reads.ts';

export type AccountReadName = Exclude<ReadName, 'status' | 'detail'>;

type ReaderOptions = {
	session: AccountSession;
	signal: AbortSignal;
	notify: (line: string) => void;
	asksLeader: boolean;
};

// The list of a monitor is never older than this, even if nobody uses the monitor, unless the platform does not
// answer.
const maxListAgeMs = 60_000;

// Details in a monitor that are older than this do not count, because a monitor reads the details of the open computer
// more often.
const maxDetailAgeMs = 60_000;

// The balance, the plan and the versions may be this old, because they change seldom and a monitor reads them seldom.
const maxAgeMs = 600_000;

/** The reads have the priority of operations, because a person waits for them: a monitor leaves them that part of the slots. */
export function createReader(host: Host, { session, signal, notify, asksLeader }: ReaderOptions) {
	const { clock } = host;
	const { account, store, platform } = session;
	const onWait = createWaitNotifier(clock, notify);
	const stateNow = () => store.getState().accounts.get(account) ?? emptyAccount;
	let answered: Promise<ReadonlySet<ReadName>> | undefined;

	function answeredByLeader(): Promise<ReadonlySet<ReadName>> {
		answered ??= asksLeader ? readLeader() : Promise.resolve(new Set<ReadName>());
		return answered;
	}

	async function readLeader(): Promise<ReadonlySet<ReadName>> {
		const facts = await factsOfLeader(host, account);
		if (!facts) return new Set();
		store.receive(facts.filter(fact => fact.account === account));
		const { reads } = stateNow();
		const ageOf = (name: ReadName) =>
			clock.now() - (reads[name]?.answer?.at ?? Number.NEGATIVE_INFINITY);
		const known = readNames.filter(
			// Where the monitor's own last read failed, the platform is asked: perhaps only the monitor cannot reach it.
			name => !reads[name]?.failing && ageOf(name) <= (name === 'list' ? maxListAgeMs : maxAgeMs),
		);
		if (known.includes('list')) sayAgeOfSharedData(notify, ageOf('list'));
		return new Set(known);
	}

	async function ask(
		send: (request: RequestOptions) => Promise<ReadResult>,
		until = signal,
	): Promise<Failure | undefined> {
		try {
			await retryWhenLimited({ clock, session, signal: until, onWait }, async () => {
				// If the read has several pages, the time of the first one counts, because it has the oldest data.
				let askedAt: number | undefined;
				const onSent = () => {
					askedAt ??= clock.now();
				};
				const startedAt = clock.now();
				const { fact } = await send({ signal: until, priority: 'operation', onSent });
				store.receive([{ account, at: clock.now(), askedAt: askedAt ?? startedAt, ...fact }]);
			});
			return undefined;
		} catch (error) {
			if (!(error instanceof PlatformError)) throw error;
			return error.failure;
		}
	}

	async function askAbout(
		read: 'status' | 'detail',
		id: string,
		until = signal,
	): Promise<Failure | undefined> {
		const failure = await ask(request => sendRead(platform, read, request, id), until);
		if (failure && !until.aborted)
			store.receive([{ account, at: clock.now(), type: 'readFailed', read, id, failure }]);
		return failure;
	}

	return {
		async read(name: AccountReadName): Promise<Failure | undefined> {
			if ((await answeredByLeader()).has(name)) return undefined;
			return ask(request => sendRead(platform, name, request));
		},
		readStatus: (id: string, until?: AbortSignal) =>
			askAbout('status', id, until && AbortSignal.any([signal, until])),
		async readDetail(id: string): Promise<Failure | undefined> {
			const at = stateNow().computerReads.get(id)?.detail?.at ?? Number.NEGATIVE_INFINITY;
			const isRecent = clock.now() - at <= maxDetailAgeMs;
			if ((await answeredByLeader()).has('detail') && isRecent) return undefined;
			return askAbout('detail', id);
		},
	};
}

async function factsOfLeader(host: Host, account: string): Promise<readonly Fact[] | undefined> {
	const path = openElection(host, account)?.leaderPath();
	if (path === undefined) return undefined;
	return askLeader(path, host.clock).catch(() => undefined);
}

export async function stateOfLeader(
	host: Host,
	account: string,
): Promise<AccountState | undefined> {
	const store = createStore();
	store.receive((await factsOfLeader(host, account)) ?? []);
	return store.getState().accounts.get(account);
}

/** Newer data needs no word. */
const saidAfterMs = 10_000;

export function sayAgeOfSharedData(
	notify: (line: string) => void,
	ageMs: number,
	subject = '',
): void {
	if (ageMs > saidAfterMs)
		notify(`${subject}Read ${spacedAgeText(ageMs)} ago by a monitor. --fresh asks the platform.`);
}

type RetryOptions = {
	clock: Clock;
	session: Pick<AccountSession, 'limiter'>;
	signal: AbortSignal;
	onWait: (until: number) => void;
};

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
				if (limiter.slots().other.frozenUntil !== undefined) continue;
				// The identity provider, which signs people in, has limits of its own and does not always say how long
				// they last.
				const { retryAfter = 30_000 } = error.failure;
				const waitMs = Math.max(1_000, retryAfter);
				onWait(clock.now() + waitMs);
				await pause(clock, waitMs, signal);
			}
		}
	} finally {
		unsubscribe();
	}
}

function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const cancel = clock.after(milliseconds, () => {
			signal.removeEventListener('abort', giveUp);
			resolve();
		});
		const giveUp = () => {
			cancel();
			reject(signal.reason);
		};
		signal.addEventListener('abort', giveUp, { once: true });
	});
}

// A wait shorter than `minNoticedWaitMs` is over before a person has read the notice. A wait that grows by less than
// `minNoticedDelayMs` needs no second notice.
const minNoticedWaitMs = 2_000;
const minNoticedDelayMs = 10_000;

/** One notice per wait, with the time until the rate limit ends, and what waits for it. */
export function createWaitNotifier(clock: Clock, notify: (line: string) => void) {
	let noticedUntil = 0;
	return (until: number, unsentCount?: number) => {
		const now = clock.now();
		const isNoticed = now < noticedUntil && until - noticedUntil < minNoticedDelayMs;
		if (until - now < minNoticedWaitMs || isNoticed) return;
		noticedUntil = until;
		notify(rateLimitText(until - now, unsentCount));
	};
}

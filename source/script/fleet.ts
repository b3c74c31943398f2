import type { AccountSettings, ChosenAccounts } from '../accounts/account-settings.ts';
import { createRedaction } from '../accounts/redaction.ts';
import type { Fact } from '../fleet/fact.ts';
import { type ReadName, readNames, type WholeReadName } from '../fleet/reads.ts';
import type { Clock } from '../foundation/clock.ts';
import { exitCodes } from '../foundation/error.ts';
import type { Failure } from '../foundation/failure.ts';
import { memoize } from '../foundation/memoize.ts';
import { spacedAgeText } from '../lines/time-text.ts';
import { failureIn } from '../platform/decoding/platform-error.ts';
import { sendRead } from '../platform/platform.ts';
import { openRequestCap } from '../session/access.ts';
import type { Host } from '../session/host.ts';
import { type AccountSession, createSharedParts, openConfigured } from '../session/session.ts';
import { openElection, reportStateFolder } from '../session/state-folder.ts';
import { askLeader } from '../sharing/socket.ts';
import { type AccountState, type ComputerState, emptyAccount } from '../store/state.ts';
import { createStore } from '../store/store.ts';
import { cannotReadText } from '../views/phrases/reads.ts';
import { rateLimitText } from '../views/phrases/waiting.ts';
import { computerRecord, withAccount } from '../views/records.ts';
import { BrokenPipe, type Interruption, TimedOut, watchForInterruption } from './interruption.ts';
import type { ParsedArgs } from './parsed-args.ts';
import { createPasswordQuestions, type PasswordQuestions } from './prompt.ts';
import { createNotify, errorFromFailure } from './stderr.ts';

export type Fleet = ReturnType<typeof fleetOf>;

export type Fleets = readonly [Fleet, ...Fleet[]];

// A script could neither cancel a countdown nor unlock.
const operationRules = { skipsCountdown: true, lockAfterMs: Number.POSITIVE_INFINITY };

export async function withFleets(
	host: Host,
	args: ParsedArgs,
	[first, ...others]: ChosenAccounts,
	work: (fleets: Fleets, write: PasswordQuestions['write']) => Promise<number>,
	{ needsHistory = true, sharesWatch = false } = {},
): Promise<number> {
	const { program, clock } = host;
	const interruption = watchForInterruption(program, clock, args.timeout);
	const { signal } = interruption;
	const isOneOfSeveral = others.length > 0;
	const questions = createPasswordQuestions(program, isOneOfSeveral);
	// An error of one account may quote another, for example the same proxy.
	const redaction = createRedaction();
	const notifyAll = createNotify(program, args.flag('json'));
	const problemsTo = reportStateFolder(host, notifyAll);
	const requestCap = openRequestCap(
		host,
		first.maxRequestsPerMinute,
		problemsTo(notifyAll),
		createWaitNotifier(clock, notifyAll),
	);
	const shared = createSharedParts(host, { ...operationRules, requestCap });
	const opened: AccountSession[] = [];

	async function open(account: AccountSettings): Promise<Fleet> {
		const label = isOneOfSeveral ? account.name : undefined;
		const notify = createNotify(program, args.flag('json'), label);
		const session = await openConfigured(host, account, shared, {
			askForPassword: questions.askFor(account),
			onInterrupted: interruption.interrupt,
			onProblem: problemsTo(notify),
			redaction,
			needsHistory,
			sharesWatch,
		});
		opened.push(session);
		// One that changes something has no --fresh: it always asks the platform.
		const asksLeader =
			!sharesWatch && args.hasOption('fresh') && !args.flag('fresh') && !account.preferences.alone;
		return fleetOf(host, account, session, interruption, { label, notify, asksLeader });
	}

	try {
		const fleets: [Fleet, ...Fleet[]] = [await open(first)];
		for (const account of others) fleets.push(await open(account));
		return await work(fleets, questions.write);
	} catch (error) {
		// After an abort, `work` can throw any error. A timeout may say what has been sent.
		const cause = signal.aborted && !(error instanceof TimedOut) ? signal.reason : error;
		if (cause instanceof BrokenPipe) return exitCodes.done;
		throw cause;
	} finally {
		shared.operations.quit();
		for (const session of opened) await session.close();
		requestCap?.close();
		interruption.stop();
	}
}

// A monitor reads the list and an open computer more often than this even unattended, and the rest seldom.
const maxFleetAgeMs = 60_000;
const maxAgeMs = 600_000;

/**
 * A person waits for the reads, so they have the priority of operations. The watch starts only to wait for a change,
 * because it spends several requests at once.
 */
function fleetOf(
	host: Host,
	{ name, shortName }: AccountSettings,
	session: AccountSession,
	{ signal, withoutTimeout }: Interruption,
	told: {
		label: string | undefined;
		notify: (line: string) => void;
		asksLeader: boolean;
	},
) {
	const { clock } = host;
	const { store, account, platform, limiter } = session;
	const { label, notify } = told;
	const accountNow = () => store.getState().accounts.get(account) ?? emptyAccount;
	const noteWait = createWaitNotifier(clock, notify);
	const answeredByLeader = memoize(readLeader);
	let isWatching = false;

	function waitFor<T>(
		find: (account: AccountState) => T | undefined,
		timeoutMs?: number,
		until: AbortSignal = signal,
	): Promise<T | undefined> {
		let stop = () => {};
		const found = new Promise<T | undefined>((resolve, reject) => {
			const giveUp = () => reject(until.reason);
			const check = () => {
				const value = find(accountNow());
				if (value !== undefined) resolve(value);
			};
			const unsubscribe = store.subscribe(check);
			const cancelTimer = timeoutMs && clock.after(timeoutMs, () => resolve(undefined));
			until.addEventListener('abort', giveUp);
			stop = () => {
				unsubscribe();
				if (cancelTimer) cancelTimer();
				until.removeEventListener('abort', giveUp);
			};
			if (until.aborted) giveUp();
			else check();
		});
		return found.finally(() => stop());
	}

	async function retryWhenLimited<T>(send: () => Promise<T>, until = signal): Promise<T> {
		noteWait(limiter.slots().other.nextAt.operation);
		const unsubscribe = limiter.subscribe(() => noteWait(limiter.slots().other.frozenUntil ?? 0));
		try {
			for (;;) {
				try {
					return await send();
				} catch (error) {
					until.throwIfAborted();
					const { kind, retryAfter = 30_000 } = failureIn(error);
					if (kind !== 'limited') throw error;
					if (limiter.slots().other.frozenUntil !== undefined) continue;
					// The identity provider has limits of its own, and does not always say how long they last.
					const waitMs = Math.max(1_000, retryAfter);
					noteWait(clock.now() + waitMs);
					await waitFor(() => undefined, waitMs, until);
				}
			}
		} finally {
			unsubscribe();
		}
	}

	async function ask(name: ReadName, id?: string, until = signal): Promise<Failure | undefined> {
		try {
			await retryWhenLimited(async () => {
				const askedAt = clock.now();
				const { fact } = await sendRead(
					platform,
					name,
					{ signal: until, priority: 'operation' },
					id,
				);
				store.receive([{ account, at: clock.now(), askedAt, ...fact }]);
			}, until);
			return undefined;
		} catch (error) {
			const failure = failureIn(error);
			if (id !== undefined && !until.aborted)
				store.receive([{ account, at: clock.now(), type: 'readFailed', read: name, id, failure }]);
			return failure;
		}
	}

	async function readLeader(): Promise<ReadonlySet<ReadName>> {
		const facts = told.asksLeader ? await factsOfLeader(host, account) : [];
		if (facts.length === 0) return new Set();
		store.receive(facts.filter(fact => fact.account === account));
		const { reads } = accountNow();
		const ageOf = (name: ReadName) =>
			clock.now() - (reads[name]?.answer?.at ?? Number.NEGATIVE_INFINITY);
		const known = readNames.filter(
			// Perhaps only the monitor cannot reach the platform.
			name => !reads[name]?.failing && ageOf(name) <= (name === 'list' ? maxFleetAgeMs : maxAgeMs),
		);
		if (known.includes('list')) sayAgeOfSharedData(notify, ageOf('list'));
		return new Set(known);
	}

	async function read(name: WholeReadName): Promise<Failure | undefined> {
		return (await answeredByLeader()).has(name) ? undefined : ask(name);
	}

	return {
		session,
		name,
		shortName,
		label,
		clock,
		signal,
		withoutTimeout,
		notify,
		noteWait,
		accountNow,
		waitFor,
		retryWhenLimited,
		read,
		async readOrThrow(name: WholeReadName): Promise<AccountState> {
			const failure = await read(name);
			if (failure) throw errorFromFailure(cannotReadText(name), failure);
			return accountNow();
		},
		readStatus: (id: string, until?: AbortSignal) =>
			ask('status', id, until && AbortSignal.any([signal, until])),
		async readDetail(id: string): Promise<Failure | undefined> {
			const at = accountNow().computerReads.get(id)?.detail?.at ?? Number.NEGATIVE_INFINITY;
			const isRecent = clock.now() - at <= maxFleetAgeMs;
			return isRecent && (await answeredByLeader()).has('detail') ? undefined : ask('detail', id);
		},
		startWatch(): void {
			if (!isWatching) session.watch.start();
			isWatching = true;
		},
	};
}

export const recordOf = (
	computer: ComputerState,
	{ accountNow, session, label }: Pick<Fleet, 'accountNow' | 'session' | 'label'>,
) => withAccount(computerRecord(computer, accountNow(), session.platform), label);

export const factsOfLeader = (
	host: Host,
	account: string,
	reply?: Parameters<typeof askLeader>[3],
): Promise<readonly Fact[]> =>
	askLeader(openElection(host, account)?.leaderPath(), host.processId, host.clock, reply);

export async function stateOfLeader(
	host: Host,
	account: string,
): Promise<AccountState | undefined> {
	const store = createStore();
	store.receive(await factsOfLeader(host, account));
	return store.getState().accounts.get(account);
}

const saidAfterMs = 10_000;

export function sayAgeOfSharedData(
	notify: (line: string) => void,
	ageMs: number,
	subject = '',
): void {
	if (ageMs > saidAfterMs)
		notify(`${subject}Read ${spacedAgeText(ageMs)} ago by a monitor. --fresh asks the platform.`);
}

// A shorter wait is over before a person has read the notice.
const minNoticedWaitMs = 2_000;
const minNoticedDelayMs = 10_000;

/** One notice per wait. */
function createWaitNotifier(clock: Clock, notify: (line: string) => void) {
	let noticedUntil = 0;
	return (until: number, unsentCount?: number) => {
		const now = clock.now();
		const isNoticed = now < noticedUntil && until - noticedUntil < minNoticedDelayMs;
		if (until - now < minNoticedWaitMs || isNoticed) return;
		noticedUntil = until;
		notify(rateLimitText(until - now, unsentCount));
	};
}

import { isNotRead, type Phase, type Reading } from '../../source/fleet/computers/computer.ts';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import type { Answers, PollingMode } from '../../source/fleet/reads.ts';
import { createJumps } from '../../source/foundation/clock.ts';
import { snapshotFacts } from '../../source/journal/fleet-file.ts';
import { createFailure, PlatformError } from '../../source/platform/decoding/platform-error.ts';
import type { ReadApi } from '../../source/platform/platform.ts';
import { type AccountState, emptyAccount, emptyState } from '../../source/store/state.ts';
import { fold } from '../../source/store/store.ts';
import { createWatch } from '../../source/watch/watch.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { minute } from '../durations.ts';
import { createHeldClock } from '../held-clock.ts';
import { createMemoryLimiter } from '../limits/memory-log.ts';

const always = Number.POSITIVE_INFINITY;
const account = 'simulated';

/** A clock for simulations, which advances thousands of times faster than real time. */
export function createMovingClock() {
	const clock = createHeldClock();
	return Object.assign(clock, {
		/** Lets promises settle after each timer that is due. */
		async live(milliseconds: number) {
			const end = clock.monotonic() + milliseconds;
			while (clock.moveToNext(end - clock.monotonic())) await new Promise(setImmediate);
			clock.move(end - clock.monotonic());
		},
	});
}

/** Returns a generator of numbers from 0 to 1 that repeats for the same seed. */
export function createRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** The fields of a computer of which nothing has to be read beside the list. */
export const fullRecord = {
	version: '1.4.2',
	error: null,
	address: null,
	location: null,
	storage: null,
	ports: null,
	cpu: null,
	memory: null,
} as const satisfies Partial<Reading>;

type WindowKind = 'rolling' | 'fixed';

/** Counts the requests in one scope as the platform does, independently of the limiter. */
function createWindow(limit: number, kind: WindowKind) {
	/** The arrival times in the last window, oldest first. */
	let all: readonly number[] = [];
	let ours: readonly number[] = [];
	// A request that arrived exactly one window ago still counts.
	const added = (times: readonly number[], at: number, from: number) => [
		...times.filter(each => each >= from),
		at,
	];
	const counts = {
		/** The most requests of ours in any rolling window. */
		worst: 0,
		refused: 0,
		arrivedElsewhere: 0,
		refusedElsewhere: 0,
	};
	return {
		counts,
		arrive(at: number, isOurs: boolean) {
			const from = kind === 'rolling' ? at - minute : Math.floor(at / minute) * minute;
			all = added(all, at, from);
			const isRefused = all.length > limit;
			if (isOurs) ours = added(ours, at, at - minute);
			counts.worst = Math.max(counts.worst, ours.length);
			counts[isOurs ? 'refused' : 'refusedElsewhere'] += Number(isRefused);
			counts.arrivedElsewhere += Number(!isOurs);
			const end = (kind === 'rolling' ? (all[0] ?? at) : from) + minute;
			return { isRefused, remaining: Math.max(0, limit - all.length), reset: end - at };
		},
	};
}

export type Computer = { id: string; status: string; changedAt: number; changeCount: number };

type Telling = (computer: Computer, now: number) => Partial<Reading>;

export type SimulationOptions = {
	computers: number;
	statusAt: (place: number) => string;
	/** What each read tells of a computer. */
	tells: Readonly<Record<'list' | 'status' | 'detail', Telling>>;
	/** Milliseconds between two changes of one computer; absent for none. */
	changeEvery?: number;
	change?: (computer: Computer, random: () => number) => void;
	mode?: PollingMode;
	visible?: readonly string[];
	window?: WindowKind;
	/** The computers whose status reads fail. */
	broken?: readonly string[];
	/** What is known before the watch starts. */
	earlierFacts?: (now: number) => readonly Fact[];
};

/** Runs the real watch, store and limiter against a platform with rate limits and latency, but without HTTP. */
export function simulate(options: SimulationOptions) {
	const { computers: count, tells, changeEvery, mode = 'calm', broken = [] } = options;
	const clock = createMovingClock();
	const random = createRandom(1);
	const changing = createRandom(2);
	const windows = {
		status: createWindow(60, options.window ?? 'rolling'),
		other: createWindow(30, options.window ?? 'rolling'),
	};
	const limiter = createMemoryLimiter(clock, random);
	const world = Array.from(
		{ length: count },
		(_, place): Computer => ({
			id: `sb_${place}`,
			status: options.statusAt(place),
			changedAt: 0,
			changeCount: 0,
		}),
	);
	const byId = new Map(world.map(each => [each.id, each]));
	let latest = '1.4.2';
	/** The statuses that were read, with what may have been the reason to read each. */
	const statusReads: { id: string; reason: string }[] = [];
	/** The changes of each computer that no answer has shown yet. */
	const unnoticed = new Map<string, readonly number[]>();
	/** How late each noticed change was, in milliseconds. */
	const latencies: number[] = [];
	/** When the status of each computer was told. */
	const toldAt = new Map(world.map(({ id }): [string, number[]] => [id, []]));

	/** Runs an action at random times, which come every so many milliseconds on average. */
	function repeat(every: number, draw: () => number, action: () => void) {
		clock.after(-Math.log(1 - draw()) * every, () => {
			action();
			repeat(every, draw, action);
		});
	}

	async function request<T>(
		scope: 'status' | 'other',
		{ signal }: { signal: AbortSignal },
		answer: () => T,
	): Promise<T> {
		const latency = () =>
			new Promise<void>(resolve => clock.after(20 + random() * 80, () => resolve()));
		const ticket = await limiter.acquire(scope, { priority: 'read', signal });
		await latency();
		const { isRefused, remaining, reset } = windows[scope].arrive(clock.monotonic(), true);
		const content = answer();
		await latency();
		const headers = new Headers({
			'x-ratelimit-limit': scope === 'status' ? '60' : '30',
			'x-ratelimit-remaining': String(remaining),
			'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
		});
		ticket.end({ status: isRefused ? 429 : 200, headers });
		if (isRefused) throw new PlatformError(createFailure('limited', 'too many requests'));
		return content;
	}

	const recordOf = (read: keyof typeof tells, id: string): Reading => {
		const computer = byId.get(id);
		return { id, ...(computer && tells[read](computer, clock.monotonic())) };
	};
	const accountAnswers = (): Partial<Answers> => ({
		credits: { balance: 40 },
		subscription: { plan: 'pro', planName: 'Pro' },
		release: { version: latest, changes: [] },
	});
	const platform: ReadApi = {
		endSignInWait() {},
		listComputers: asking =>
			request('other', asking, () => ({
				computers: world.map(({ id }) => recordOf('list', id)),
				requestCount: 1,
			})),
		async readStatus(id, asking) {
			const reading = await request('status', asking, () => recordOf('status', id));
			if (broken.includes(id)) throw new PlatformError(createFailure('server', 'unavailable'));
			const changeCount = byId.get(id)?.changeCount;
			const reason = `${id}, change ${changeCount}, release ${known().release?.version}`;
			statusReads.push({ id, reason });
			return reading;
		},
		readComputer: (id, asking) => request('other', asking, () => recordOf('detail', id)),
		readAccount: (name, asking) =>
			request('other', asking, () => (accountAnswers()[name] ?? []) as never),
	};

	let state = emptyState;
	const known = (): AccountState => state.accounts.get(account) ?? emptyAccount;
	const receive = (body: FactBody) => {
		state = fold(state, { account, at: clock.now(), ...body });
	};
	for (const fact of options.earlierFacts?.(clock.now()) ?? []) state = fold(state, fact);
	const endless = { key: 'k', operation: 'stop', computer: 'elsewhere' };
	// An operation that began in the future never counts as stuck.
	if (mode === 'moving') receive(operationChanged(endless, 'queued', { asked: always }));

	/** A change is noticed by the first answer that was written after it. */
	function note({ id, status, updatedAt }: Reading) {
		if (status !== undefined) toldAt.get(id)?.push(clock.monotonic());
		if (typeof updatedAt !== 'number') return;
		const times = unnoticed.get(id) ?? [];
		for (const at of times) if (at <= updatedAt) latencies.push(clock.monotonic() - at);
		unnoticed.set(
			id,
			times.filter(at => at > updatedAt),
		);
	}

	/** Since when the reason or the version of a computer is not known. */
	const unknownSince = new Map<string, number>();
	let longestUnknown = 0;

	function noteUnknown() {
		const { computers, listFields } = known();
		for (const computer of computers.values()) {
			const isUnknown = (['error', 'version'] as const).some(field =>
				isNotRead(field, computer, listFields),
			);
			const since = unknownSince.get(computer.id) ?? clock.monotonic();
			longestUnknown = Math.max(longestUnknown, clock.monotonic() - since);
			if (isUnknown) unknownSince.set(computer.id, since);
			else unknownSince.delete(computer.id);
		}
	}

	let firstListAt = Number.NaN;
	const watch = createWatch({
		jumps: createJumps(clock),
		account,
		platform,
		limiter,
		clock,
		random,
		accountState: known,
		receive([fact]) {
			if (!fact) return;
			state = fold(state, fact);
			if (fact.type === 'computerRead') note(fact.computer);
			if (fact.type !== 'listRead') return;
			fact.computers.forEach(note);
			noteUnknown();
			if (Number.isNaN(firstListAt)) firstListAt = clock.monotonic();
		},
		initialAttention: {
			visibleIds: options.visible ?? [],
			views: [],
			attendedUntil: mode === 'unattended' ? -always : always,
		},
	});

	if (changeEvery !== undefined)
		repeat(changeEvery / count, changing, () => {
			const computer = world[Math.floor(changing() * count)];
			if (!computer) return;
			options.change?.(computer, changing);
			computer.changeCount += 1;
			computer.changedAt = clock.monotonic();
			unnoticed.set(computer.id, [...(unnoticed.get(computer.id) ?? []), computer.changedAt]);
		});

	return {
		clock,
		watch,
		windows: { status: windows.status.counts, other: windows.other.counts },
		statusReads,
		latencies,
		toldAt,
		known,
		world,
		/** Reports another version as the latest one from now on. */
		release(version: string) {
			latest = version;
		},
		/** Lets another client spend a third of each limit at random times. */
		spendElsewhere() {
			for (const scope of ['status', 'other'] as const) {
				const every = scope === 'status' ? minute / 20 : minute / 10;
				repeat(every, random, () => windows[scope].arrive(clock.monotonic(), false));
			}
		},
		/** Returns how many computers have a field that nobody has read yet, in this phase. */
		unread: (field: 'error' | 'version', phase: Phase, ids?: readonly string[]) =>
			[...known().computers.values()].filter(
				computer =>
					computer.phase === phase &&
					(ids === undefined || ids.includes(computer.id)) &&
					isNotRead(field, computer, known().listFields),
			).length,
		/** Lives until `isReached` holds, and returns the milliseconds since the first list, or NaN if `withinMs` is over. */
		async timeUntil(isReached: () => boolean, withinMs: number): Promise<number> {
			const step = withinMs / 240;
			for (let lived = 0; lived < withinMs; lived += step) {
				await clock.live(step);
				if (!Number.isNaN(firstListAt) && isReached()) return clock.monotonic() - firstListAt;
			}
			return Number.NaN;
		},
		longestUnknown: () => longestUnknown,
		snapshot: () => snapshotFacts(account, known(), clock.now()),
	};
}

export type Simulation = ReturnType<typeof simulate>;

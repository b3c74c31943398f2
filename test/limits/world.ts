import { createLimiter } from '../../source/limits/limiter.ts';
import type { Limit, LimitsByScope, Priority, Scope } from '../../source/limits/limits.ts';
import { createRequestLog, type RequestFiles } from '../../source/limits/request-log.ts';
import { minute, second } from '../durations.ts';
import { createHeldClock } from '../held-clock.ts';
import { createRandom } from '../watch/simulation.ts';
import { responseHead } from './held-limiter.ts';
import { createMemoryDisk } from './memory-files.ts';

const perMinute = (maxRequests: number, reservedShare: number): Limit => ({
	maxRequests,
	windowMs: minute,
	marginMs: second,
	reservedShare,
	maxTransitMs: minute,
});

/** Fewer requests than the documented limits, and creations of a quarter of an hour, so that a story takes a moment. */
export const limits: LimitsByScope = {
	create: {
		...perMinute(4, 0),
		windowMs: 15 * minute,
		marginMs: minute,
		maxTransitMs: 2 * minute,
	},
	status: perMinute(8, 0),
	other: perMinute(10, 1 / 5),
};

/** A machine. `ahead` is how far its wall clock is ahead of the true time. */
type Machine = { id: string; ahead: number; bootedAt: number };

type Wanted = readonly [Scope, Priority];

const everything: readonly Wanted[] = [
	['status', 'read'],
	['status', 'read'],
	['other', 'read'],
	['other', 'operation'],
	['create', 'operation'],
];

/** Lets the requests that were given a slot leave. */
async function settle() {
	for (let turns = 0; turns < 4; turns += 1) await Promise.resolve();
}

/** Processes that send requests to one platform as fast as the limits allow, and share a folder in memory. */
export function createWorld(seed: number) {
	const clock = createHeldClock();
	const random = createRandom(seed);
	const between = (least: number, most: number) => least + random() * (most - least);
	const disk = createMemoryDisk(clock.now);
	const arrivals: { scope: Scope; at: number }[] = [];
	const sent: { scope: Scope; pane: number; at: number }[] = [];
	const refusals: { scope: Scope; from: number; until: number }[] = [];
	/** Refuses the next request of a scope, for this long. */
	const toRefuse = new Map<Scope, number>();
	let panes = 0;

	function start(host: Machine, wanted: readonly Wanted[] = everything) {
		panes += 1;
		const pane = panes;
		let isAlive = true;
		let fuse = Number.POSITIVE_INFINITY;
		const problems: string[] = [];
		const access = <T>(use: () => T): T => {
			fuse -= 1;
			if (fuse <= 0) isAlive = false;
			if (!isAlive) throw new Error('the process is dead');
			return use();
		};
		const files: RequestFiles = {
			names: () => access(disk.names),
			read: (name, from) => access(() => disk.read(name, from)),
			remove: name => access(() => disk.remove(name)),
			append(name, text, isSynced) {
				if (fuse <= 1 && isAlive) disk.append(name, text.slice(0, random() * text.length), false);
				return access(() => disk.append(name, text, isSynced));
			},
		};
		const now = () => clock.now() + host.ahead;
		const after = (milliseconds: number, call: () => void) =>
			clock.after(milliseconds, () => isAlive && call());
		const log = createRequestLog({
			hostId: host.id,
			files,
			limits,
			name: 'requests-1',
			wallClockNow: now,
			msSinceBoot: () => clock.now() - host.bootedAt,
			onProblem: message => problems.push(message),
		});
		const limiter = createLimiter({ now, monotonic: clock.now, after }, random, log);
		const { signal } = new AbortController();

		async function spend(scope: Scope, priority: Priority) {
			const slot = await limiter.acquire(scope, { priority, signal });
			if (!isAlive) return;
			// A process may be killed, or answer late, at any moment from here.
			sent.push({ scope, pane, at: clock.now() });
			const durationMs = random() < 1 / 20 ? between(10 * second, 30 * second) : between(20, 400);
			// A request that has left arrives, even if its process dies.
			clock.after(random() * durationMs, () => arrivals.push({ scope, at: clock.now() }));
			after(durationMs, () => {
				const waitMs = toRefuse.get(scope);
				toRefuse.delete(scope);
				if (waitMs !== undefined) {
					refusals.push({ scope, from: clock.now(), until: clock.now() + waitMs });
					slot.end(responseHead(429, { 'retry-after': `${Math.floor(waitMs / second)}` }));
				} else slot.end(random() < 1 / 20 ? 'noResponse' : responseHead());
				void spend(scope, priority);
			});
		}
		for (const [scope, priority] of wanted) void spend(scope, priority);
		return {
			get isAlive() {
				return isAlive;
			},
			kill() {
				isAlive = false;
			},
			/** Kills the process at one of its next accesses to the disk, in the middle of a write. */
			killWithin(accesses: number) {
				fuse = 1 + Math.floor(random() * accesses);
			},
			problems,
		};
	}

	return {
		clock,
		disk,
		random,
		sent,
		refusals,
		toRefuse,
		between,
		start,
		machine: (id: string, { ahead = 0, uptime = 55 * minute } = {}): Machine => ({
			id,
			ahead,
			bootedAt: clock.now() - uptime,
		}),
		/** Lets time pass, and calls a function every second. */
		async live(milliseconds: number, each: (at: number) => void = () => {}) {
			for (let lived = 0; lived < milliseconds; lived += second) {
				each(lived);
				const end = clock.now() + second;
				await settle();
				while (clock.moveToNext(end - clock.now())) await settle();
				clock.move(end - clock.now());
			}
		},
		/** Returns the most requests of a scope that arrived in any window. */
		most(scope: Scope): number {
			const times = arrivals.filter(each => each.scope === scope).map(({ at }) => at);
			times.sort((a, b) => a - b);
			let [first, most] = [0, 0];
			for (const [place, at] of times.entries()) {
				while ((times[first] ?? 0) <= at - limits[scope].windowMs) first += 1;
				most = Math.max(most, place - first + 1);
			}
			return most;
		},
	};
}

import { createLimiter } from '../../source/limits/limiter.ts';
import type { Limit, LimitsByScope, Priority, Scope } from '../../source/limits/limits.ts';
import type { RequestFiles } from '../../source/limits/request-files.ts';
import { createRequestLog } from '../../source/limits/request-log.ts';
import { createHeldClock } from '../held-clock.ts';
import { createRandom } from '../watch/simulation.ts';
import { createMemoryDisk } from './memory-files.ts';

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;

const rule = (
	maxRequests: number,
	windowMs: number,
	marginMs: number,
	reservedShare = 0,
): Limit => ({
	maxRequests,
	windowMs,
	marginMs,
	reservedShare,
	maxTransitMs: minute,
});

/** Limits with the documented windows, but fewer requests, so that hours are simulated in a second. */
export const limits: LimitsByScope = {
	create: { ...rule(4, hour, minute), maxTransitMs: 2 * minute },
	status: rule(8, minute, second),
	other: rule(10, minute, second, 1 / 5),
};

/** A machine. `ahead` is how far its wall clock is ahead of the true time. */
export type Machine = { id: string; ahead: number; bootedAt: number };

export type Pane = {
	readonly isAlive: boolean;
	kill(): void;
	/** Kills the process at one of its next accesses to the disk, in the middle of a write. */
	killWithin(accesses: number): void;
	readonly problems: readonly string[];
};

type Wanted = readonly [Scope, Priority];

const everything: readonly Wanted[] = [
	['status', 'read'],
	['status', 'read'],
	['other', 'read'],
	['other', 'operation'],
	['create', 'operation'],
];

type Arrival = { scope: Scope; pane: number; at: number };
type Sent = { scope: Scope; priority: Priority; pane: number; at: number; waitedMs: number };
type Refusal = { scope: Scope; from: number; until: number };

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
	const arrivals: Arrival[] = [];
	const sent: Sent[] = [];
	const refusals: Refusal[] = [];
	/** Refuses the next request of a scope, for this long. */
	const toRefuse = new Map<Scope, number>();
	let panes = 0;

	function machine(id: string, { ahead = 0, uptime = 55 * minute } = {}): Machine {
		return { id, ahead, bootedAt: clock.now() - uptime };
	}

	function start(host: Machine, wanted: readonly Wanted[] = everything): Pane {
		const { id: hostId, bootedAt } = host;
		panes += 1;
		const number = panes;
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
			hostId,
			files,
			limits,
			name: 'requests-1',
			wallClockNow: now,
			msSinceBoot: () => clock.now() - bootedAt,
			onProblem: message => problems.push(message),
		});
		const limiter = createLimiter({ now, monotonic: clock.now, after }, random, log);
		const { signal } = new AbortController();

		async function spend(scope: Scope, priority: Priority) {
			const askedAt = clock.now();
			const slot = await limiter.acquire(scope, { priority, signal });
			if (!isAlive) return;
			// A process may be killed, or answer late, at any moment from here.
			const at = clock.now();
			sent.push({ scope, priority, pane: number, at, waitedMs: at - askedAt });
			const durationMs = random() < 1 / 20 ? between(10 * second, 30 * second) : between(20, 400);
			const arrivesMs = random() * durationMs;
			// A request that has left arrives, even if its process dies.
			clock.after(arrivesMs, () => arrivals.push({ scope, pane: number, at: clock.now() }));
			after(durationMs, () => {
				const waitMs = toRefuse.get(scope);
				toRefuse.delete(scope);
				if (waitMs !== undefined)
					refusals.push({ scope, from: clock.now(), until: clock.now() + waitMs });
				if (waitMs === undefined && random() < 1 / 20) slot.end('noResponse');
				else {
					const retryAfter = String(Math.floor((waitMs ?? 0) / second));
					slot.end({
						status: waitMs === undefined ? 200 : 429,
						headers: new Headers(waitMs === undefined ? {} : { 'retry-after': retryAfter }),
					});
				}
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
			killWithin(accesses) {
				fuse = 1 + Math.floor(random() * accesses);
			},
			problems,
		};
	}

	return {
		clock,
		disk,
		random,
		arrivals,
		sent,
		refusals,
		toRefuse,
		machine,
		between,
		start,
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
			const times = arrivals
				.filter(arrival => arrival.scope === scope)
				.map(({ at }) => at)
				.sort((a, b) => a - b);
			let [first, most] = [0, 0];
			for (const [place, at] of times.entries()) {
				while ((times[first] ?? 0) <= at - limits[scope].windowMs) first += 1;
				most = Math.max(most, place - first + 1);
			}
			return most;
		},
		/** Returns the longest time that a request of a scope waited for its slot. */
		longestWait: (scope: Scope, priority: Priority) =>
			Math.max(
				...sent
					.filter(each => each.scope === scope && each.priority === priority)
					.map(({ waitedMs }) => waitedMs),
			),
	};
}

import type { Reading } from '../../../source/fleet/computer.ts';
import type { RateLimiter } from '../../../source/pace/limits.ts';
import { failureOf, PlatformError } from '../../../source/platform/platform-error.ts';
import type { ReadApi } from '../../../source/watch/reads.ts';
import type { Changes } from './changes.ts';
import type { MovingClock } from './moving-clock.ts';
import type { Window } from './window.ts';

/** What befalls one request on its way. */
export type Fate = 'answered' | 'reset' | 'broken' | 'hung';

type Parts = {
	clock: MovingClock;
	gate: RateLimiter;
	random: () => number;
	computers: readonly Reading[];
	windows: Readonly<Record<'status' | 'other', Window>>;
	changes: Changes;
	tells: { list: boolean; detail: boolean };
	fate: () => Fate;
	/** Called with the answer's time; an id for an answer about one. */
	onTold: (id?: string) => void;
};

const timeout = 15_000;

/** The platform as the watch sees it, with its way there and back, and without any HTTP. */
export function createModelPlatform(parts: Parts): ReadApi {
	const { clock, gate, random, computers, windows, changes, tells, fate, onTold } = parts;
	const byId = new Map(computers.map(reading => [reading.id, reading]));
	const bare = computers.map(({ id }): Reading => ({ id }));
	const leg = () => 20 + random() * 80;

	const passing = (milliseconds: number) =>
		new Promise<void>(resolve => clock.after(milliseconds, resolve));

	async function request<T>(
		scope: 'status' | 'other',
		signal: AbortSignal,
		answer: (arrivedAt: number) => T,
	): Promise<T> {
		const ticket = await gate.acquire(scope, { priority: 'read', signal });
		const met = fate();
		if (met === 'reset') {
			await passing(leg());
			ticket.lost();
			throw new PlatformError(failureOf('offline', 'the connection broke'));
		}
		await passing(leg());
		const { isRefused, remaining, reset } = windows[scope].arrive(clock.elapsed(), true);
		const said = isRefused || met === 'broken' ? undefined : answer(clock.elapsed());
		await passing(met === 'hung' ? timeout : leg());
		if (met === 'hung') {
			ticket.lost();
			throw new PlatformError(failureOf('offline', 'no answer within 15 s'));
		}
		const headers = new Headers({
			'x-ratelimit-limit': scope === 'status' ? '60' : '30',
			'x-ratelimit-remaining': String(remaining),
			'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
		});
		ticket.answered({ status: isRefused ? 429 : said === undefined ? 503 : 200, headers });
		if (isRefused) throw new PlatformError(failureOf('limited', 'too many requests'));
		if (said === undefined) throw new PlatformError(failureOf('server', 'unavailable'));
		return said;
	}

	async function looking(
		scope: 'status' | 'other',
		signal: AbortSignal,
		{ id, isTold }: { id?: string; isTold: boolean },
	) {
		const seen = await request(scope, signal, at =>
			isTold ? changes.seenBy(id, at) : { at, places: [] },
		);
		if (signal.aborted) return;
		changes.notice(seen, clock.elapsed());
		if (isTold) onTold(id);
	}

	return {
		async listComputers({ signal }) {
			await looking('other', signal, { isTold: tells.list });
			return { computers: tells.list ? computers : bare, requests: 1 };
		},
		async readStatus(id, { signal }) {
			await looking('status', signal, { id, isTold: true });
			return byId.get(id) ?? { id };
		},
		async readComputer(id, { signal }) {
			await looking('other', signal, { id, isTold: tells.detail });
			return tells.detail ? (byId.get(id) ?? { id }) : { id };
		},
		credits: ({ signal }) => request('other', signal, () => ({ balance: 40 })),
		subscription: ({ signal }) =>
			request('other', signal, () => ({ plan: 'pro', planName: 'Pro' })),
		latestRelease: ({ signal }) =>
			request('other', signal, () => ({ version: '1.4.2', changes: [] })),
		models: ({ signal }) => request('other', signal, () => []),
	};
}

import type { Reading } from '../../../source/fleet/computers/computer.ts';
import type { RateLimiter } from '../../../source/limits/limits.ts';
import { createFailure, PlatformError } from '../../../source/platform/decoding/platform-error.ts';
import type { ReadApi } from '../../../source/watch/reads.ts';
import type { Changes } from './changes.ts';
import type { MovingClock } from './moving-clock.ts';
import type { Window } from './window.ts';

type ModelPlatformOptions = {
	clock: MovingClock;
	rateLimiter: RateLimiter;
	random: () => number;
	computers: readonly Reading[];
	windows: Readonly<Record<'status' | 'other', Window>>;
	changes: Changes;
	hasStatus: { list: boolean; detail: boolean };
	/** Called when an answer with a status arrives: with an id, or without one when it covers all computers. */
	onStatus: (id?: string) => void;
};

/** The platform as the watch sees it: with rate limits and latency, but without HTTP. */
export function createModelPlatform(options: ModelPlatformOptions): ReadApi {
	const { clock, rateLimiter, random, computers, windows, changes, hasStatus, onStatus } = options;
	const byId = new Map(computers.map(reading => [reading.id, reading]));
	const bare = computers.map(({ id }): Reading => ({ id }));
	const latency = () => 20 + random() * 80;

	const wait = (milliseconds: number) =>
		new Promise<void>(resolve => clock.after(milliseconds, resolve));

	async function request<T>(
		scope: 'status' | 'other',
		signal: AbortSignal,
		answer: (arrivedAt: number) => T,
	): Promise<T> {
		const ticket = await rateLimiter.acquire(scope, { priority: 'read', signal });
		await wait(latency());
		const { isRefused, remaining, reset } = windows[scope].arrive(clock.elapsed(), true);
		const content = answer(clock.elapsed());
		await wait(latency());
		const headers = new Headers({
			'x-ratelimit-limit': scope === 'status' ? '60' : '30',
			'x-ratelimit-remaining': String(remaining),
			'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
		});
		ticket.end({ status: isRefused ? 429 : 200, headers });
		if (isRefused) throw new PlatformError(createFailure('limited', 'too many requests'));
		return content;
	}

	async function readStatuses(
		scope: 'status' | 'other',
		signal: AbortSignal,
		{ id, includesStatus }: { id?: string; includesStatus: boolean },
	) {
		const seen = await request(scope, signal, at =>
			includesStatus ? changes.seenBy(id, at) : { at, places: [] },
		);
		if (signal.aborted) return;
		changes.notice(seen, clock.elapsed());
		if (includesStatus) onStatus(id);
	}

	return {
		async listComputers({ signal }) {
			await readStatuses('other', signal, { includesStatus: hasStatus.list });
			return { computers: hasStatus.list ? computers : bare, requestCount: 1 };
		},
		async readStatus(id, { signal }) {
			await readStatuses('status', signal, { id, includesStatus: true });
			return byId.get(id) ?? { id };
		},
		async readComputer(id, { signal }) {
			await readStatuses('other', signal, { id, includesStatus: hasStatus.detail });
			return hasStatus.detail ? (byId.get(id) ?? { id }) : { id };
		},
		credits: ({ signal }) => request('other', signal, () => ({ balance: 40 })),
		subscription: ({ signal }) =>
			request('other', signal, () => ({ plan: 'pro', planName: 'Pro' })),
		release: ({ signal }) => request('other', signal, () => ({ version: '1.4.2', changes: [] })),
		models: ({ signal }) => request('other', signal, () => []),
	};
}

import { onTestFinished, vi } from 'vitest';
import type { FaultKind, Place } from '../../source/simulator/faults.ts';
import { documentedLimits } from '../../source/simulator/limits.ts';
import { openStage, type Stage } from './stage.ts';

type Seen = Stage['simulator']['requests'][number];

export type MatrixStage = Awaited<ReturnType<typeof openMatrixStage>>;

// What hangs, and what comes late, is answered by the clock and not by the network.
const held: readonly FaultKind[] = ['hang', 'delay'];

const one = '/v1/platform/sandbox/[^/]+';

/** The requests that each fault strikes. */
export const requestsOf = {
	list: /^GET \/v1\/platform\/sandbox$/,
	create: /^POST \/v1\/platform\/sandbox$/,
	status: new RegExp(`^GET ${one}/status$`),
	detail: new RegExp(`^GET ${one}$`),
	delete: new RegExp(`^DELETE ${one}$`),
	start: new RegExp(`^POST ${one}/start$`),
	stop: new RegExp(`^POST ${one}/stop$`),
	restart: new RegExp(`^POST ${one}/restart$`),
	update: new RegExp(`^POST ${one}/update$`),
	publish: new RegExp(`^POST ${one}/preview/start$`),
	unpublish: new RegExp(`^POST ${one}/preview/stop$`),
	credits: /\/billing\/credits$/,
	subscription: /\/billing\/subscription$/,
	latest: /\/version\/latest$/,
	models: /\/models$/,
} as const satisfies Partial<Record<Place, RegExp>>;

export type FaultyPlace = keyof typeof requestsOf;

/** A stage where time passes only when all that was asked is answered, and faults begin and end. */
export async function openMatrixStage(wish: Parameters<typeof openStage>[0] = {}) {
	const open = new Set<string>();
	let isHeld: (request: string) => boolean = () => false;
	let count = 0;
	const real = globalThis.fetch;
	vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
		const request = `${init.method} ${new URL(url).pathname}`;
		const key = `${count++} ${request}`;
		if (!isHeld(request)) open.add(key);
		return real(url, init).finally(() => open.delete(key));
	});
	onTestFinished(() => void vi.unstubAllGlobals());
	const stage = await openStage({ size: [110, 24], computers: 1, ...wish });
	vi.unstubAllGlobals();

	/** A body may come a little after its headers, and what follows from an answer may be a request. */
	async function quiet() {
		for (let calm = 0; calm < 3; calm = open.size === 0 ? calm + 1 : 0) {
			await new Promise(setImmediate);
		}
	}

	async function pass(milliseconds: number, step = 10_000) {
		for (let left = milliseconds; left > 0; left -= step) {
			stage.clock.move(Math.min(step, left));
			await quiet();
		}
	}

	return {
		...stage,
		quiet,
		pass,
		/** Goes on until that is so, and tells how long it took. */
		async passUntil(isSo: () => boolean, atMost: number): Promise<number> {
			const from = stage.clock.now();
			while (!isSo() && stage.clock.now() - from < atMost) await pass(10_000);
			return stage.clock.now() - from;
		},
		begin(where: FaultyPlace, kind: FaultKind, count?: number) {
			isHeld = request => held.includes(kind) && requestsOf[where].test(request);
			stage.simulator.setFaults([{ where, kind, ...(count && { count }) }]);
		},
		end() {
			isHeld = () => false;
			stage.simulator.setFaults([]);
		},
		sent: (where: FaultyPlace, from = 0) =>
			stage.simulator.requests.filter(
				({ method, path, at }) => at >= from && requestsOf[where].test(`${method} ${path}`),
			),
	};
}

/** More in any window, fixed or rolling, than the documented limit. */
export function excessIn(requests: readonly Seen[]): readonly string[] {
	return (['create', 'status', 'other'] as const).flatMap(scope => {
		const window = scope === 'create' ? 3_600_000 : 60_000;
		const times = requests.filter(each => each.scope === scope).map(({ at }) => at);
		const limit = documentedLimits[scope];
		return times.flatMap((at, place) => {
			const first = times[place - limit];
			return first !== undefined && at - first < window ? [`${scope} at ${at}`] : [];
		});
	});
}

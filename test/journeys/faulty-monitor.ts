import type { FaultKind, FaultTarget } from '../../source/simulator/faults.ts';
import { documentedLimits } from '../../source/simulator/limits.ts';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

type Seen = Monitor['simulator']['requests'][number];

export type FaultyMonitor = Awaited<ReturnType<typeof openFaultyMonitor>>;

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
} as const satisfies Partial<Record<FaultTarget, RegExp>>;

export type FaultyEndpoint = keyof typeof requestsOf;

/** A monitor on which faults begin and end. */
export async function openFaultyMonitor(wish: Parameters<typeof openMonitor>[0] = {}) {
	const monitor = await openMonitor({ size: [110, 24], computers: 1, ...wish });
	return {
		...monitor,
		/** Faults last long: what happens within seconds is of no interest here. */
		pass: (milliseconds: number, step = 10_000) => monitor.pass(milliseconds, step),
		startFault(where: FaultyEndpoint, kind: FaultKind, count?: number) {
			monitor.simulator.setFaults([{ where, kind, ...(count && { count }) }]);
		},
		endFaults: () => monitor.simulator.setFaults([]),
		sent: (where: FaultyEndpoint, from = 0) =>
			monitor.simulator.requests.filter(
				({ method, path, at }) => at >= from && requestsOf[where].test(`${method} ${path}`),
			),
	};
}

/** More in any window, fixed or rolling, than the documented limit. */
export function requestsOverLimit(requests: readonly Seen[]): readonly string[] {
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

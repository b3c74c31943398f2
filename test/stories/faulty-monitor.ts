import type { FaultKind, FaultTarget } from '../../source/simulator/endpoints/faults.ts';
import { documentedLimits } from '../../source/simulator/endpoints/limits.ts';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

type Request = Monitor['simulator']['requests'][number];

export type FaultyMonitor = Awaited<ReturnType<typeof openFaultyMonitor>>;

const computerPath = '/v1/platform/sandbox/[^/]+';

/** A pattern, for each endpoint, of the requests that a fault at this endpoint affects. */
export const requestsOf = {
	list: /^GET \/v1\/platform\/sandbox$/,
	create: /^POST \/v1\/platform\/sandbox$/,
	status: new RegExp(`^GET ${computerPath}/status$`),
	detail: new RegExp(`^GET ${computerPath}$`),
	delete: new RegExp(`^DELETE ${computerPath}$`),
	start: new RegExp(`^POST ${computerPath}/start$`),
	stop: new RegExp(`^POST ${computerPath}/stop$`),
	restart: new RegExp(`^POST ${computerPath}/restart$`),
	update: new RegExp(`^POST ${computerPath}/update$`),
	publish: new RegExp(`^POST ${computerPath}/preview/start$`),
	unpublish: new RegExp(`^POST ${computerPath}/preview/stop$`),
	credits: /\/billing\/credits$/,
	subscription: /\/billing\/subscription$/,
	latest: /\/version\/latest$/,
	models: /\/models$/,
} as const satisfies Partial<Record<FaultTarget, RegExp>>;

export type FaultyEndpoint = keyof typeof requestsOf;

/** Opens a monitor with a platform whose endpoints can be made to fail. */
export async function openFaultyMonitor(options: Parameters<typeof openMonitor>[0] = {}) {
	const monitor = await openMonitor({ size: [110, 24], computers: 1, ...options });
	return {
		...monitor,
		/** Passes time in large steps, because faults last for minutes. */
		pass: (milliseconds: number, step = 10_000) => monitor.pass(milliseconds, step),
		startFault(endpoint: FaultyEndpoint, kind: FaultKind, count?: number) {
			monitor.simulator.setFaults([{ target: endpoint, kind, ...(count && { count }) }]);
		},
		endFaults: () => monitor.simulator.setFaults([]),
		sent: (endpoint: FaultyEndpoint, from = 0) =>
			monitor.simulator.requests.filter(
				({ method, path, arrivedAt: at }) =>
					at >= from && requestsOf[endpoint].test(`${method} ${path}`),
			),
	};
}

/** Returns the requests that exceed the documented limit of their scope in any rolling window. */
export function requestsOverLimit(requests: readonly Request[]): readonly string[] {
	return (['create', 'status', 'other'] as const).flatMap(scope => {
		const window = scope === 'create' ? 3_600_000 : 60_000;
		const times = requests.filter(each => each.scope === scope).map(({ arrivedAt: at }) => at);
		const limit = documentedLimits[scope];
		return times.flatMap((at, index) => {
			const first = times[index - limit];
			return first !== undefined && at - first < window ? [`${scope} at ${at}`] : [];
		});
	});
}

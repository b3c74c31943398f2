import type { FaultKind, FaultTarget } from '../../source/simulator/endpoints/faults.ts';
import { documentedLimits } from '../../source/simulator/endpoints/limits.ts';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

type Request = Monitor['simulator']['requests'][number];

export type FaultyMonitor = Awaited<ReturnType<typeof openFaultyMonitor>>;

/** Opens a monitor with a platform whose endpoints can be made to fail. */
export async function openFaultyMonitor(options: Parameters<typeof openMonitor>[0] = {}) {
	const monitor = await openMonitor({ size: [110, 24], computers: 1, ...options });
	return {
		...monitor,
		/** Passes time in large steps, because faults last for minutes. */
		pass: (milliseconds: number, step = 10_000) => monitor.pass(milliseconds, step),
		startFault(endpoint: FaultTarget, kind: FaultKind, count?: number) {
			monitor.simulator.setFaults([{ target: endpoint, kind, ...(count && { count }) }]);
		},
		endFaults: () => monitor.simulator.setFaults([]),
		sent: (endpoint: FaultTarget, from = 0) =>
			monitor.simulator.requests.filter(
				each => each.arrivedAt >= from && each.endpoint === endpoint,
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

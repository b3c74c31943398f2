import type { StoreApi } from 'zustand/vanilla';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { Clock } from '../foundation/clock.ts';
import { PlatformError } from '../platform/decoding/platform-error.ts';
import type { VisitResult } from '../platform/endpoints.ts';
import type { Platform } from '../platform/platform.ts';
import type { OperationsState, PortCheck } from './operations-state.ts';

type PortCheckOptions = {
	platform: Pick<Platform, 'visitPort'>;
	clock: Clock;
	/** Aborted when the program ends. */
	signal: AbortSignal;
	state: StoreApi<Pick<OperationsState, 'portChecks'>>;
};

const maxPortChecks = 50;

/**
 * Visits the public address of a port within the rate limits. A visit wakes a sleeping computer, so without a key
 * press a port is visited only once, after it was published.
 */
export async function checkPort(
	{ platform, clock, signal, state }: PortCheckOptions,
	{ id, computer, port }: { id: GlobalId; computer: string; port: number },
): Promise<void> {
	const isSamePort = (check: PortCheck) => check.id === id && check.port === port;

	function keep(result: Awaited<ReturnType<typeof resultOfVisit>> | { state: 'asking' }) {
		const others = state.getState().portChecks.filter(check => !isSamePort(check));
		const check = { id, port, checkedAt: clock.now(), ...result };
		state.setState({ portChecks: [...others, check].slice(-maxPortChecks) });
	}

	const earlier = state.getState().portChecks.find(isSamePort);
	if (earlier?.state === 'asking' || signal.aborted) return;
	keep({ state: 'asking' });
	keep(await resultOfVisit(platform.visitPort(computer, port, { signal, priority: 'read' })));
}

async function resultOfVisit(visit: Promise<VisitResult>) {
	try {
		const { hasAnswered, status } = await visit;
		return { state: hasAnswered ? ('answers' as const) : ('silent' as const), status };
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		return { state: 'failed' as const, failure: error.failure };
	}
}

import type { StoreApi } from 'zustand/vanilla';
import { globalIdOf } from '../fleet/computers/global-id.ts';
import type { Clock } from '../foundation/clock.ts';
import { PlatformError } from '../platform/decoding/platform-error.ts';
import type { OperationsState, PortCheck, PortCheckResult } from './operations-state.ts';
import type { Account } from './run.ts';

const maxPortChecks = 50;

/**
 * Visits the public address of a port within the rate limits. A visit wakes a sleeping computer, so without a key
 * press a port is visited only once, after it was published.
 */
export async function checkPort(
	{ platform, profile, signal }: Account,
	computer: string,
	port: number,
	clock: Clock,
	state: StoreApi<OperationsState>,
): Promise<void> {
	const id = globalIdOf(profile.account, computer);
	const isSamePort = (check: PortCheck) => check.id === id && check.port === port;

	function keep(result: PortCheckResult) {
		const others = state.getState().portChecks.filter(check => !isSamePort(check));
		const check = { id, port, checkedAt: clock.now(), ...result };
		state.setState({ portChecks: [...others, check].slice(-maxPortChecks) });
	}

	const earlier = state.getState().portChecks.find(isSamePort);
	if (earlier?.state === 'asking' || signal.aborted) return;
	keep({ state: 'asking' });
	try {
		const options = { signal, priority: 'read' } as const;
		const { hasAnswered, status } = await platform.visitPort(computer, port, options);
		keep({ state: hasAnswered ? 'answers' : 'silent', status });
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		keep({ state: 'failed', failure: error.failure });
	}
}

import type { Clock } from '../fleet/clock.ts';
import type { Failure } from '../fleet/failure.ts';
import type { VisitResult } from '../platform/endpoints-publication.ts';
import type { Platform } from '../platform/platform.ts';
import { PlatformError } from '../platform/platform-error.ts';

/** The result of a visit to a public address, with the time of the visit. */
export type PortCheck = { id: string; port: number; checkedAt: number } & (
	| { state: 'asking' }
	/** Either an application answered, or the platform reported that no application listens on the port. */
	| { state: 'answers' | 'silent'; status: number }
	| { state: 'failed'; failure: Failure }
);

type PortChecks = {
	/**
	 * Visits the public address within the rate limits. The program visits without a key press only once, after
	 * publishing, because a visit wakes a sleeping computer.
	 */
	check(id: string, port: number): Promise<void>;
	list(): readonly PortCheck[];
};

type PortChecksOptions = {
	platform: Pick<Platform, 'visitPort'>;
	clock: Clock;
	signal: AbortSignal;
	onChange: () => void;
};

const maxPortChecks = 50;

export function createPortChecks({
	platform,
	clock,
	signal,
	onChange,
}: PortChecksOptions): PortChecks {
	const checks = new Map<string, PortCheck>();

	function keep(check: PortCheck) {
		const place = `${check.id} ${check.port}`;
		checks.delete(place);
		checks.set(place, check);
		const [oldest] = checks.keys();
		if (checks.size > maxPortChecks && oldest !== undefined) checks.delete(oldest);
		onChange();
	}

	return {
		async check(id, port) {
			const about = { id, port };
			const known = checks.get(`${id} ${port}`);
			if (known?.state === 'asking' || signal.aborted) return;
			keep({ ...about, checkedAt: clock.now(), state: 'asking' });
			const found = await resultOfVisit(() =>
				platform.visitPort(id, port, { signal, priority: 'read' }),
			);
			keep({ ...about, checkedAt: clock.now(), ...found });
		},
		list: () => [...checks.values()],
	};
}

async function resultOfVisit(visit: () => Promise<VisitResult>) {
	try {
		const { hasAnswered, status } = await visit();
		return { state: hasAnswered ? ('answers' as const) : ('silent' as const), status };
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		return { state: 'failed' as const, failure: error.failure };
	}
}

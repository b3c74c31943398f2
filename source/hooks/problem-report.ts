import type { Hook } from '../accounts/hook-settings.ts';
import type { Clock } from '../foundation/clock.ts';
import type { HookFailure } from './run-hook.ts';

const minIntervalMs = 60_000;

/** A problem with a hook, and the account of the change for which the hook ran. */
type HookProblem = { account: string; hook: string; message: string };

/** A hook has no name, so messages call it by its events and its program. */
export const hookText = ({ on, command }: Hook) => `${on.join(', ')} → ${command[0]}`;

/**
 * Reports problems with hooks. Each kind of failure is reported once, until the hook works again. Dropped events are
 * reported once a minute at most.
 */
export function createProblemReport(
	clock: Pick<Clock, 'after'>,
	onProblem: (problem: HookProblem) => void,
) {
	const reported = new Set<string>();
	const dropped = new Map<Hook, { account: string; count: number }>();
	let cancelTimer: (() => void) | undefined;

	function reportDropped() {
		for (const [hook, { account, count }] of dropped) {
			const message = `is too slow: ${count} events that waited longer than a minute were dropped`;
			onProblem({ account, hook: hookText(hook), message });
		}
		const hasReported = dropped.size > 0;
		dropped.clear();
		cancelTimer = hasReported ? clock.after(minIntervalMs, reportDropped) : undefined;
	}

	return {
		noteRun(hook: Hook, account: string, failure: HookFailure | undefined) {
			if (!failure) {
				for (const key of reported) if (key.startsWith(`${hook.id} `)) reported.delete(key);
				return;
			}
			const key = `${hook.id} ${failure.kind}`;
			if (reported.has(key)) return;
			reported.add(key);
			onProblem({ account, hook: hookText(hook), message: failure.text });
		},
		noteDropped(hook: Hook, account: string, count: number) {
			dropped.set(hook, { account, count: (dropped.get(hook)?.count ?? 0) + count });
			if (!cancelTimer) reportDropped();
		},
		close: () => cancelTimer?.(),
	};
}

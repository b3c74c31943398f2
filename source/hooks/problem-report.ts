import type { Hook } from '../accounts/hook-settings.ts';
import type { Clock } from '../foundation/clock.ts';
import type { HookFailure } from './run-hook.ts';

const minIntervalMs = 60_000;

/** Returns how messages name a hook: by its line, because a hook has no name. */
export const hookText = ({ command, line }: Hook) =>
	`The hook ${command[0]}${line === undefined ? '' : ` (line ${line})`}`;

/** Reports what goes wrong with hooks: a failure of one kind once until the hook works again, drops once a minute. */
export function createProblemReport(
	clock: Pick<Clock, 'after'>,
	onProblem: (message: string) => void,
) {
	const reported = new Set<string>();
	const droppedCounts = new Map<Hook, number>();
	let cancelTimer: (() => void) | undefined;

	function reportDropped() {
		for (const [hook, count] of droppedCounts)
			onProblem(
				`${hookText(hook)} is too slow: ${count} events that waited longer than a minute were dropped`,
			);
		const hasReported = droppedCounts.size > 0;
		droppedCounts.clear();
		cancelTimer = hasReported ? clock.after(minIntervalMs, reportDropped) : undefined;
	}

	return {
		noteRun(hook: Hook, failure: HookFailure | undefined) {
			if (!failure) {
				for (const key of reported) if (key.startsWith(`${hook.id} `)) reported.delete(key);
				return;
			}
			const key = `${hook.id} ${failure.kind}`;
			if (reported.has(key)) return;
			reported.add(key);
			onProblem(`${hookText(hook)} ${failure.text}`);
		},
		noteDropped(hook: Hook, count: number) {
			droppedCounts.set(hook, (droppedCounts.get(hook) ?? 0) + count);
			if (!cancelTimer) reportDropped();
		},
		close: () => cancelTimer?.(),
	};
}

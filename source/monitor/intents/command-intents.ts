import type { StoreApi } from 'zustand/vanilla';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { BegunOperations } from '../../operations/refusal.ts';
import type { Screen } from '../../screen/screen.ts';
import { withViewChosen } from '../../screen/view-change.ts';
import type { HandlerDeps } from './intent-handlers.ts';

/** Opens the output of commands that have a view for it. */
export function showOutput(screenStore: StoreApi<Screen>, { specs: [spec] }: BegunOperations) {
	const { ownCommand } = operationRowOf(spec?.operation ?? '');
	if (ownCommand?.output === 'pane')
		screenStore.setState(withViewChosen(screenStore.getState(), 'output'), true);
}

// A person may press the key once more before they see that the command has ended.
const surpriseMs = 3_000;

/**
 * Creates a function that asks the commands to end whose output is shown. It returns false if none runs, so that the key
 * quits; soon after a command has ended, it says so first.
 */
export function createCommandEnding({
	commandRunner,
	operations,
	clock,
	say,
}: Pick<HandlerDeps, 'commandRunner' | 'operations' | 'clock' | 'say'>): () => boolean {
	let announcedEnd = Number.NEGATIVE_INFINITY;
	return () => {
		const count = commandRunner?.endShown() ?? 0;
		if (count > 0) {
			say(`Asked ${count === 1 ? 'the command' : `${count} commands`} to end`);
			return true;
		}
		const ends = operations.state().commandRuns.map(({ endedAt = announcedEnd }) => endedAt);
		const lastEnd = Math.max(announcedEnd, ...ends);
		if (lastEnd === announcedEnd || clock.now() - lastEnd >= surpriseMs) return false;
		announcedEnd = lastEnd;
		say('The command has ended. Press the key again to quit');
		return true;
	};
}

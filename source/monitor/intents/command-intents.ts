import type { StoreApi } from 'zustand/vanilla';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { BegunOperations } from '../../operations/question.ts';
import type { Screen } from '../../screen/screen.ts';
import { withViewChosen } from '../../screen/view-change.ts';
import type { HandlerDeps } from './intent-handlers.ts';

/** Opens the view with the output of a command, if the command has such a view. */
export function showOutput(screenStore: StoreApi<Screen>, { operations }: BegunOperations) {
	const { ownCommand } = operationRowOf(operations[0]?.spec.operation ?? '');
	if (ownCommand?.output === 'pane')
		screenStore.setState(withViewChosen(screenStore.getState(), 'output'), true);
}

// For this long after the end of a command, the key that ends commands does not quit, because a person may not have
// seen that the command has ended.
const surpriseMs = 3_000;

/**
 * Creates a function that asks the commands on screen to end. If none runs, it returns false, and the key quits.
 * Shortly after the end of a command, the first press only says that the command has ended.
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

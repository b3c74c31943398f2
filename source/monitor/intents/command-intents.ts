import type { StoreApi } from 'zustand/vanilla';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Begun } from '../../operations/refusal.ts';
import type { Screen } from '../../screen/screen.ts';
import { withViewChosen } from '../../screen/view-change.ts';
import type { HandlerDeps } from './intent-handlers.ts';

/** Opens the output of commands that have a view for it. */
export function showOutput(screenStore: StoreApi<Screen>, { specs: [spec] }: Begun) {
	const { ownCommand } = operationRowOf(spec?.operation ?? '');
	if (ownCommand?.output === 'pane')
		screenStore.setState(withViewChosen(screenStore.getState(), 'output'), true);
}

/** Asks the commands to end whose output is shown. Returns false if none runs. */
export function endShownCommands({
	commandRunner,
	say,
}: Pick<HandlerDeps, 'commandRunner' | 'say'>): boolean {
	const count = commandRunner?.endShown() ?? 0;
	if (count > 0) say(`Asked ${count === 1 ? 'the command' : `${count} commands`} to end`);
	return count > 0;
}

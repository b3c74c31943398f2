import { expect, test } from 'vitest';
import { endCommands } from '../../source/monitor/actions/operations.ts';
import type { ActionContext } from '../../source/views/scene.ts';
import { createHeldClock } from '../held-clock.ts';

test('the key that ends commands does not quit just after the last one has ended, but says so', () => {
	const clock = createHeldClock();
	const said: unknown[] = [];
	const commandRuns: { endedAt: number }[] = [];
	const exitSummary = () => ({ sent: [], running: [], unknown: [], dropped: [] });
	const context = {
		commandRunner: { endShown: () => 1 - commandRuns.length },
		sessions: { operations: { state: () => ({ commandRuns }), exitSummary } },
		screenStore: { getState: () => ({}) },
		terminal: { end: () => said.push('quit') },
		clock,
		say: (notice: unknown) => said.push(notice),
	} as unknown as ActionContext;
	endCommands(context);
	commandRuns.push({ endedAt: clock.now() });
	endCommands(context);
	clock.move(3_000);
	endCommands(context);
	expect(said).toEqual([
		'Asked the command to end',
		'The command has ended. Press the key again in 3 s to quit',
		'quit',
	]);
});

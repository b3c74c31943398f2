import { expect, test } from 'vitest';
import type { CommandRun } from '../../source/operations/command-runner.ts';
import { endCommands } from '../../source/views/actions/operations.ts';
import type { ActionContext } from '../../source/views/scene.ts';
import { createHeldClock } from '../held-clock.ts';

/** Presses the key that ends commands while one runs. */
function openCommand() {
	const clock = createHeldClock();
	const said: unknown[] = [];
	const commandRuns: CommandRun[] = [];
	let running = 1;
	const exitSummary = () => ({ sent: [], running: [], unknown: [], dropped: [] });
	const context = {
		commandRunner: { endShown: () => running },
		sessions: { operations: { state: () => ({ commandRuns }), exitSummary } },
		screenStore: { getState: () => ({}) },
		terminal: { end: () => said.push('quit') },
		clock,
		say: (notice: unknown) => said.push(notice),
	} as unknown as ActionContext;
	const end = () => {
		running = 0;
		const startedAt = clock.now();
		const run = { key: 'k', label: 'tool', computer: 'nova', startedAt, endedAt: startedAt };
		commandRuns.push({ ...run, lines: [], droppedLines: 0 });
	};
	return { clock, said, end, press: () => endCommands(context) };
}

test('the key that ends a command does not quit right after the end, but says so, and quits later', () => {
	const { clock, said, press, end } = openCommand();
	press();
	end();
	press();
	clock.move(3_000);
	press();
	expect(said).toEqual([
		'Asked the command to end',
		'The command has ended. Press the key again in 3 s to quit',
		'quit',
	]);
});

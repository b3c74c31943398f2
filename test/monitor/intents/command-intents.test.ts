import { expect, test } from 'vitest';
import { createCommandEnding } from '../../../source/monitor/intents/command-intents.ts';
import type { HandlerDeps } from '../../../source/monitor/intents/intent-handlers.ts';
import type { CommandRun } from '../../../source/operations/command-runner.ts';
import type { Operations } from '../../../source/operations/operations.ts';
import { createHeldClock } from '../../held-clock.ts';

function openEnding() {
	const clock = createHeldClock();
	const notices: Parameters<HandlerDeps['say']>[0][] = [];
	let running = 1;
	const commandRuns: CommandRun[] = [];
	const endShownCommands = createCommandEnding({
		commandRunner: { endShown: () => running },
		operations: { state: () => ({ commandRuns }) } as unknown as Operations,
		say: notice => void notices.push(notice),
		clock,
	});
	const end = () => {
		running = 0;
		const startedAt = clock.now();
		const run = { key: 'k', label: 'tool', computer: 'nova', startedAt, endedAt: startedAt };
		commandRuns.push({ ...run, lines: [], droppedLines: 0 });
	};
	return { clock, notices, endShownCommands, end };
}

test('the key that ends a command does not quit right after the end, but says so, and then quits', () => {
	const { notices, endShownCommands, end } = openEnding();
	expect(endShownCommands()).toBe(true);
	end();
	expect(endShownCommands()).toBe(true);
	expect(notices).toEqual([
		'Asked the command to end',
		'The command has ended. Press the key again to quit',
	]);
	expect(endShownCommands()).toBe(false);
});

test('the key quits at once when the last command ended a while ago', () => {
	const { clock, notices, endShownCommands, end } = openEnding();
	end();
	clock.move(3_000);
	expect(endShownCommands()).toBe(false);
	expect(notices).toEqual([]);
});

import { expect, test } from 'vitest';
import type { CommandRun } from '../../../source/operations/command-runner.ts';
import { outputSections } from '../../../source/wording/views/output-text.ts';
import { theme } from '../../sample-theme.ts';

/** Returns the lines of a run as they are drawn. */
function linesOf(run: Partial<CommandRun>) {
	const runs: CommandRun[] = [
		{
			...{ key: 'k', label: 'ping', computer: 'nova', startedAt: 0, lines: [], droppedLines: 0 },
			...run,
		},
	];
	const options = { commandRuns: runs, now: 3_000, width: 80, theme };
	return outputSections(options)
		.flat()
		.flatMap(block =>
			block.type === 'lines'
				? block.lines
				: block.type === 'list'
					? Array.from({ length: block.count }, (_, index) => block.lineAt(index))
					: [],
		)
		.map(spans => spans.map(([text]) => text).join(''));
}

test('a command that took too long says so once', () => {
	const problem = 'took more than 2 s and was ended';
	const [heading, ...others] = linesOf({ endedAt: 2_000, ending: 'timedOut', problem });
	expect(heading).toContain(`─ ${problem} ─`);
	expect(others).toEqual([' It printed nothing.']);
});

test('a command that did not start says why, instead of that it printed nothing', () => {
	const problem = 'did not start: there is no such program';
	const [heading, ...others] = linesOf({ endedAt: 0, ending: 'notStarted', problem });
	expect(heading).toContain('─ did not start ─');
	expect(others).toEqual([' It did not start: there is no such program.']);
});

test('a command that ended says how and after how long', () => {
	const [heading, ...others] = linesOf({ endedAt: 2_000, ending: 'exited', lines: ['pong'] });
	expect(heading).toContain('─ ended with code 0 after 2 s ─');
	expect(others).toEqual([' pong']);
});

import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import type { OwnCommand } from '../../source/fleet/operations/operation-row.ts';
import type { Spawn } from '../../source/foundation/children.ts';
import {
	type CommandRun,
	createCommandOutput,
	createCommandRunner,
	type OutputLines,
} from '../../source/operations/command-runner.ts';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createHeldClock } from '../held-clock.ts';

function openRunner() {
	const clock = createHeldClock();
	// Nobody presses Enter here.
	const unattended: Spawn = (file, args, options) =>
		spawn(file, args, options.stdio === 'inherit' ? { ...options, stdio: 'ignore' } : options);
	const effects = { spawn: unattended, kill: process.kill.bind(process), clock };
	let runs: readonly CommandRun[] = [];
	const runner = createCommandRunner(effects, { PATH: process.env['PATH'] }, next => {
		runs = next;
	});
	return { clock, runner, runs: () => runs };
}

type Runner = ReturnType<typeof openRunner>['runner'];

const target = { key: 'k', computer: 'nova' };

/** Runs a script, and returns the message of its failure. */
function runScript(
	runner: Runner,
	script: string,
	output: OwnCommand['output'],
	program: OwnCommand['program'] = { type: 'shell', script },
) {
	const rest = { phases: [], on: 'one', changes: true, confirm: 'wait' } as const;
	const command = { name: 'tool', label: 'tool', program, output, ...rest };
	const commandLine = { words: ['sh', '-c', script], variables: {} };
	return runner.run(command, target, commandLine).then(
		() => undefined,
		(error: unknown) => (error instanceof PlatformError ? error.failure : error),
	);
}

const pause = () => new Promise(resolve => setTimeout(resolve, 5));

async function until(isTrue: () => boolean) {
	while (!isTrue()) await pause();
}

test('a command without output succeeds with code 0, and otherwise fails with its code and its last line of stderr', async () => {
	const { runner, runs } = openRunner();
	expect(await runScript(runner, 'echo hidden', 'none')).toBeUndefined();
	expect(await runScript(runner, 'echo first >&2; echo last >&2; exit 4', 'none')).toMatchObject({
		message: 'ended with code 4: last',
		isOutcomeUnknown: false,
	});
	expect(runs()).toEqual([]);
});

test('the output of a command is kept with its ending, and the command can be asked to end', async () => {
	const { runner, clock, runs } = openRunner();
	const failure = runScript(runner, 'echo one; echo two >&2; exec sleep 60', 'pane');
	await until(() => {
		clock.move(100);
		return runs()[0]?.lines.length === 2;
	});
	const [run] = runs();
	expect(run).toMatchObject({ key: 'k', label: 'tool', computer: 'nova' });
	expect(run).not.toHaveProperty('endedAt');
	expect(run?.lines.toSorted()).toEqual(['one', 'two']);
	expect(runner.endShown()).toBe(1);
	expect(await failure).toMatchObject({ message: 'was ended by you: two' });
	expect(runs()[0]).toMatchObject({ problem: 'was ended by you' });
	expect(runner.endShown()).toBe(0);
});

test('closing ends all commands, whose outcome is then unknown, and no other command is started', async () => {
	const { runner, runs } = openRunner();
	const failure = runScript(runner, 'exec sleep 60', 'none');
	await runner.close();
	expect(await failure).toMatchObject({
		message: 'was ended, because crowsnest was closed',
		isOutcomeUnknown: true,
	});
	expect(await runScript(runner, 'echo late', 'pane')).toMatchObject({ kind: 'cancelled' });
	expect(runs()).toEqual([]);
});

test('only one command at a time has the terminal, and a command fails if there is no terminal', async () => {
	const { runner } = openRunner();
	expect(await runScript(runner, 'true', 'terminal')).toMatchObject({
		message: 'did not start: no terminal',
	});
	const steps: string[] = [];
	runner.attachTerminal(async work => {
		steps.push('lent');
		await work(() => steps.push('restored'));
		steps.push('taken back');
	});
	await Promise.all([runScript(runner, 'true', 'terminal'), runScript(runner, ':', 'terminal')]);
	expect(steps).toEqual(['lent', 'taken back', 'lent', 'taken back']);
});

test('of a shell, only the code of ssh itself is a failure, and not that of the last command in it', async () => {
	const { runner } = openRunner();
	runner.attachTerminal(work => work(() => {}));
	const end = (code: number) => runScript(runner, `exit ${code}`, 'terminal', { type: 'ssh' });
	for (const code of [0, 1, 130]) expect(await end(code)).toBeUndefined();
	expect(await end(255)).toMatchObject({ message: 'ended with code 255' });
	expect(await runScript(runner, 'exit 1', 'terminal')).toMatchObject({
		message: 'ended with code 1',
	});
});

function openOutput() {
	const clock = createHeldClock();
	const reports: OutputLines[] = [];
	const output = createCommandOutput(clock, lines => void reports.push(lines));
	return { clock, reports, output, linesNow: () => reports.at(-1)?.lines };
}

test('lines are cleaned, tabs become spaces, and a carriage return begins the line again', () => {
	const { output, linesNow } = openOutput();
	output.add('\u001B[31mred\u001B[0m\u001B]0;title\u0007 end\n\tindented\r\n');
	output.add('10 %\r50 %\r100 %\nunfin');
	output.add('ished, bell\u0007\u202E\nmore');
	output.report();
	expect(linesNow()).toEqual(['red end', '    indented', '100 %', 'unfinished, bell', 'more']);
});

test('a command that writes all the time is reported ten times a second', () => {
	const { output, clock, reports } = openOutput();
	for (let step = 0; step < 1_000; step += 1) {
		output.add('y\n');
		clock.move(1);
	}
	expect(reports).toHaveLength(10);
});

test('only the last lines of a long output are kept, and the number of dropped lines is known', () => {
	const { output, reports } = openOutput();
	for (let line = 1; line <= 40; line += 1) output.add(`${line}\n`.repeat(1_000));
	output.report();
	expect(reports.at(-1)?.lines).toHaveLength(10_000);
	expect(reports.at(-1)?.lines.at(-1)).toBe('40');
	expect(reports.at(-1)?.droppedLines).toBe(30_000);
	const long = openOutput();
	long.output.add(`${'x'.repeat(9_000)}\n`);
	long.output.report();
	expect(long.linesNow()).toEqual(['x'.repeat(1_000)]);
});

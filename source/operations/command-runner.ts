import type { CommandLine, OwnCommand } from '../fleet/operations/operation-row.ts';
import {
	type ChildEffects,
	type ChildEnding,
	type ChildResult,
	childProblemText,
	type Environment,
	runChild,
} from '../foundation/children.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { cleanLine, cleanText } from '../platform/decoding/clean.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import type { LentWork } from '../terminal/process/life.ts';

export type CommandRun = OutputLines & {
	key: string;
	label: string;
	computer: string;
	startedAt: number;
	endedAt?: number;
	problem?: string;
	ending?: ChildEnding['kind'];
};

/** `work` may restore the terminal when a program has ended. */
export type LendTerminal = (work: LentWork) => Promise<void>;

export type CommandRunner = ReturnType<typeof createCommandRunner>;

type Target = Pick<CommandRun, 'key' | 'label' | 'computer'>;

type Started = Parameters<typeof runChild>[0] & { signal: AbortSignal; isShell: boolean };

const maxRuns = 20;
const maxClosingMs = 500;

/** `onRuns` gets the last of those that have a view for their output. */
export function createCommandRunner(
	effects: ChildEffects,
	environment: Environment,
	onRuns: (runs: readonly CommandRun[]) => void,
) {
	const { clock } = effects;
	let runs: readonly CommandRun[] = [];
	const running = new Set<{ end: AbortController; isShown: boolean; ended: Promise<unknown> }>();
	let lendTerminal: LendTerminal | undefined;
	let terminalIsFree: Promise<unknown> = Promise.resolve();
	let isClosing = false;

	function setRuns(next: readonly CommandRun[]) {
		runs = next;
		onRuns(runs);
	}

	const update = (key: string, change: Partial<CommandRun>) =>
		setRuns(runs.map(each => (each.key === key ? { ...each, ...change } : each)));

	async function runShown(started: Started, target: Target): Promise<ChildResult> {
		const oldest = runs.find(({ endedAt }) => endedAt !== undefined);
		const kept = runs.length < maxRuns ? runs : runs.filter(each => each !== oldest);
		setRuns([...kept, { ...target, startedAt: clock.now(), lines: [], droppedLines: 0 }]);
		const output = createCommandOutput(clock, lines => update(target.key, lines));
		const result = await runChild({ ...started, onOutput: output.add }, effects);
		output.report();
		update(target.key, {
			endedAt: clock.now(),
			ending: result.ending.kind,
			problem: commandProblemText(result, isClosing),
		});
		return result;
	}

	async function runInTerminal(started: Started, { label }: Target): Promise<ChildResult> {
		const lend = lendTerminal;
		if (!lend) return { ...nothingRan, ending: { kind: 'notStarted', reason: 'no terminal' } };
		let result: ChildResult = { ...nothingRan, ending: { kind: 'aborted' } };
		const work = terminalIsFree.then(() =>
			lend(async restore => {
				const lent = { ...started, input: undefined, terminal: 'all' } as const;
				result = await runChild(lent, effects);
				// Any other code is that of the last command in the shell.
				const { ending } = result;
				if (started.isShell && ending.kind === 'exited' && ending.code !== failureOfSsh)
					result.ending = { kind: 'exited', code: 0 };
				const problem = commandProblemText(result, isClosing);
				if (problem === undefined || started.signal.aborted) return;
				// A killed command may have left the terminal raw, where Enter would not be one.
				restore();
				// The returning screen would hide the last output.
				const text = `${label} ${problem}. Press Enter to return to crowsnest. `;
				const command = [...waitForEnter, text];
				await runChild({ ...lent, command, timeoutMs: undefined }, effects);
			}),
		);
		terminalIsFree = work.catch(() => {});
		await work;
		return result;
	}

	const startedBy = {
		pane: runShown,
		terminal: runInTerminal,
		none: (started: Started) => runChild(started, effects),
	};

	return {
		async run(
			{ label, output, timeoutMs, program }: OwnCommand,
			target: { key: string; computer: string },
			{ words, variables, input }: CommandLine,
		): Promise<void> {
			if (isClosing)
				throw new PlatformError(createFailure('cancelled', 'crowsnest is being closed'));
			const end = new AbortController();
			const { signal } = end;
			const isShell = program.type === 'ssh';
			const child = { command: words, variables, input, environment, timeoutMs, signal };
			const started = { ...child, isShell };
			const ended = startedBy[output](started, { ...target, label });
			const entry = { end, isShown: output === 'pane', ended };
			running.add(entry);
			const result = await ended.finally(() => running.delete(entry));
			const failure = failureOfChild(result, isClosing);
			if (failure) throw new PlatformError(failure);
		},
		endShown(): number {
			const shown = [...running].filter(({ isShown }) => isShown);
			for (const { end } of shown) end.abort();
			return shown.length;
		},
		attachTerminal(lend: LendTerminal) {
			lendTerminal = lend;
		},
		async close(): Promise<void> {
			isClosing = true;
			const all = [...running];
			for (const { end } of all) end.abort();
			if (all.length === 0) return;
			// One that ignores the request is killed when the process exits.
			let cancelTimer = () => {};
			const hasWaited = new Promise<void>(resolve => {
				cancelTimer = clock.after(maxClosingMs, resolve);
			});
			await Promise.race([hasWaited, Promise.allSettled(all.map(({ ended }) => ended))]);
			cancelTimer();
		},
	};
}

const failureOfSsh = 255;

const nothingRan = { stdout: '', stderr: '' };

// This program must not read the terminal while it is lent.
const waitForEnter = ['/bin/sh', '-c', 'printf "\\n%s" "$1"; read -r _', 'crowsnest'];

function commandProblemText({ ending }: ChildResult, isClosing: boolean): string | undefined {
	if (ending.kind !== 'aborted') return childProblemText(ending);
	return isClosing ? 'was ended, because crowsnest was closed' : 'was ended by you';
}

export function failureOfChild(result: ChildResult, isClosing: boolean): Failure | undefined {
	const problem = commandProblemText(result, isClosing);
	if (problem === undefined) return undefined;
	const lastLine = cleanText(result.stderr.trimEnd().split('\n').at(-1) ?? '', maxQuotedLength);
	const { kind } = result.ending;
	return createFailure('invalid', lastLine === '' ? problem : `${problem}: ${lastLine}`, {
		advice:
			kind === 'notStarted'
				? 'Install the program, or correct the command in the configuration.'
				: 'The exit code and the message come from the command itself.',
		// It may have done a part of its work.
		isOutcomeUnknown: kind === 'aborted' && isClosing,
	});
}

const maxQuotedLength = 200;

const maxKeptLines = 10_000;
const maxLineLength = 1_000;

const intervalMs = 100;

export type OutputLines = { lines: readonly string[]; droppedLines: number };

export function createCommandOutput(clock: Clock, onLines: (output: OutputLines) => void) {
	let lines: readonly string[] = [];
	let count = 0;
	let unfinished = '';
	let cancelTimer: (() => void) | undefined;

	function report() {
		cancelTimer?.();
		cancelTimer = undefined;
		lines = lines.slice(-maxKeptLines);
		const last = unfinished === '' ? [] : [drawableLine(unfinished)];
		onLines({ lines: [...lines, ...last], droppedLines: count - lines.length });
	}

	return {
		add(text: string) {
			const parts = `${unfinished}${text}`.split('\n');
			// A line may have no end.
			unfinished = (parts.pop() ?? '').slice(0, 2 * maxLineLength);
			lines = [...lines, ...parts.map(drawableLine)].slice(-maxKeptLines);
			count += parts.length;
			cancelTimer ??= clock.after(intervalMs, report);
		},
		report,
	};
}

function drawableLine(raw: string): string {
	// A carriage return goes back to the beginning, as a progress bar does.
	const visible = raw.replace(/\r+$/, '').split('\r').at(-1) ?? '';
	return cleanLine(visible.slice(0, maxLineLength).replaceAll('\t', '    ')).trimEnd();
}

import { createStore } from 'zustand/vanilla';
import type { CommandLine, OwnCommand } from '../fleet/operations/own-command.ts';
import {
	type ChildEffects,
	type ChildEnding,
	type ChildResult,
	type Environment,
	runChild,
} from '../foundation/children.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import type { LentWork } from '../terminal/process/job-control.ts';
import { createCommandOutput, type OutputLines } from './command-output.ts';

export type CommandRun = OutputLines & {
	key: string;
	label: string;
	computer: string;
	startedAt: number;
	endedAt?: number;
	problem?: string | undefined;
	ending?: ChildEnding['kind'];
};

/** Lends the terminal to other programs while `work` runs, which may restore it when one has ended. */
export type LendTerminal = (work: LentWork) => Promise<void>;

export type CommandRunner = ReturnType<typeof createCommandRunner>;

type Target = Pick<CommandRun, 'key' | 'label' | 'computer'>;

type Started = Parameters<typeof runChild>[0] & { signal: AbortSignal };

const maxRuns = 20;
const maxClosingMs = 500;

/** Runs own commands, and keeps the output of those that have a view for it. */
export function createCommandRunner(effects: ChildEffects, environment: Environment) {
	const { clock } = effects;
	const runs = createStore<readonly CommandRun[]>(() => []);
	const running = new Set<{ end: AbortController; isShown: boolean; ended: Promise<unknown> }>();
	let lendTerminal: LendTerminal | undefined;
	/** Only one command at a time can have the terminal. */
	let terminalIsFree: Promise<unknown> = Promise.resolve();
	let isClosing = false;

	function update(key: string, change: Partial<CommandRun>) {
		runs.setState(
			runs.getState().map(each => (each.key === key ? { ...each, ...change } : each)),
			true,
		);
	}

	function show(run: CommandRun) {
		const others = runs.getState();
		const surplus = Math.max(0, others.length + 1 - maxRuns);
		const old = new Set(others.filter(({ endedAt }) => endedAt !== undefined).slice(0, surplus));
		runs.setState([...others.filter(each => !old.has(each)), run], true);
	}

	async function runShown(
		started: Started,
		{ key, computer, label }: Target,
	): Promise<ChildResult> {
		show({ key, label, computer, startedAt: clock.now(), lines: [], droppedLines: 0 });
		const output = createCommandOutput(clock, lines => update(key, lines));
		const result = await runChild({ ...started, onOutput: output.add }, effects);
		output.close();
		update(key, {
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
				const { signal } = started;
				const lent = { environment, terminal: 'all', signal } as const;
				result = await runChild({ ...started, input: undefined, terminal: 'all' }, effects);
				const problem = commandProblemText(result, isClosing);
				if (problem === undefined || signal.aborted) return;
				// A command that was killed may have left the terminal raw, and Enter would not be one.
				restore();
				// The returning screen would hide the last output, so it returns only when a person presses Enter.
				const text = `${label} ${problem}. Press Enter to return to crowsnest. `;
				await runChild({ ...lent, command: [...waitForEnter, text] }, effects);
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
		runs,
		/** Resolves when the program has ended without an error. Throws only `PlatformError`. */
		async run(
			{ label, output, timeoutMs }: OwnCommand,
			target: { key: string; computer: string },
			{ words, variables, input }: CommandLine,
		): Promise<void> {
			if (isClosing)
				throw new PlatformError(createFailure('cancelled', 'crowsnest is being closed'));
			const end = new AbortController();
			const { signal } = end;
			const started = { command: words, variables, input, environment, timeoutMs, signal };
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
			// A command that ignores the request to end is killed when the process exits.
			let cancelTimer = () => {};
			const hasWaited = new Promise<void>(resolve => {
				cancelTimer = clock.after(maxClosingMs, resolve);
			});
			await Promise.race([hasWaited, Promise.allSettled(all.map(({ ended }) => ended))]);
			cancelTimer();
		},
	};
}

const nothingRan = { stdout: '', stderr: '' };

// A shell waits for Enter instead of this program, which must not read the terminal while it is lent.
const waitForEnter = ['/bin/sh', '-c', 'printf "\\n%s" "$1"; read -r _', 'crowsnest'];

function commandProblemText({ ending }: ChildResult, isClosing: boolean): string | undefined {
	switch (ending.kind) {
		case 'exited':
			return ending.code === 0 ? undefined : `ended with code ${ending.code}`;
		case 'killed':
			return `ended by ${ending.signal}`;
		case 'notStarted':
			return `did not start: ${ending.reason}`;
		case 'timedOut':
			return `took more than ${durationText(ending.timeoutMs)} and was ended`;
		case 'aborted':
			return isClosing ? 'was ended, because crowsnest was closed' : 'was ended by you';
	}
}

export function failureOfChild(result: ChildResult, isClosing: boolean): Failure | undefined {
	const problem = commandProblemText(result, isClosing);
	if (problem === undefined) return undefined;
	const lastLine = cleanText(result.stderr.trimEnd().split('\n').at(-1) ?? '', maxQuotedLength);
	const { kind } = result.ending;
	return createFailure('invalid', lastLine === '' ? problem : `${problem}: ${lastLine}`, {
		advice:
			kind === 'notStarted'
				? 'Correct the command in the configuration.'
				: 'The exit code and the message come from the command itself.',
		// The outcome of a command that a signal ended is unknown, because it may have done a part of its work.
		isOutcomeUnknown: kind === 'aborted' && isClosing,
	});
}

const maxQuotedLength = 200;

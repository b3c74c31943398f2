import type { Section } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import { durationText } from '../../foundation/duration.ts';
import type { Theme } from '../../lines/theme.ts';
import type { CommandRun } from '../../operations/command-runner.ts';

//  Output                                                              1 running, 1 ended
//  ─ ping on atlas ──────────────────────────────────────── ended with code 7 after 2.4 s ─
//   PING 10.0.0.1 (10.0.0.1) 56(84) bytes of data.
//   no route to host
//  ─ ping on nova ─────────────────────────────────────────────────────── running for 3 s ─
//   PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.

type OutputOptions = {
	commandRuns: readonly CommandRun[];
	now: number;
	width: number;
	theme: Theme;
};

export function outputTitle({ commandRuns }: OutputOptions): readonly [Span[], Span[]] {
	const running = commandRuns.filter(({ endedAt }) => endedAt === undefined).length;
	const ended = commandRuns.length - running;
	const counts = [
		...(running > 0 ? [`${running} running`] : []),
		...(ended > 0 ? [`${ended} ended`] : []),
	];
	return [[['Output', 'strong']], [[` ${counts.join(', ')} `, 'faint']]];
}

/** Returns the output of all runs. Each run has a line above its output. */
export function outputSections(options: OutputOptions): readonly Section[] {
	const { commandRuns } = options;
	if (commandRuns.length === 0)
		return [[{ type: 'lines', lines: [[[' No command with an output has run yet.', 'faint']]] }]];
	return [commandRuns.flatMap(run => blocksOf(run, options))];
}

function blocksOf(run: CommandRun, options: OutputOptions): Section {
	const { lines, droppedLines, endedAt } = run;
	const dropped: Section =
		droppedLines > 0
			? [{ type: 'lines', lines: [[[` … ${droppedLines} earlier lines were dropped`, 'faint']]] }]
			: [];
	const isSilent = lines.length === 0 && endedAt !== undefined;
	const silence: Section = isSilent
		? [{ type: 'lines', lines: [[[silenceText(run), 'faint']]] }]
		: [];
	const output = {
		type: 'list',
		count: lines.length,
		lineAt: (index: number): readonly Span[] => [[` ${lines[index] ?? ''}`]],
	} as const;
	return [{ type: 'lines', lines: [headingOf(run, options)] }, ...dropped, output, ...silence];
}

/** Says why there is no output. */
const silenceText = ({ ending, problem }: CommandRun) =>
	ending === 'notStarted' ? ` It ${problem}.` : ' It printed nothing.';

/** Returns the line above the output of a run. */
function headingOf(run: CommandRun, { now, width, theme }: OutputOptions): readonly Span[] {
	const { rule } = theme.glyphs;
	const name = ` ${run.label} on ${run.computer} `;
	const state = stateSpanOf(run, now);
	const line = Math.max(1, Math.min(width, maxHeadingWidth) - name.length - state[0].length - 6);
	return [
		[` ${rule}`, 'faint'],
		[name, 'strong'],
		[`${rule.repeat(line)} `, 'faint'],
		state,
		[` ${rule}`, 'faint'],
	];
}

// The width of the line above the output if there is no width to fill, as in speech.
const maxHeadingWidth = 300;

function stateSpanOf({ startedAt, endedAt, ending, problem }: CommandRun, now: number): Span {
	if (endedAt === undefined) return [`running for ${durationText(now - startedAt)}`, 'busy'];
	if (ending === 'notStarted') return ['did not start', 'bad'];
	// The text of this problem already contains the time.
	if (ending === 'timedOut' && problem !== undefined) return [problem, 'bad'];
	const tookMs = endedAt - startedAt;
	const took = tookMs < 1000 ? '' : ` after ${durationText(tookMs)}`;
	return problem === undefined
		? [`ended with code 0${took}`, 'good']
		: [`${problem}${took}`, 'bad'];
}

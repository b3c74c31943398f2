import { durationText } from '../foundation/duration.ts';
import { line } from '../lines/line.ts';
import { justify, ruleFill, type Span, widthOf } from '../lines/span.ts';
import type { CommandRun } from '../operations/command-runner.ts';
import type { NamedView, Scene, ViewLine } from './scene.ts';

//  Output                                                              1 running, 1 ended
//  ─ ping on atlas ──────────────────────────────────────── ended with code 7 after 2.4 s ─
//   PING 10.0.0.1 (10.0.0.1) 56(84) bytes of data.
//   no route to host

export const output: NamedView = {
	title({ operationsState: { commandRuns } }) {
		const running = commandRuns.filter(({ endedAt }) => endedAt === undefined).length;
		const ended = commandRuns.length - running;
		const counts = [running > 0 ? `${running} running` : '', ended > 0 ? `${ended} ended` : ''];
		return [[['Output', 'strong']], [[` ${counts.filter(Boolean).join(', ')} `, 'faint']]];
	},
	lines(scene) {
		const { commandRuns } = scene.operationsState;
		if (commandRuns.length > 0) return commandRuns.flatMap(run => linesOf(run, scene));
		return [line(['No command with an output has run yet.', 'faint'])];
	},
	records: () => [],
};

function linesOf(run: CommandRun, { now, width }: Scene): readonly ViewLine[] {
	const { lines, droppedLines, endedAt, ending, problem } = run;
	const name = `${run.label} on ${run.computer}`;
	const state = stateOf(run, now);
	const left: readonly Span[] = [
		[' ─', 'faint'],
		[` ${name} `, 'strong'],
	];
	const right: readonly Span[] = [[' ', 'faint'], state, [' ─', 'faint']];
	const needed = widthOf(left) + widthOf(right) + 1;
	const cells = width === Infinity ? needed : Math.max(needed, width - 1);
	const silence = ending === 'notStarted' ? `It ${problem}.` : 'It printed nothing.';
	return [
		{ spans: justify(left, right, cells, ruleFill), spoken: `${name} ${state[0]}` },
		...(droppedLines > 0 ? [line([`… ${droppedLines} earlier lines were dropped`, 'faint'])] : []),
		...lines.map((text): ViewLine => ({ spans: [[` ${text}`]], spoken: text })),
		...(lines.length === 0 && endedAt !== undefined ? [line([silence, 'faint'])] : []),
	];
}

function stateOf({ startedAt, endedAt, ending, problem }: CommandRun, now: number): Span {
	if (endedAt === undefined) return [`running for ${durationText(now - startedAt)}`, 'busy'];
	if (ending === 'notStarted') return ['did not start', 'bad'];
	// The text of this problem already contains the time.
	if (ending === 'timedOut' && problem !== undefined) return [problem, 'bad'];
	const ms = endedAt - startedAt;
	const took = ms < 1000 ? '' : ` after ${durationText(ms)}`;
	return problem === undefined
		? [`ended with code 0${took}`, 'good']
		: [`${problem}${took}`, 'bad'];
}

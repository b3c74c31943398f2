import { durationText } from '../foundation/duration.ts';
import { line } from '../lines/line.ts';
import { cellsOf } from '../lines/measure.ts';
import type { Span } from '../lines/span.ts';
import type { CommandRun } from '../operations/command-runner.ts';
import type { Scene } from './scene.ts';
import type { View, ViewLine } from './view.ts';

//  Output                                                              1 running, 1 ended
//  ─ ping on atlas ──────────────────────────────────────── ended with code 7 after 2.4 s ─
//   PING 10.0.0.1 (10.0.0.1) 56(84) bytes of data.
//   no route to host
//  ─ ping on nova ─────────────────────────────────────────────────────── running for 3 s ─
//   PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.

export const output: View = {
	title({ operationsState: { commandRuns } }) {
		const running = commandRuns.filter(({ endedAt }) => endedAt === undefined).length;
		const ended = commandRuns.length - running;
		const counts = [
			...(running > 0 ? [`${running} running`] : []),
			...(ended > 0 ? [`${ended} ended`] : []),
		];
		return [[['Output', 'strong']], [[` ${counts.join(', ')} `, 'faint']]];
	},
	lines(scene) {
		const { commandRuns } = scene.operationsState;
		if (commandRuns.length === 0)
			return [line(['No command with an output has run yet.', 'faint'])];
		return commandRuns.flatMap(run => linesOf(run, scene));
	},
};

function linesOf(run: CommandRun, scene: Scene): readonly ViewLine[] {
	const { lines, droppedLines, endedAt, ending, problem } = run;
	const dropped = `… ${droppedLines} earlier lines were dropped`;
	const silence = ending === 'notStarted' ? `It ${problem}.` : 'It printed nothing.';
	return [
		headingOf(run, scene),
		...(droppedLines > 0 ? [line([dropped, 'faint'])] : []),
		// Speech reads the output as it is.
		...lines.map((text): ViewLine => ({ spans: [[` ${text}`]], spoken: text })),
		...(lines.length === 0 && endedAt !== undefined ? [line([silence, 'faint'])] : []),
	];
}

function headingOf(run: CommandRun, { now, width }: Scene): ViewLine {
	const name = ` ${run.label} on ${run.computer} `;
	const state = stateOf(run, now);
	const rest = width === Number.POSITIVE_INFINITY ? 1 : width - cellsOf(name + state[0]) - 6;
	return {
		spans: [
			[' ─', 'faint'],
			[name, 'strong'],
			[`${'─'.repeat(Math.max(1, rest))} `, 'faint'],
			state,
			[' ─', 'faint'],
		],
		spoken: `${name.trim()} ${state[0]}`,
	};
}

function stateOf({ startedAt, endedAt, ending, problem }: CommandRun, now: number): Span {
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

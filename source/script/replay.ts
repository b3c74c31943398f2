import { promises } from 'node:stream';
import { parseDuration } from '../foundation/duration.ts';
import { hasCode, UsageError } from '../foundation/error.ts';
import { newChangesBetween, type Timeline } from '../journal/timeline.ts';
import type { Host } from '../session/host.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { outputError } from './command.ts';
import { changeRecord } from './json-records.ts';
import { eventLine } from './watch-events.ts';

/** A time of day, a date with a time, or a duration after the start. */
export function replayStartFrom(text: string, start: number, end: number): number {
	const duration = parseDuration(text);
	const pattern = /^(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{1,2}:\d{2}(?::\d{2})?)$/;
	const [, date, clock = ''] = pattern.exec(text) ?? [];
	// A time without a date is the first one in the recording. The Swedish form of a local date is that of ISO 8601.
	const dates = [start, start + 86_400_000].map(at => new Date(at).toLocaleDateString('sv'));
	const times =
		duration === undefined
			? (date ? [date] : dates).map(each => Date.parse(`${each}T${clock.padStart(5, '0')}`))
			: [start + duration];
	if (times.some(Number.isNaN))
		throw new UsageError("--from takes a time such as 08:14, '2026-11-21 08:14' or 90m");
	// A time without seconds names a whole minute, and the recording may start within that minute.
	const time = times.find(at => at > start - 60_000 && at <= end);
	if (time === undefined) throw new UsageError(`--from ${text} is outside the recording`);
	return Math.max(time, start);
}

/** Waits while the program that reads the output is slow, and stops when it closes the pipe, as `head` does. */
export async function printReplay(
	{ program }: Host,
	timeline: Timeline,
	startAt: number,
	/** If the recording has several accounts. */
	labels?: ReadonlyMap<string, string>,
): Promise<void> {
	function* lines() {
		const first = timeline.factCountAt(startAt - 1);
		let before = timeline.stateAfter(first);
		for (let count = first + 1; count <= timeline.factCount; count += 1) {
			const state = timeline.stateAfter(count);
			for (const change of newChangesBetween(before, state, labels))
				yield `${cleanForTerminal(eventLine(changeRecord(change)))}\n`;
			before = state;
		}
	}
	await promises.pipeline(lines, program.stdout, { end: false }).catch(error => {
		if (!hasCode(error, 'EPIPE')) throw outputError(error.message);
	});
}

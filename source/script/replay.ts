import { promises } from 'node:stream';
import { parseDuration } from '../foundation/duration.ts';
import { hasCode, UsageError } from '../foundation/error.ts';
import { newChangesBetween, type Timeline } from '../journal/timeline.ts';
import type { Host } from '../session/host.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { outputError } from './command.ts';
import { eventLine, eventOf } from './watch-events.ts';

/** A time of day, a date with a time, or a duration after the start. */
export function replayStartFrom(text: string, start: number, end: number): number {
	const time = timeAfterStart(text, start) ?? timeOfDay(text, start) ?? timeOnDate(text);
	if (time === undefined) {
		throw new UsageError("--from takes a time such as 08:14, '2026-11-21 08:14' or 90m");
	}
	if (time >= start && time <= end) return time;
	throw new UsageError(`--from ${text} is outside the recording`);
}

function timeAfterStart(text: string, start: number): number | undefined {
	const length = parseDuration(text);
	return length === undefined ? undefined : start + length;
}

/** The first one at or after the start of the recording. */
function timeOfDay(text: string, start: number): number | undefined {
	const [, hours, minutes, seconds = '0'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
	if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) {
		return undefined;
	}
	const date = new Date(start);
	// A time without seconds names a whole minute, and the recording may start within that minute.
	const time = date.setHours(Number(hours), Number(minutes), Number(seconds), 0);
	if (time >= start) return time;
	return start - time < 60_000 ? start : date.setDate(date.getDate() + 1);
}

function timeOnDate(text: string): number | undefined {
	if (!/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2})?$/.test(text)) return undefined;
	const time = Date.parse(text.replace(' ', 'T'));
	return Number.isNaN(time) ? undefined : time;
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
				yield `${cleanForTerminal(eventLine(eventOf(change)))}\n`;
			before = state;
		}
	}
	await promises.pipeline(lines, program.stdout, { end: false }).catch(error => {
		if (!hasCode(error, 'EPIPE')) throw outputError(error.message);
	});
}

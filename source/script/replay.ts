import { newChanges, type Timeline } from '../recording/timeline.ts';
import type { Host } from '../session/host.ts';
import { durationFrom } from '../shell/duration.ts';
import { UsageError } from '../shell/errors.ts';
import { cleanForTerminal } from '../terminal/escape-sequences.ts';
import { eventLine } from './event-line.ts';

/** When in a recording that is: a time of day, a day and a time, or so long after its begin. */
export function replayStart(text: string, start: number, end: number): number {
	const time = sinceBegin(text, start) ?? ofDay(text, start) ?? onDay(text);
	if (time === undefined) {
		throw new UsageError("--from takes a time such as 08:14, '2026-11-21 08:14' or 90m");
	}
	if (time >= start && time <= end) return time;
	throw new UsageError(`--from ${text} is not within the recording`);
}

function sinceBegin(text: string, start: number): number | undefined {
	const length = durationFrom(text);
	return length === undefined ? undefined : start + length;
}

/** The first time after the begin that a clock showed that. */
function ofDay(text: string, start: number): number | undefined {
	const [, hours, minutes, seconds = '0'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
	if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) {
		return undefined;
	}
	const date = new Date(start);
	// A minute that has begun is meant from its begin on.
	const time = date.setHours(Number(hours), Number(minutes), Number(seconds), 0);
	if (time >= start) return time;
	return start - time < 60_000 ? start : date.setDate(date.getDate() + 1);
}

function onDay(text: string): number | undefined {
	if (!/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2})?$/.test(text)) return undefined;
	const time = Date.parse(text.replace(' ', 'T'));
	return Number.isNaN(time) ? undefined : time;
}

/** What happened in a recording, a line a change, as fast as it is read. */
export async function printReplay({ program }: Host, reel: Timeline, from: number): Promise<void> {
	const { stdout } = program;
	const reader = new AbortController();
	// Nobody reads any more, as when `head` has seen enough.
	stdout.on('error', () => reader.abort());
	const first = reel.countAt(from - 1);
	let before = reel.after(first);
	for (let count = first + 1; count <= reel.length && !reader.signal.aborted; count += 1) {
		const state = reel.after(count);
		const lines = newChanges(before, state).map(eventLine).map(cleanForTerminal);
		const text = lines.map(line => `${line}\n`).join('');
		if (text !== '' && !stdout.write(text)) await roomIn(stdout, reader.signal);
		before = state;
	}
}

function roomIn(stdout: Host['program']['stdout'], signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		stdout.once('drain', resolve);
		signal.addEventListener('abort', () => resolve(), { once: true });
		if (signal.aborted) resolve();
	});
}

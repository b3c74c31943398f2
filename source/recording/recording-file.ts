import { readFile, stat } from 'node:fs/promises';
import { fileErrorText } from '../fleet/error.ts';
import type { Clean } from './field.ts';
import {
	entryFrom,
	headerFrom,
	type RecordingEntry,
	type RecordingHeader,
} from './recording-line.ts';

/** A recording from a file. The file may come from another person, so every line was checked. */
export type Recording = {
	header: RecordingHeader;
	/** When each fact became known, oldest first. There is at least one. */
	times: readonly number[];
	entryAt(place: number): RecordingEntry;
	/** Why the recording ends before the end of its file. */
	flaw?: string;
};

const bytesAtMost = 400_000_000;

/** The recording in a file, or a message that says why it cannot be shown. */
export async function readRecording(path: string, clean: Clean): Promise<Recording | string> {
	try {
		const { size } = await stat(path);
		if (size > bytesAtMost) return `the file is too large: ${Math.round(size / 1e6)} MB`;
		return recordingFrom(await readFile(path, 'utf8'), clean);
	} catch (error) {
		return fileErrorText(error);
	}
}

export function recordingFrom(content: string, clean: Clean): Recording | string {
	const [first = '', ...lines] = content.split('\n');
	const header = headerFrom(first, clean);
	if (typeof header === 'string') return `line 1: ${header}`;
	if (lines.at(-1) === '') lines.pop();
	const times: number[] = [];
	for (const line of lines) {
		const time = entryFrom(line, clean)?.time;
		if (time === undefined || time < (times.at(-1) ?? -Infinity)) break;
		times.push(time);
	}
	const isWhole = times.length === lines.length;
	const isLast = times.length === lines.length - 1;
	const place = `line ${times.length + 2}`;
	const flaw = isLast
		? `${place} is cut short`
		: `${place} cannot be read, so the recording ends there`;
	if (times.length === 0) return isWhole ? 'the recording is empty' : flaw;
	// The lines stay text, because parsed values would take many times as much memory.
	const entryAt = (at: number) => {
		const entry = entryFrom(lines[at] ?? '', clean);
		if (!entry) throw new RangeError(`there is no entry ${at}`);
		return entry;
	};
	return { header, times, entryAt, ...(!isWhole && { flaw }) };
}

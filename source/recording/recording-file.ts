import { readFile, stat } from 'node:fs/promises';
import { fileErrorText } from '../journal/file-error.ts';
import type { Clean } from './field.ts';
import {
	entryFrom,
	headerFrom,
	type RecordingEntry,
	type RecordingHeader,
} from './recording-line.ts';

/** A recording as it was read from its file. It is somebody else's: every line was looked at. */
export type Recording = {
	header: RecordingHeader;
	/** When each of its facts became known, oldest first; at least one. */
	times: readonly number[];
	entryAt(place: number): RecordingEntry;
	/** Why it ends before its file does. */
	flaw?: string;
};

const bytesAtMost = 400_000_000;

/** The recording in a file, or in words why it cannot be shown. */
export async function readRecording(path: string, clean: Clean): Promise<Recording | string> {
	try {
		const { size } = await stat(path);
		if (size > bytesAtMost) return `it is too large: ${Math.round(size / 1e6)} MB`;
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
	const flaw = isLast ? `${place} is cut short` : `${place} cannot be read, and it ends there`;
	if (times.length === 0) return isWhole ? 'nothing was recorded in it' : flaw;
	// Kept as they were written: a long recording takes many times as much as values.
	const entryAt = (at: number) => {
		const entry = entryFrom(lines[at] ?? '', clean);
		if (!entry) throw new RangeError(`there is no entry ${at}`);
		return entry;
	};
	return { header, times, entryAt, ...(!isWhole && { flaw }) };
}

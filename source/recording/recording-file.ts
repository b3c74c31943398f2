import { readFile, stat } from 'node:fs/promises';
import { fileErrorText } from '../fleet/error.ts';
import {
	type CleanText,
	entryFrom,
	headerFrom,
	type RecordingEntry,
	type RecordingHeader,
} from './recording-line.ts';

/** A recording that was read from a file. The file may come from another person, so every line is validated. */
export type Recording = {
	header: RecordingHeader;
	/** The time of each fact, oldest first. There is at least one fact. */
	times: readonly number[];
	entryAt(index: number): RecordingEntry;
	/** Why the recording ends before the end of its file; absent if it does not. */
	earlyEndReason?: string;
};

const maxFileBytes = 400_000_000;

/** Returns the recording in a file, or a message that says why it cannot be shown. */
export async function readRecording(path: string, clean: CleanText): Promise<Recording | string> {
	try {
		const { size } = await stat(path);
		if (size > maxFileBytes) return `the file is too large: ${Math.round(size / 1e6)} MB`;
		return recordingFrom(await readFile(path, 'utf8'), clean);
	} catch (error) {
		return fileErrorText(error);
	}
}

export function recordingFrom(content: string, clean: CleanText): Recording | string {
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
	// The lines are kept as text and parsed when needed, because parsed values would take many times as much
	// memory.
	const entryAt = (at: number) => {
		const entry = entryFrom(lines[at] ?? '', clean);
		if (!entry) throw new RangeError(`there is no entry ${at}`);
		return entry;
	};
	return { header, times, entryAt, ...(!isWhole && { earlyEndReason: flaw }) };
}

import { readFile, stat } from 'node:fs/promises';
import { fileErrorText } from '../foundation/error.ts';
import {
	type CleanText,
	entryFrom,
	headerFrom,
	isFactOfNewerVersion,
	newerVersionText,
	type RecordingEntry,
	type RecordingHeader,
} from './recording-line.ts';

/** A recording that was read from a file. The file may come from another person, so every line is validated. */
export type Recording = {
	header: RecordingHeader;
	/** The time of each fact, oldest first. There is at least one fact. */
	times: readonly number[];
	entryAt(index: number): RecordingEntry;
	/** Why the recording cannot be shown exactly as it was recorded; absent if it can. */
	flaw?: string;
	/** Whether the rest of the file is damaged, so that the recording ends before the end of its file. */
	endsEarly: boolean;
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
	// The lines are kept as text and parsed when needed, because parsed values would take many times as much
	// memory.
	const known: string[] = [];
	const times: number[] = [];
	let readCount = 0;
	for (const line of lines) {
		const time = entryFrom(line, clean)?.time;
		if (time === undefined ? !isFactOfNewerVersion(line) : time < (times.at(-1) ?? -Infinity))
			break;
		readCount += 1;
		if (time === undefined) continue;
		known.push(line);
		times.push(time);
	}
	const endsEarly = readCount < lines.length;
	const flaw = endsEarly
		? earlyEndText(readCount + 2, lines.length - readCount)
		: skippedText(readCount - times.length);
	if (times.length === 0) {
		if (endsEarly) return flaw ?? '';
		return readCount > 0 ? newerVersionText : 'the recording is empty';
	}
	const entryAt = (at: number) => {
		const entry = entryFrom(known[at] ?? '', clean);
		if (!entry) throw new RangeError(`there is no entry ${at}`);
		return entry;
	};
	return { header, times, entryAt, endsEarly, ...(flaw !== undefined && { flaw }) };
}

function earlyEndText(line: number, unreadCount: number): string {
	return unreadCount === 1
		? `line ${line} is cut short`
		: `line ${line} cannot be read, so the recording ends there`;
}

function skippedText(count: number): string | undefined {
	if (count === 0) return undefined;
	const facts = count === 1 ? '1 fact is' : `${count} facts are`;
	return `${facts} left out, because only a newer version of crowsnest can show ${count === 1 ? 'it' : 'them'}`;
}

import {
	closeSync,
	constants,
	fchmodSync,
	fstatSync,
	ftruncateSync,
	openSync,
	unlinkSync,
	writeFileSync,
} from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import {
	isSameValue,
	type Reading,
	readingFields,
	readingSchema,
} from '../fleet/computers/computer.ts';
import { isSameStart } from '../fleet/computers/uptime.ts';
import { commonFactFields, type Fact, factTable, listNotes } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import { fileErrorText } from '../foundation/error.ts';
import * as v from '../foundation/schema.ts';
import { isObject, jsonFrom, validatorOf } from '../foundation/schema.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import type { FactListener } from '../store/store.ts';
import { createSecretFilter } from './secrets.ts';

// A recording is a header and a line for each fact. A list has only the differences from the previous list, so that an hour
// with 1,000 computers takes 25 MB, and not 270:
//
//  {"recording":1,"program":"0.1.0","at":1795248000000,"accounts":[{"account":"work"}]}
//  {"time":1795248000120,"type":"signInTried","account":"work","at":1795248000120,"email":"…"}
//  {"time":1795248000310,"type":"listRead","account":"work",…,"computers":[…],"order":["sb_1",…]}
//  {"time":1795248002310,"type":"listRead","account":"work",…,"computers":[{"id":"sb_1","cpu":13}]}

const readingPatch = v.object({
	...readingSchema.entries,
	isWhole: v.optional(v.boolean),
});

type ReadingPatch = v.ValueOf<typeof readingPatch>;

export const recordedFactSchema = v.unionOf(
	{
		...factTable,
		listRead: {
			computers: v.listOf(readingPatch),
			/** Absent if it is the same as in the previous list. */
			order: v.optional(v.listOf(v.id)),
			...listNotes,
		},
	},
	commonFactFields,
);

type RecordedFact = v.ValueOf<typeof recordedFactSchema>;

const formatVersion = 1;

const recordedAccount = v.object({
	account: v.word,
	label: v.optional(v.word),
	baseUrl: v.optional(v.publicAddress),
});

export type RecordedAccount = v.ValueOf<typeof recordedAccount>;

const headerSchema = v.object({
	recording: v.number,
	program: v.word,
	at: v.time,
	accounts: v.listOf(recordedAccount),
});

export type RecordingHeader = v.ValueOf<typeof headerSchema>;

type RecordingEntry = { time: number; fact: RecordedFact };

/** The file may come from another person, so every line is validated. */
export type Recording = {
	header: RecordingHeader;
	times: readonly number[];
	entryAt(index: number): RecordingEntry;
	flaw?: string;
};

const headers = validatorOf(headerSchema);
const entryTimes = validatorOf(v.object({ time: v.time }));
const recordedFacts = validatorOf(recordedFactSchema);
const clean = (text: string) => cleanText(text);

function headerFrom(line: string): RecordingHeader | string {
	const value = jsonFrom(line);
	const version = isObject(value) ? value['recording'] : undefined;
	if (typeof version !== 'number') return 'this is not a recording of crowsnest';
	if (version > formatVersion)
		return 'a newer version of crowsnest recorded this; use that version to show it';
	if (!headers.isValid(value) || value.accounts.length === 0) return 'the header is damaged';
	return headers.copy(value, clean);
}

export function entryFrom(line: string): RecordingEntry | undefined {
	const value = jsonFrom(line);
	if (!entryTimes.isValid(value) || !recordedFacts.isValid(value)) return undefined;
	return { time: value.time, fact: recordedFacts.copy(value, clean) };
}

const maxFileBytes = 400_000_000;

export async function readRecording(path: string): Promise<Recording | string> {
	try {
		const { size } = await stat(path);
		if (size > maxFileBytes) return `the file is too large: ${Math.round(size / 1e6)} MB`;
		return recordingFrom(await readFile(path, 'utf8'));
	} catch (error) {
		return fileErrorText(error);
	}
}

export function recordingFrom(content: string): Recording | string {
	const [first = '', ...lines] = content.split('\n');
	const header = headerFrom(first);
	if (typeof header === 'string') return `line 1: ${header}`;
	if (lines.at(-1) === '') lines.pop();
	// Parsed values would take many times as much memory.
	const times: number[] = [];
	for (const line of lines) {
		const time = entryFrom(line)?.time;
		if (time === undefined || time < (times.at(-1) ?? Number.NEGATIVE_INFINITY)) break;
		times.push(time);
	}
	const damaged = times.length + 2;
	const isLast = times.length === lines.length - 1;
	const flaw =
		times.length === lines.length
			? undefined
			: `line ${damaged} ${isLast ? 'is cut short' : 'cannot be read, so the recording ends there'}`;
	if (times.length === 0) return flaw ?? 'the recording is empty';
	return {
		header,
		times,
		entryAt(index) {
			const entry = entryFrom(lines[index] ?? '');
			if (!entry) throw new RangeError(`there is no entry ${index}`);
			return entry;
		},
		flaw,
	};
}

export type PreviousLists = ReadonlyMap<string, ReadonlyMap<string, Reading>>;

export function recordedFactFrom(
	lists: PreviousLists,
	fact: Fact,
): { lists: PreviousLists; recordedFact: RecordedFact } {
	if (fact.type !== 'listRead') return { lists, recordedFact: fact };
	const before = lists.get(fact.account) ?? new Map<string, Reading>();
	const now = new Map(fact.computers.map(reading => [reading.id, reading]));
	const computers = fact.computers.flatMap(each => patchFrom(before.get(each.id), each) ?? []);
	const recordedFact: RecordedFact = { ...fact, computers };
	const [order, previousOrder] = [[...now.keys()], [...before.keys()]];
	if (JSON.stringify(order) !== JSON.stringify(previousOrder)) recordedFact.order = order;
	return { lists: new Map(lists).set(fact.account, now), recordedFact };
}

export function factFrom(
	lists: PreviousLists,
	recordedFact: RecordedFact,
): { lists: PreviousLists; fact: Fact } {
	if (recordedFact.type !== 'listRead') return { lists, fact: recordedFact };
	const { order, computers: patches, ...rest } = recordedFact;
	const before = lists.get(rest.account) ?? new Map<string, Reading>();
	const patched = new Map(before);
	for (const { isWhole, ...patch } of patches)
		patched.set(patch.id, isWhole ? patch : { ...before.get(patch.id), ...patch });
	const now = new Map<string, Reading>();
	for (const id of order ?? before.keys()) {
		const reading = patched.get(id);
		if (reading) now.set(id, reading);
	}
	const fact: Fact = { ...rest, computers: [...now.values()] };
	return { lists: new Map(lists).set(rest.account, now), fact };
}

function patchFrom(before: Reading | undefined, now: Reading): ReadingPatch | undefined {
	if (!before) return now;
	if (before === now) return undefined;
	const isGone = (field: keyof Reading) => before[field] !== undefined && now[field] === undefined;
	if (readingFields.some(isGone)) return { ...now, isWhole: true };
	const changed = readingFields.filter(field => {
		const [earlier, value] = [before[field], now[field]];
		if (value === undefined || isSameValue(earlier, value)) return false;
		return !(field === 'startedAt' && isSameStart(earlier, value));
	});
	if (changed.length === 0) return undefined;
	return { id: now.id, ...Object.fromEntries(changed.map(field => [field, now[field]])) };
}

export type RecordingFile = ReturnType<typeof openRecordingFile>;

export type RecordingFileOptions = {
	path: string;
	clock: Clock;
	canOverwrite: boolean;
	onProblem: (message: string) => void;
};

export function openRecordingFile({ path, clock, canOverwrite, onProblem }: RecordingFileOptions) {
	const withoutSecrets = createSecretFilter();
	const flags = canOverwrite ? constants.O_WRONLY | constants.O_CREAT : 'wx';
	let file: number | undefined = openSync(path, flags, 0o600);
	let hasBegun = false;
	let lists: PreviousLists = new Map();
	let time = Number.NEGATIVE_INFINITY;
	let [lineCount, byteCount] = [0, 0];

	function append(value: object) {
		if (file === undefined) return;
		const line = `${JSON.stringify(value)}\n`;
		try {
			writeFileSync(file, line);
			lineCount += 1;
			byteCount += Buffer.byteLength(line);
		} catch (error) {
			onProblem(fileErrorText(error));
			close();
		}
	}

	function close() {
		if (file === undefined) return;
		const open = file;
		file = undefined;
		try {
			closeSync(open);
			if (!hasBegun && !canOverwrite) unlinkSync(path);
		} catch (error) {
			onProblem(fileErrorText(error));
		}
	}

	return {
		begin(head: Pick<RecordingHeader, 'program' | 'accounts'>): FactListener {
			hasBegun = true;
			if (file !== undefined && fstatSync(file).isFile()) {
				fchmodSync(file, 0o600);
				ftruncateSync(file);
			}
			time = clock.now();
			append(headers.copy({ recording: formatVersion, ...head, at: time }, withoutSecrets));
			return fact => {
				if (file === undefined) return;
				const { lists: next, recordedFact } = recordedFactFrom(lists, fact);
				lists = next;
				time = Math.max(time, clock.now());
				append({ time, ...recordedFacts.copy(recordedFact, withoutSecrets) });
			};
		},
		progress: () => ({ factCount: Math.max(0, lineCount - 1), byteCount }),
		close,
	};
}

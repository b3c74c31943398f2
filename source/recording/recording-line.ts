import { isObject, jsonFrom } from '../journal/validators.ts';
import type { Anonymizer } from './anonymizer.ts';
import {
	account,
	booleanField,
	type CleanText,
	number,
	objectField,
	optional,
	publicAddress,
	timeField,
	wordField,
} from './field.ts';
import type { RecordedFact } from './list-delta.ts';
import { recordedFact } from './recorded-fact.ts';

// A recording is a header and a line for each fact. A list holds only what changed since the list before it:
//
//  {"recording":1,"program":"0.1.0","at":1795248000000,"account":"work","areNamesReplaced":false}
//  {"time":1795248000120,"type":"signedIn","account":"work","at":1795248000120,"email":"…"}
//  {"time":1795248000310,"type":"listRead","account":"work",…,"computers":[…],"order":["sb_1",…]}
//  {"time":1795248002310,"type":"listRead","account":"work",…,"computers":[{"id":"sb_1","cpu":13}]}

/** The first line of a recording. */
export type RecordingHeader = {
	/** The version of the recording format. */
	recording: number;
	/** The version of the program that wrote the recording. */
	program: string;
	/** The time at which the recording began. */
	at: number;
	/** The account name that all facts contain. */
	account: string;
	/** The account name to show; if absent, `account` is shown. */
	label?: string;
	/** The base URL of the platform, which is needed to build the addresses of published ports. */
	baseUrl?: string;
	areNamesReplaced: boolean;
};

/** A fact, and the time at which the recording program received it. These times never decrease. */
export type RecordingEntry = { time: number; fact: RecordedFact };

const formatVersion = 1;

const headerField = objectField<RecordingHeader>({
	recording: number,
	program: wordField,
	at: timeField,
	account,
	label: optional(account),
	baseUrl: optional(publicAddress),
	areNamesReplaced: booleanField,
});

const entryTimeField = objectField<Pick<RecordingEntry, 'time'>>({ time: timeField });

export function headerLine(
	head: Omit<RecordingHeader, 'recording'>,
	anonymizer: Anonymizer,
): string {
	return `${JSON.stringify(headerField.write({ recording: formatVersion, ...head }, anonymizer))}\n`;
}

export function entryLine(entry: RecordingEntry, anonymizer: Anonymizer): string {
	return `${JSON.stringify({ time: entry.time, ...recordedFact.write(entry.fact, anonymizer) })}\n`;
}

/** Returns the header, or a message that says why this program cannot read it. */
export function headerFrom(line: string, clean: CleanText): RecordingHeader | string {
	const value = jsonFrom(line);
	const written = isObject(value) ? value['recording'] : undefined;
	if (typeof written !== 'number') return 'this is not a recording of crowsnest';
	if (written > formatVersion)
		return 'a newer version of crowsnest recorded this; use that version to show it';
	return headerField.read(value, clean) ?? 'the header is damaged';
}

/** Returns the fact in a line and its time; undefined if the line is damaged. */
export function entryFrom(line: string, clean: CleanText): RecordingEntry | undefined {
	const value = jsonFrom(line);
	const when = entryTimeField.read(value, clean);
	const fact = when && recordedFact.read(value, clean);
	return fact && { ...when, fact };
}

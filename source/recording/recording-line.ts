import { isObject, jsonFrom } from '../journal/validators.ts';
import type { Anonymizer } from './anonymizer.ts';
import {
	account,
	type Clean,
	flag,
	number,
	optional,
	publicAddress,
	shaped,
	time,
	word,
} from './field.ts';
import type { RecordedFact } from './list-delta.ts';
import { recordedFact } from './recorded-fact.ts';

//  {"recording":1,"program":"0.1.0","at":1795248000000,"account":"work","areNamesReplaced":false}
//  {"time":1795248000120,"type":"signedIn","account":"work","at":1795248000120,"email":"…"}
//  {"time":1795248000310,"type":"listRead","account":"work",…,"computers":[…],"order":["sb_1",…]}
//  {"time":1795248002310,"type":"listRead","account":"work",…,"computers":[{"id":"sb_1","cpu":13}]}

/** The first line of a recording. */
export type RecordingHeader = {
	/** How the lines after it are to be read. */
	recording: number;
	/** The version of the program that wrote it. */
	program: string;
	/** When it was begun. */
	at: number;
	/** The account in each fact. */
	account: string;
	/** What the account is called; its `account` in recordings that have no label. */
	label?: string;
	/** Where its platform answers, for the addresses of published ports. */
	baseUrl?: string;
	areNamesReplaced: boolean;
};

/** What happened, and when it became known to whoever recorded it: that never goes back. */
export type RecordingEntry = { time: number; fact: RecordedFact };

const format = 1;

const header = shaped<RecordingHeader>({
	recording: number,
	program: word,
	at: time,
	account,
	label: optional(account),
	baseUrl: optional(publicAddress),
	areNamesReplaced: flag,
});

const timed = shaped<Pick<RecordingEntry, 'time'>>({ time });

export function headerLine(
	head: Omit<RecordingHeader, 'recording'>,
	anonymizer: Anonymizer,
): string {
	return `${JSON.stringify(header.write({ recording: format, ...head }, anonymizer))}\n`;
}

export function entryLine(entry: RecordingEntry, anonymizer: Anonymizer): string {
	return `${JSON.stringify({ time: entry.time, ...recordedFact.write(entry.fact, anonymizer) })}\n`;
}

/** The header, or in words why it is none that this program reads. */
export function headerFrom(line: string, clean: Clean): RecordingHeader | string {
	const value = jsonFrom(line);
	const written = isObject(value) ? value['recording'] : undefined;
	if (typeof written !== 'number') return 'it is no recording of crowsnest';
	if (written > format)
		return 'a newer version of crowsnest recorded it, which is needed to show it';
	return header.read(value, clean) ?? 'it cannot be read';
}

/** Undefined when the line is damaged. */
export function entryFrom(line: string, clean: Clean): RecordingEntry | undefined {
	const value = jsonFrom(line);
	const when = timed.read(value, clean);
	const told = when && recordedFact.read(value, clean);
	return told && { ...when, fact: told };
}

import { readingFields, readingSchema } from '../fleet/computers/computer.ts';
import { listNotes } from '../fleet/computers/list-notes.ts';
import { commonFactFields, factTable } from '../fleet/fact.ts';
import * as v from '../foundation/schema.ts';
import { isObject, jsonFrom, type ReplaceText, validatorOf } from '../foundation/validate.ts';

// A recording is a header and a line for each fact. A list has only the differences from the previous list:
//
//  {"recording":1,"program":"0.1.0","at":1795248000000,"account":"work"}
//  {"time":1795248000120,"type":"signedIn","account":"work","at":1795248000120,"email":"…"}
//  {"time":1795248000310,"type":"listRead","account":"work",…,"computers":[…],"order":["sb_1",…]}
//  {"time":1795248002310,"type":"listRead","account":"work",…,"computers":[{"id":"sb_1","cpu":13}]}

const patch = v.object({
	...readingSchema.entries,
	without: v.optional(v.listOf(v.oneOf(readingFields))),
});

/**
 * The fields of one computer that changed since the previous list; `without` names the fields that disappeared.
 */
export type ReadingPatch = v.ValueOf<typeof patch>;

const recordedFactTable = {
	...factTable,
	/** Lists come every few seconds, so a list stores only its changes. */
	listRead: {
		computers: v.listOf(patch),
		/** The ids in the order of the list; absent if the order is the same as in the previous list. */
		order: v.optional(v.listOf(v.id)),
		...listNotes,
	},
};

export const recordedFactSchema = v.unionOf(recordedFactTable, commonFactFields);

/** A fact as a recording stores it. */
export type RecordedFact = v.ValueOf<typeof recordedFactSchema>;
export type RecordedList = Extract<RecordedFact, { type: 'listRead' }>;

/** An account of a recording. */
const recordedAccount = v.object({
	/** The account name that the facts contain. */
	account: v.account,
	/** The account name to show; if absent, `account` is shown. */
	label: v.optional(v.account),
	/** The base URL of the platform, which is needed to build the addresses of published ports. */
	baseUrl: v.optional(v.publicAddress),
});

export type RecordedAccount = v.ValueOf<typeof recordedAccount>;

const headerSchema = v.object({
	/** The version of the recording format. */
	recording: v.number,
	/** The version of the program that wrote the recording. */
	program: v.word,
	/** The time at which the recording began. */
	at: v.time,
	...recordedAccount.entries,
	/** The other accounts, if the recording has more than one. */
	others: v.optional(v.listOf(recordedAccount)),
});

/** The first line of a recording. */
export type RecordingHeader = v.ValueOf<typeof headerSchema>;

/** A fact, and the time at which the recording program received it. These times never decrease. */
export type RecordingEntry = { time: number; fact: RecordedFact };

// A reader skips facts whose type it does not know, so that a new type needs no new version.
const formatVersion = 1;

export const newerVersionText =
	'a newer version of crowsnest recorded this; use that version to show it';

/** Returns all accounts of a recording, in their order. */
export const accountsOfRecording = ({
	account,
	label,
	baseUrl,
	others = [],
}: Pick<RecordingHeader, 'account' | 'label' | 'baseUrl' | 'others'>): readonly [
	RecordedAccount,
	...RecordedAccount[],
] => [
	{ account, ...(label !== undefined && { label }), ...(baseUrl !== undefined && { baseUrl }) },
	...others,
];

/** Makes a text of a recording safe to show. */
export type CleanText = (text: string) => string;

const validHeader = validatorOf(headerSchema);
const validEntryTime = validatorOf(v.object({ time: v.time }));
const validRecordedFact = validatorOf(recordedFactSchema);

export function headerLine(
	head: Omit<RecordingHeader, 'recording'>,
	withoutSecrets: ReplaceText,
): string {
	const content = { recording: formatVersion, ...head };
	return `${JSON.stringify(validHeader.copy(content, withoutSecrets))}\n`;
}

export function entryLine(entry: RecordingEntry, withoutSecrets: ReplaceText): string {
	const fact = validRecordedFact.copy(entry.fact, withoutSecrets);
	return `${JSON.stringify({ time: entry.time, ...fact })}\n`;
}

/** Returns the header, or a message that says why this program cannot read it. */
export function headerFrom(line: string, clean: CleanText): RecordingHeader | string {
	const value = jsonFrom(line);
	const written = isObject(value) ? value['recording'] : undefined;
	if (typeof written !== 'number') return 'this is not a recording of crowsnest';
	if (written > formatVersion) return newerVersionText;
	return validHeader.isValid(value)
		? validHeader.copy(value, text => clean(text))
		: 'the header is damaged';
}

/** Returns the fact in a line and its time; undefined if the line is damaged. */
export function entryFrom(line: string, clean: CleanText): RecordingEntry | undefined {
	const value = jsonFrom(line);
	if (!validEntryTime.isValid(value) || !validRecordedFact.isValid(value)) return undefined;
	return { time: value.time, fact: validRecordedFact.copy(value, text => clean(text)) };
}

/** Returns whether a line is a fact that only a newer version knows. */
export function isFactOfNewerVersion(line: string): boolean {
	const value = jsonFrom(line);
	const type = isObject(value) ? value['type'] : undefined;
	const isKnown = typeof type !== 'string' || Object.hasOwn(recordedFactTable, type);
	return !isKnown && validEntryTime.isValid(value);
}

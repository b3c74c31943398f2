import { readingFields, readingSchema } from '../fleet/computers/computer.ts';
import { commonFactFields, factTable } from '../fleet/fact.ts';
import * as v from '../foundation/schema.ts';
import type { ReplaceText } from '../foundation/validate.ts';
import type { Anonymizer } from './anonymizer.ts';

const patch = v.object({
	...readingSchema.entries,
	without: v.optional(v.listOf(v.oneOf(readingFields))),
});

/**
 * The fields of one computer that changed since the previous list; `without` names the fields that disappeared.
 */
export type Patch = v.ValueOf<typeof patch>;

export const recordedFactTable = {
	...factTable,
	/** Lists come every few seconds, so a list stores only its changes. */
	listRead: {
		computers: v.listOf(patch),
		/** The ids in the order of the list; absent if the order is the same as in the previous list. */
		order: v.optional(v.listOf(v.id)),
		unreadable: v.optional(v.number),
	},
};

export const recordedFactSchema = v.unionOf(recordedFactTable, commonFactFields);

/** A fact as a recording stores it. */
export type RecordedFact = v.ValueOf<typeof recordedFactSchema>;
export type RecordedList = Extract<RecordedFact, { type: 'listRead' }>;

const writeByKind: Readonly<
	Record<v.TextKind, (text: string, anonymizer: Anonymizer) => string | undefined>
> = {
	word: text => text,
	text: (text, anonymizer) => anonymizer.cleanText(text),
	id: (text, anonymizer) => anonymizer.replaceId(text),
	name: (text, anonymizer) => anonymizer.replaceName(text),
	account: (text, anonymizer) => anonymizer.replaceAccount(text),
	email: (text, anonymizer) => anonymizer.replaceEmail(text),
	address: (text, anonymizer) => anonymizer.replaceAddress(text),
	publicAddress: (text, anonymizer) => anonymizer.replacePublicAddress(text),
	// A secret is never written. It is also removed from every text that follows.
	secret(text, anonymizer) {
		anonymizer.addSecret(text);
		return undefined;
	},
};

/** Returns how a recording writes texts. */
export function textsForRecording(anonymizer: Anonymizer): ReplaceText {
	return (text, kind) => writeByKind[kind](text, anonymizer);
}

import * as v from '../../foundation/schema.ts';

/** What a list says besides its computers. */
export const listNotes = {
	/**
	 * How many records could not be decoded. A computer that is missing from the list may be in one of these records.
	 */
	unreadable: v.optional(v.number),
	/** How many records had the id of another record of their page, which hides them. */
	repeated: v.optional(v.number),
	/**
	 * Whether the CPU and memory of some computers are still those of an earlier list. The next `listRead` then has the
	 * new ones.
	 */
	usageFollows: v.optional(v.boolean),
};

import * as v from '../../foundation/schema.ts';

/** What a list says besides its computers. */
export const listNotes = {
	/**
	 * How many records could not be decoded. A computer that is missing from the list may be in one of these records.
	 */
	unreadable: v.optional(v.number),
	/** How many records had the id of another record of their page, which hides them. */
	repeated: v.optional(v.number),
};

import * as v from '../../foundation/schema.ts';

export const listNotes = {
	/** Records that could not be decoded. A computer that is missing from the list may be in one of them. */
	unreadable: v.optional(v.number),
	/** How many records had the id of another record of their page, which hides them. */
	repeated: v.optional(v.number),
};

import * as v from '../../foundation/schema.ts';

export const listNotes = {
	unreadable: v.optional(v.number),
	repeated: v.optional(v.number),
};

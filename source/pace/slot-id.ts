// The id of a slot says which process took the slot, and, with an `r`, that a watch reads with it: `71-k2.8` or
// `71-k2.r9`. Earlier versions only compare ids.

/** Returns the id of a slot. `count` is the number of slots that the process has taken, with this one. */
export const slotIdFrom = (writerId: string, count: number, isRead: boolean): string =>
	`${writerId}.${isRead ? 'r' : ''}${count}`;

/** Returns the process that took the slot for a read of its watch; undefined for any other slot. */
export const pollerOf = (slotId: string): string | undefined => /^(.+)\.r\d+$/.exec(slotId)?.[1];

declare const brand: unique symbol;

/**
 * The identity of a computer among several accounts: its account and its id. Two accounts may have computers with
 * the same id.
 *
 * At run time it is a text, which works as a key of maps and sets. For the compiler it is opaque: a bare id does
 * not compile in its place, and it does not compile in the place of a bare id.
 */
export type GlobalId = { readonly [brand]: 'GlobalId' };

// The names of accounts are cleaned texts, which contain no line breaks.
const separator = '\n';

export function globalIdOf(account: string, id: string): GlobalId {
	return `${account}${separator}${id}` as unknown as GlobalId;
}

/** Returns the account and the id that `globalIdOf` has joined. */
export function splitGlobalId(globalId: GlobalId): { account: string; id: string } {
	const text = String(globalId);
	const end = text.indexOf(separator);
	return { account: text.slice(0, end), id: text.slice(end + 1) };
}

/** Returns the ids of those computers that belong to the account. */
export function idsWithin(account: string, globalIds: Iterable<GlobalId>): readonly string[] {
	const ids: string[] = [];
	for (const globalId of globalIds) {
		const parts = splitGlobalId(globalId);
		if (parts.account === account) ids.push(parts.id);
	}
	return ids;
}

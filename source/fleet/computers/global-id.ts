declare const brand: unique symbol;

/** At run time a text, which works as a key; for the compiler, it and a bare id cannot stand for each other. */
export type GlobalId = { readonly [brand]: 'GlobalId' };

// The names of accounts are cleaned texts, which contain no line breaks.
const separator = '\n';

export function globalIdOf(account: string, id: string): GlobalId {
	return `${account}${separator}${id}` as unknown as GlobalId;
}

export function splitGlobalId(globalId: GlobalId): { account: string; id: string } {
	const text = String(globalId);
	const end = text.indexOf(separator);
	return { account: text.slice(0, end), id: text.slice(end + 1) };
}

export const idsWithin = (account: string, globalIds: Iterable<GlobalId>): readonly string[] =>
	Array.from(globalIds, splitGlobalId).flatMap(parts =>
		parts.account === account ? parts.id : [],
	);

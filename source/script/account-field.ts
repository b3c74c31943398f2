import type { JsonFields } from '../foundation/json.ts';

export const accountField = {
	account: 'profile that the record belongs to; only with several accounts',
} as const satisfies JsonFields;

export const withAccount = <Record extends object>(
	record: Record,
	account: string | undefined,
): Record => (account === undefined ? record : { account, ...record });

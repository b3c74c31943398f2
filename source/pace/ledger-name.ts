import { createHash } from 'node:crypto';

/** One account's ledger, told from others without telling whose it is. */
export function ledgerName(baseUrl: string, user: string): string {
	const address = new URL(baseUrl).href.replace(/\/+$/, '');
	const account = JSON.stringify([address, user.trim().toLowerCase()]);
	return `pace-${createHash('sha256').update(account).digest('hex').slice(0, 16)}`;
}

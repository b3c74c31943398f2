import { createHash } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A name for one start of one host, in which neither can be read. */
export const hostKey = (boot: readonly string[]) =>
	boot.some(part => part !== '') ? digest(JSON.stringify(boot)) : '';

/** One account's ledger, told from others without telling whose it is. */
export function ledgerName(baseUrl: string, user: string): string {
	const address = new URL(baseUrl).href.replace(/\/+$/, '');
	const account = JSON.stringify([address, user.trim().toLowerCase()]);
	return `pace-${digest(account)}`;
}

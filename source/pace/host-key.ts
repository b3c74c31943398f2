import { createHash } from 'node:crypto';

/** A name for one start of one host, in which neither can be read. */
export function hostKey(boot: readonly string[]): string {
	if (boot.every(part => part === '')) return '';
	return createHash('sha256').update(JSON.stringify(boot)).digest('hex').slice(0, 16);
}

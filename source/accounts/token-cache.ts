import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AccountSettings } from './account-settings.ts';
import { readPrivately, refuseOpenFolder, writePrivately } from './private-file.ts';
import { isHeaderText } from './setting-values.ts';

export type KeptToken = { accessToken: string; endsAt?: number };

/** Keeps the token of one profile from run to run, and between runs at the same time. */
export type TokenCache = {
	load(): KeptToken | undefined;
	keep(token: KeptToken): void;
	/** Forgets it, unless another run has put a newer one there. */
	drop(accessToken: string): void;
};

/** `onTrouble` is told what is wrong with the cache; all goes on without it. */
export function createTokenCache(
	account: Pick<AccountSettings, 'baseUrl' | 'proof' | 'tokenPath'>,
	onTrouble: (message: string) => void,
): TokenCache {
	const path = account.tokenPath;
	const owner = ownerOf(account);
	let told = '';
	let dropped: string | undefined;

	const attempt = <T>(deed: () => T): T | undefined => {
		try {
			return deed();
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			if (message !== told) onTrouble(`the token is not kept: ${message}`);
			told = message;
			return undefined;
		}
	};

	const load = () => attempt(() => tokenFrom(readPrivately(path), owner));

	return {
		load() {
			const token = load();
			return token?.accessToken === dropped ? undefined : token;
		},
		keep({ accessToken, endsAt }) {
			attempt(() => {
				refuseOpenFolder(dirname(path));
				writePrivately(path, `${JSON.stringify({ owner, accessToken, endsAt })}\n`);
			});
		},
		drop(accessToken) {
			dropped = accessToken;
			if (load()?.accessToken === accessToken) attempt(() => forgetToken(path));
		},
	};
}

export function forgetToken(path: string): void {
	rmSync(path, { force: true });
}

/** A token given for another address or user is not taken for this one. */
function ownerOf({ baseUrl, proof }: Pick<AccountSettings, 'baseUrl' | 'proof'>): string {
	const who = proof.kind === 'password' ? [baseUrl, proof.authUrl, proof.email] : [baseUrl];
	return createHash('sha256').update(JSON.stringify(who)).digest('hex').slice(0, 32);
}

function tokenFrom(text: string | undefined, owner: string): KeptToken | undefined {
	const kept = fieldsOf(text ?? '{}');
	const { accessToken, endsAt } = kept;
	if (kept.owner !== owner || typeof accessToken !== 'string') return undefined;
	if (!isHeaderText(accessToken)) return undefined;
	return { accessToken, ...(typeof endsAt === 'number' && { endsAt }) };
}

function fieldsOf(text: string): { owner?: unknown; accessToken?: unknown; endsAt?: unknown } {
	try {
		return { ...JSON.parse(text) };
	} catch {
		return {};
	}
}

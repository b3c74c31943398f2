import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AccessToken, TokenCache } from '../fleet/access-token.ts';
import { messageOf } from '../fleet/error.ts';
import { shortHash } from '../fleet/short-hash.ts';
import { accountKey } from './account-key.ts';
import type { AccountSettings } from './account-settings.ts';
import { userOf } from './credentials.ts';
import { readPrivately, refusePublicState, removeDrafts, writePrivately } from './private-file.ts';
import { isHeaderText } from './setting-values.ts';

type Owner = Pick<AccountSettings, 'baseUrl' | 'credentials'>;

const version = 1;

/**
 * Stores the token of one account in a file. The program also works without this file, so errors only go to
 * `onTrouble`.
 */
export function createTokenCache(
	account: Owner & Pick<AccountSettings, 'tokenPath'>,
	onTrouble: (message: string) => void,
): TokenCache {
	const path = account.tokenPath;
	let reported = '';
	let dropped: string | undefined;

	const orReport = <T>(operation: () => T): T | undefined => {
		try {
			return operation();
		} catch (error) {
			const message = messageOf(error);
			if (message !== reported) onTrouble(`the token cannot be saved: ${message}`);
			reported = message;
			return undefined;
		}
	};

	const load = () => orReport(() => tokenFrom(fieldsIn(path), account));

	return {
		load() {
			const token = load();
			return token?.accessToken === dropped ? undefined : token;
		},
		keep({ accessToken, endsAt }) {
			orReport(() => {
				refusePublicState(dirname(path));
				refuseNewer(path);
				const fields = { version, owner: ownerOf(account), accessToken, endsAt };
				writePrivately(path, `${JSON.stringify(fields)}\n`);
			});
		},
		drop(accessToken) {
			dropped = accessToken;
			if (load()?.accessToken === accessToken) orReport(() => forgetToken(path));
		},
	};
}

export function forgetToken(path: string): void {
	rmSync(path, { force: true });
	// A draft may contain the token as well.
	removeDrafts(path);
}

/**
 * Returns the time since when this profile's name has certainly stood for this account, for state files without
 * a version. The token file proves it: old versions replaced that file at every sign-in, so no other account
 * has signed in under the name since the file was written. Returns undefined without such proof, and for the
 * environment, where a token from a variable leaves no file.
 */
export function ownedSince(
	account: Owner & Pick<AccountSettings, 'name' | 'tokenPath'>,
): number | undefined {
	if (account.name === 'environment' || account.credentials.kind === 'token') return undefined;
	try {
		const fields = fieldsIn(account.tokenPath);
		const isOurs = fields.version === undefined && fields.owner === unversionedOwner(account);
		return isOurs ? statSync(account.tokenPath).mtimeMs : undefined;
	} catch {
		return undefined;
	}
}

/** A hash of the account and its identity provider. */
function ownerOf({ baseUrl, credentials }: Owner): string {
	const issuer = credentials.kind === 'password' ? credentials.authUrl : '';
	return digest([accountKey({ baseUrl, user: userOf(credentials) }), issuer]);
}

/** The hash that token files without a version contain. */
function unversionedOwner({ baseUrl, credentials }: Owner): string {
	const who =
		credentials.kind === 'password' ? [baseUrl, credentials.authUrl, credentials.email] : [baseUrl];
	return digest(who);
}

const digest = (words: readonly string[]) => shortHash(JSON.stringify(words), 32);

/** Returns the token in the file; undefined if it belongs to another account. */
function tokenFrom(fields: Fields, account: Owner): AccessToken | undefined {
	const { accessToken, endsAt } = fields;
	const isUnversioned = fields.version === undefined;
	if (!isUnversioned && fields.version !== version) return undefined;
	const owner = isUnversioned ? unversionedOwner(account) : ownerOf(account);
	if (fields.owner !== owner || typeof accessToken !== 'string' || !isHeaderText(accessToken))
		return undefined;
	return { accessToken, ...(typeof endsAt === 'number' && { endsAt }) };
}

function refuseNewer(path: string): void {
	const { version: kept } = fieldsOrNone(path);
	if (typeof kept !== 'number' || kept <= version) return;
	throw new Error(`${path} was written by a newer version of crowsnest and is left alone`);
}

/** An unreadable file may still be replaced. */
function fieldsOrNone(path: string): Fields {
	try {
		return fieldsIn(path);
	} catch {
		return {};
	}
}

type Fields = Partial<Record<'version' | 'owner' | 'accessToken' | 'endsAt', unknown>>;

function fieldsIn(path: string): Fields {
	try {
		return { ...Object(JSON.parse(readPrivately(path) ?? '{}')) };
	} catch (error) {
		// A damaged file counts as empty, and the next token replaces it.
		if (error instanceof SyntaxError) return {};
		throw error;
	}
}

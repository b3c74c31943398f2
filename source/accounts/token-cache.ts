import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AccessToken, TokenCache } from '../fleet/access-token.ts';
import { accountKey } from './account-key.ts';
import type { AccountSettings } from './account-settings.ts';
import { userOf } from './credentials.ts';
import { readPrivately, refusePublicState, removeDrafts, writePrivately } from './private-file.ts';
import { isHeaderText } from './setting-values.ts';

type Owner = Pick<AccountSettings, 'baseUrl' | 'credentials'>;

const version = 1;

/** Reports to `onTrouble` what is wrong with the cache; the program works without it. */
export function createTokenCache(
	account: Owner & Pick<AccountSettings, 'tokenPath'>,
	onTrouble: (message: string) => void,
): TokenCache {
	const path = account.tokenPath;
	let reported = '';
	let dropped: string | undefined;

	const attempt = <T>(deed: () => T): T | undefined => {
		try {
			return deed();
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			if (message !== reported) onTrouble(`the token is not kept: ${message}`);
			reported = message;
			return undefined;
		}
	};

	const load = () => attempt(() => tokenFrom(fieldsIn(path), account));

	return {
		load() {
			const token = load();
			return token?.accessToken === dropped ? undefined : token;
		},
		keep({ accessToken, endsAt }) {
			attempt(() => {
				refusePublicState(dirname(path));
				refuseNewer(path);
				const fields = { version, owner: ownerOf(account), accessToken, endsAt };
				writePrivately(path, `${JSON.stringify(fields)}\n`);
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
	// They may hold a token as well.
	removeDrafts(path);
}

/**
 * Since when everything under this profile's name is this account's, as far as the version that wrote
 * no versions can prove it: it replaced the token at every sign-in, so nobody else has signed in under
 * the name since the file was written. Undefined where nothing proves it, and for the environment,
 * where a token in a variable leaves no trace.
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

/** The account, and who vouches for it. */
function ownerOf({ baseUrl, credentials }: Owner): string {
	const issuer = credentials.kind === 'password' ? credentials.authUrl : '';
	return digest([accountKey({ baseUrl, user: userOf(credentials) }), issuer]);
}

/** Whose a token is, in files from before there were versions. */
function unversionedOwner({ baseUrl, credentials }: Owner): string {
	const who =
		credentials.kind === 'password' ? [baseUrl, credentials.authUrl, credentials.email] : [baseUrl];
	return digest(who);
}

const digest = (words: readonly string[]) =>
	createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 32);

/** A token that was given for another address or user is not used for this one. */
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

// One that may not be read may be replaced all the same.
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
		// What is damaged is no token, and the next one takes its place.
		if (error instanceof SyntaxError) return {};
		throw error;
	}
}

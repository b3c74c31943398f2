import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { stateFileErrorText } from '../foundation/error.ts';
import { shortHash } from '../foundation/short-hash.ts';
import type { AccessToken, TokenCache } from '../foundation/sign-in.ts';
import type { AccountSettings } from './account-settings.ts';
import { accountKey, userOf } from './credentials.ts';
import {
	readPrivately,
	refusePublicStateFolder,
	removeDrafts,
	writePrivately,
} from './private-file.ts';
import { isHeaderText } from './setting-values.ts';

type TokenOwner = Pick<AccountSettings, 'baseUrl' | 'credentials'>;

const fileVersion = 1;

/**
 * Creates a cache that stores the token of one account in a file. The program also works without this file, so
 * errors only go to `onProblem`.
 */
export function createTokenCache(
	account: TokenOwner & Pick<AccountSettings, 'tokenPath'>,
	onProblem: (message: string) => void,
): TokenCache {
	const path = account.tokenPath;
	let lastReason = '';
	let removedToken: string | undefined;

	const reportingErrors = <T>(
		verb: 'read' | 'save' | 'remove',
		operation: () => T,
	): T | undefined => {
		try {
			return operation();
		} catch (error) {
			const reason = stateFileErrorText(error);
			if (reason !== lastReason) onProblem(`Cannot ${verb} the token: ${reason}`);
			lastReason = reason;
			return undefined;
		}
	};

	const loadToken = () => reportingErrors('read', () => tokenFrom(readFields(path), account));

	return {
		load() {
			const token = loadToken();
			return token?.accessToken === removedToken ? undefined : token;
		},
		save({ accessToken, endsAt }) {
			reportingErrors('save', () => {
				refusePublicStateFolder(dirname(path));
				const fields = { version: fileVersion, owner: ownerHashOf(account), accessToken, endsAt };
				writePrivately(path, `${JSON.stringify(fields)}\n`);
			});
		},
		remove(accessToken) {
			removedToken = accessToken;
			if (loadToken()?.accessToken === accessToken)
				reportingErrors('remove', () => forgetToken(path));
		},
		forget() {
			reportingErrors('remove', () => forgetToken(path));
		},
	};
}

/**
 * Returns the token that `crowsnest login --token` has stored in this file. A token for another base URL, or in a file that
 * others can read, is not used.
 */
export function storedTokenAt(path: string, baseUrl: string): string | undefined {
	try {
		const fields = readFields(path);
		const token = String(fields.accessToken);
		const credentials = { kind: 'token', token: () => token } as const;
		return tokenFrom(fields, { baseUrl, credentials })?.accessToken;
	} catch {
		return undefined;
	}
}

export function forgetToken(path: string): void {
	rmSync(path, { force: true });
	// Drafts of the file are removed as well, because they may contain the token.
	removeDrafts(path, 'all');
}

/** Returns a hash of the account and its identity provider. */
function ownerHashOf({ baseUrl, credentials }: TokenOwner): string {
	const issuer = credentials.kind === 'password' ? credentials.authUrl : '';
	return shortHash(
		JSON.stringify([accountKey({ baseUrl, user: userOf(credentials) }), issuer]),
		32,
	);
}

/** Returns the token in the file; undefined if it belongs to another account. */
function tokenFrom(fields: TokenFileFields, account: TokenOwner): AccessToken | undefined {
	const { version, owner, accessToken, endsAt } = fields;
	if (version !== fileVersion || owner !== ownerHashOf(account)) return undefined;
	if (typeof accessToken !== 'string' || !isHeaderText(accessToken)) return undefined;
	return { accessToken, ...(typeof endsAt === 'number' && { endsAt }) };
}

type TokenFileFields = Partial<Record<'version' | 'owner' | 'accessToken' | 'endsAt', unknown>>;

function readFields(path: string): TokenFileFields {
	try {
		return { ...Object(JSON.parse(readPrivately(path) ?? '{}')) };
	} catch (error) {
		// A damaged file counts as empty, and the next token replaces it.
		if (error instanceof SyntaxError) return {};
		throw error;
	}
}

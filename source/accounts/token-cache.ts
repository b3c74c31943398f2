import { stateFileErrorText } from '../foundation/error.ts';
import { isObject, jsonFrom } from '../foundation/schema.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { accountKey, type ConfiguredCredentials, userOf } from './credentials.ts';
import { readPrivately, removePrivately, writePrivately } from './private-file.ts';
import { isHeaderText } from './setting-values.ts';

export type AccessToken = {
	accessToken: string;
	endsAt?: number;
};

export type TokenCache = ReturnType<typeof createTokenCache>;

type Fields = Partial<Record<'version' | 'owner' | 'accessToken' | 'endsAt', unknown>>;

type TokenOwner = { baseUrl: string; credentials: ConfiguredCredentials };

/** The program also works without the file, so errors only go to `onProblem`. */
export function createTokenCache(
	account: TokenOwner & { tokenPath: string },
	onProblem: (message: string) => void,
) {
	const path = account.tokenPath;
	let lastReason = '';
	let removedToken: string | undefined;

	function attempt<T>(verb: 'read' | 'save' | 'remove', operation: () => T): T | undefined {
		try {
			return operation();
		} catch (error) {
			const reason = stateFileErrorText(error);
			if (reason !== lastReason) onProblem(`Cannot ${verb} the token: ${reason}`);
			lastReason = reason;
			return undefined;
		}
	}

	const storedToken = () => attempt('read', () => tokenAt(path, account));

	return {
		load(): AccessToken | undefined {
			const token = storedToken();
			return token?.accessToken === removedToken ? undefined : token;
		},
		save({ accessToken, endsAt }: AccessToken) {
			const fields = { version: 1, owner: ownerHashOf(account), accessToken, endsAt };
			attempt('save', () => writePrivately(path, `${JSON.stringify(fields)}\n`));
		},
		remove(accessToken: string) {
			removedToken = accessToken;
			if (storedToken()?.accessToken === accessToken)
				attempt('remove', () => removePrivately(path));
		},
		forget() {
			attempt('remove', () => removePrivately(path));
		},
	};
}

export function storedTokenAt(path: string, baseUrl: string): string | undefined {
	try {
		return tokenAt(path, { baseUrl })?.accessToken;
	} catch {
		return undefined;
	}
}

function ownerHashOf({ baseUrl, credentials }: TokenOwner): string {
	const issuer = credentials.kind === 'password' ? credentials.authUrl : '';
	const key = accountKey({ baseUrl, user: userOf(credentials) });
	return shortHash(JSON.stringify([key, issuer]), 32);
}

function tokenAt(
	path: string,
	{ baseUrl, credentials }: Pick<TokenOwner, 'baseUrl'> & Partial<TokenOwner>,
): AccessToken | undefined {
	const file = jsonFrom(readPrivately(path) ?? '');
	const { version, owner, accessToken, endsAt }: Fields = isObject(file) ? file : {};
	if (version !== 1 || typeof accessToken !== 'string' || !isHeaderText(accessToken))
		return undefined;
	const account = {
		baseUrl,
		credentials: credentials ?? { kind: 'token' as const, token: () => accessToken },
	};
	if (owner !== ownerHashOf(account)) return undefined;
	return { accessToken, endsAt: typeof endsAt === 'number' ? endsAt : undefined };
}

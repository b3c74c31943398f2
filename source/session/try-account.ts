import { userOf } from '../accounts/credentials.ts';
import type { LoginField, SignInAnswers } from '../accounts/sign-in-fields.ts';
import type { AccessToken } from '../accounts/token-cache.ts';
import type { Failure } from '../foundation/failure.ts';
import {
	failureIn,
	PlatformError,
	adviceByKind as usualAdvice,
} from '../platform/decoding/platform-error.ts';
import type { Platform, RequestOptions } from '../platform/platform.ts';
import { createConnection, type ReachableAccount } from './access.ts';
import type { Host } from './host.ts';

export type AcceptedSignIn = {
	isAccepted: true;
	computerCount: number;
	token: AccessToken | undefined;
};

type SignInAttempt = AcceptedSignIn | ({ isAccepted: false } & LoginRefusal);

export function accountFromAnswers(
	name: string,
	answers: Partial<SignInAnswers>,
	tokenPath: string,
): ReachableAccount {
	const text = (field: keyof SignInAnswers) => answers[field] ?? '';
	const credentials: ReachableAccount['credentials'] =
		answers.way === 'token'
			? { kind: 'token', token: () => text('token') }
			: {
					kind: 'password',
					authUrl: text('authUrl'),
					anonKey: () => text('anonKey'),
					email: text('email'),
					password: () => text('password'),
					passwordTimeout: 0,
				};
	return { name, baseUrl: text('url'), user: userOf(credentials), tokenPath, credentials };
}

export async function tryAccount(
	host: Host,
	account: ReachableAccount,
	signal = new AbortController().signal,
): Promise<SignInAttempt> {
	let step: LoginStep = account.credentials.kind === 'token' ? 'platform' : 'identity';
	let token: AccessToken | undefined;
	const connection = await createConnection(host, account, {
		onProblem: () => {},
		onSignedIn: () => {
			step = 'platform';
		},
		// No stored token is used, because it would let the trial succeed although the answers are wrong.
		tokenCache: {
			load: () => undefined,
			save: received => {
				token = received;
			},
			remove: () => {},
			forget: () => {},
		},
	});
	try {
		const requestOptions = { signal, priority: 'operation' } as const;
		const { computers } = await connection.platform.listComputers(requestOptions);
		if (computers.length === 0) await refuseOtherServer(connection.platform, requestOptions);
		return { isAccepted: true, computerCount: computers.length, token };
	} catch (error) {
		return { isAccepted: false, ...loginRefusalFrom(failureIn(error), step, account) };
	} finally {
		await connection.close();
	}
}

/** An empty list proves nothing: some platforms answer it with 404, as other servers do. Only the platform answers these reads. */
async function refuseOtherServer(
	platform: Platform,
	requestOptions: RequestOptions,
): Promise<void> {
	const results = await Promise.allSettled([
		platform.readAccount('release', requestOptions),
		platform.readAccount('credits', requestOptions),
	]);
	const errors = results.map(result => (result.status === 'rejected' ? result.reason : undefined));
	if (errors.every(isNotFoundError)) throw errors[0];
}

const isNotFoundError = (error: unknown) =>
	error instanceof PlatformError && error.failure.kind === 'missing';

type LoginStep = 'identity' | 'platform';

type LoginRefusal = {
	/** The answers to look at again. */
	fields: readonly (LoginField | 'token')[];
	message: string;
	advice: string;
};

type RefusalRow = Omit<LoginRefusal, 'message'> & { says: (host: string) => string };

const notAnIdentityProvider: RefusalRow = {
	fields: ['authUrl'],
	says: host => `${host} answers, but not as an identity provider`,
	advice: 'Check the identity URL: it is the part before /auth/v1/token.',
};

const notThePlatform: RefusalRow = {
	fields: ['url'],
	says: host => `The sign-in worked, but ${host} does not answer as the platform`,
	advice: 'Check the base URL: it ends in /v1, the part before /platform/sandbox.',
};

const refusalRows: Record<LoginStep, Partial<Record<Failure['kind'], RefusalRow>>> = {
	identity: {
		offline: {
			fields: ['authUrl'],
			says: host => host,
			advice: 'Check the identity URL, the network and the proxy.',
		},
		limited: {
			fields: [],
			says: host => `${host} allows no more sign-ins for now`,
			advice: 'Wait a few minutes before you try again.',
		},
		missing: notAnIdentityProvider,
		unreadable: notAnIdentityProvider,
	},
	platform: {
		offline: {
			fields: ['url'],
			says: host => host,
			advice: 'The sign-in worked. Check the base URL, the network and the proxy.',
		},
		auth: {
			fields: ['url', 'authUrl', 'anonKey'],
			says: host => `The sign-in worked, but ${host} does not accept its token`,
			advice: 'Check that the base URL and the identity URL belong together.',
		},
		missing: notThePlatform,
		unreadable: notThePlatform,
	},
};

export function loginRefusalFrom(
	failure: Failure,
	step: LoginStep,
	{ baseUrl, credentials }: Pick<ReachableAccount, 'baseUrl' | 'credentials'>,
): LoginRefusal {
	const isToken = credentials.kind === 'token';
	const { host } = new URL(step === 'platform' || isToken ? baseUrl : credentials.authUrl);
	const { kind, message, advice } = failure;
	if (isToken && kind === 'auth')
		return {
			fields: ['token'],
			message: `${host} refuses the token: ${message}.`,
			advice: 'Check the token: it may have expired. crowsnest cannot renew it.',
		};
	if (step === 'identity' && kind === 'auth') return passwordRefusal(failure, host);
	const row = refusalRows[step][kind];
	if (!row) {
		const worked = step === 'platform' ? 'The sign-in worked, but ' : '';
		return { fields: [], message: `${worked}${host}: ${message}.`, advice };
	}
	// A certificate failure has more precise advice of its own.
	const isPrecise = kind === 'offline' && advice !== usualAdvice.offline;
	return {
		fields: row.fields,
		message: `${row.says(host)}: ${message}.`,
		advice: isPrecise ? advice : row.advice,
	};
}

function passwordRefusal({ status, message, advice }: Failure, host: string): LoginRefusal {
	if (status === undefined) return { fields: ['password'], message: `${message}.`, advice };
	if (status === 401 || status === 403)
		return {
			fields: ['anonKey'],
			message: `${host} refuses the anon key. It answered: ${message}.`,
			advice: 'Check the anon key, and that it belongs to this identity URL.',
		};
	// What identity providers usually answer says nothing more.
	const isUsual = /invalid (login )?credentials|invalid.grant/i.test(message);
	return {
		fields: ['email', 'password'],
		message: `${host} refuses this e-mail address with this password${isUsual ? '' : `: ${message}`}.`,
		advice: 'Check the e-mail address and the password.',
	};
}

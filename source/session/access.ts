import { join } from 'node:path';
import type { AccountSettings } from '../accounts/account-settings.ts';
import { accountKey } from '../accounts/credentials.ts';
import {
	createPasswordSource,
	PasswordError,
	passwordFromCommand,
} from '../accounts/password-source.ts';
import { createRedaction, type Redaction } from '../accounts/redaction.ts';
import { createTokenCache, type TokenCache } from '../accounts/token-cache.ts';
import type { Failure } from '../foundation/failure.ts';
import {
	createLimiter,
	createRequestCap,
	type Limiter,
	type RequestCap,
} from '../limits/limiter.ts';
import { documentedLimits, type LimitsByScope, limitsOfAll } from '../limits/limits.ts';
import { createRequestLog, openRequestFiles, type RequestLog } from '../limits/request-log.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import { createPlatform, type Platform, type PlatformOptions } from '../platform/platform.ts';
import { fetchThroughProxy } from '../platform/proxy.ts';
import type { Credentials } from '../platform/sign-in.ts';
import { childEffectsOf, type Host, Interrupted, pathsOf, type SessionHost } from './host.ts';
import { bootId } from './state-folder.ts';

export type Access = {
	baseUrl: string;
	credentials: Credentials;
	fetch: Host['fetch'];
	/** Without it, only the requests of this process are counted. */
	requestLog?: RequestLog;
	tokenCache?: TokenCache;
	redact?: (text: string) => string;
	/** No cap counts requests that stay within this machine. */
	isUncapped?: boolean;
};

export type ReachableAccount = Pick<
	AccountSettings,
	'name' | 'baseUrl' | 'credentials' | 'user' | 'tokenPath' | 'maxRequestsPerMinute'
>;

export type AccessOptions = {
	/** `problem` says why the configured or the previous password could not be used. */
	askForPassword?:
		| ((signal: AbortSignal, problem: string | undefined) => Promise<string>)
		| undefined;
	onInterrupted?: ((reason: Interrupted) => void) | undefined;
	onProblem: (message: string) => void;
	/** `none` while the monitor draws its screen there. */
	passwordCommandTerminal?: 'none' | 'shared';
	/** Used instead of the token cache of the profile. */
	tokenCache?: TokenCache;
	/** Also removes the secrets of other accounts; by default, the account gets its own. */
	redaction?: Redaction;
};

/** Every secret that is read or received is added to `redaction`. */
export async function buildAccess(host: Host, account: ReachableAccount, options: AccessOptions) {
	const { redaction = createRedaction(), onProblem } = options;
	const tokenCache = options.tokenCache ?? createTokenCache(account, onProblem);
	return {
		baseUrl: account.baseUrl,
		credentials: credentialsFrom(host, account, redaction, options),
		fetch: await fetchThroughProxy(host.program.env, host.fetch),
		requestLog: openRequestLog(host, accountKey(account), documentedLimits, onProblem),
		tokenCache: redactingTokenCache(tokenCache, redaction),
		redact: redaction.redact,
	} satisfies Access;
}

export function openRequestCap(
	host: Host,
	maxRequestsPerMinute: number | undefined,
	onProblem: AccessOptions['onProblem'],
	onWait?: (until: number) => void,
): RequestCap | undefined {
	if (maxRequestsPerMinute === undefined) return undefined;
	const log = openRequestLog(host, 'all', limitsOfAll(maxRequestsPerMinute), onProblem);
	return createRequestCap(createLimiter(host.clock, host.random, log), onWait);
}

function openRequestLog(
	host: Host,
	owner: string,
	limits: LimitsByScope,
	onProblem: AccessOptions['onProblem'],
) {
	const { clock, msSinceBoot } = host;
	return createRequestLog({
		limits,
		msSinceBoot,
		name: `requests-${owner}`,
		wallClockNow: clock.now,
		hostId: bootId(host),
		files: openRequestFiles(join(pathsOf(host).statePath, 'limits')),
		onProblem: message => onProblem(`Rate limits are counted for this process only: ${message}`),
	});
}

function credentialsFrom(
	host: Host,
	{ credentials }: ReachableAccount,
	redaction: Redaction,
	{ askForPassword, onInterrupted, passwordCommandTerminal = 'shared' }: AccessOptions,
): Credentials {
	if (credentials.kind === 'token') {
		redaction.add(credentials.token());
		return { kind: 'token', token: credentials.token() };
	}
	const { authUrl, email } = credentials;
	const anonKey = credentials.anonKey();
	redaction.add(anonKey);
	const redacted = (text: string) => redaction.redact(cleanText(text));
	const ask =
		askForPassword &&
		((signal: AbortSignal, problem: string | undefined) =>
			askForPassword(signal, problem && redacted(problem)));
	const configured = configuredPassword(host, credentials, passwordCommandTerminal);
	let passwordSource = createPasswordSource({ ask, configured });
	const forgetPassword = () => {
		passwordSource = createPasswordSource({ ask });
	};
	const password = async (signal: AbortSignal, refused?: Failure) => {
		try {
			const value = await passwordSource(signal, refused);
			redaction.add(value);
			return value;
		} catch (error) {
			if (error instanceof Interrupted) {
				onInterrupted?.(error);
				throw new PlatformError(createFailure('cancelled', 'cancelled'));
			}
			if (!(error instanceof PasswordError)) throw error;
			const message = redacted(error.message);
			const advice = error.advice ?? refused?.advice ?? missingPasswordAdvice;
			throw new PlatformError({ ...(refused ?? createFailure('auth', '')), message, advice });
		}
	};
	return { kind: 'password', authUrl, anonKey, email, password, forgetPassword };
}

const missingPasswordAdvice =
	'Sign in with `crowsnest login`, set CROWSNEST_PASSWORD, or configure a working passwordCommand.';

type PasswordCredentials = Extract<AccountSettings['credentials'], { kind: 'password' }>;

function configuredPassword(
	host: Host,
	{ password, passwordOrigin, passwordCommand: command, passwordTimeout }: PasswordCredentials,
	terminal: 'none' | 'shared',
): Parameters<typeof createPasswordSource>[0]['configured'] {
	if (!password && !command) return undefined;
	const origin = password ? passwordOrigin : 'the passwordCommand';
	const { env: environment } = host.program;
	const options = { environment, terminal, timeoutMs: passwordTimeout };
	return {
		origin,
		advice: `Correct ${origin}, or sign in with \`crowsnest login\`.`,
		read: async signal =>
			command && !password
				? passwordFromCommand({ ...options, command, signal }, childEffectsOf(host))
				: (password?.() ?? ''),
	};
}

export function passwordCommandRunner(
	host: Host,
	{ name, credentials }: Pick<ReachableAccount, 'name' | 'credentials'>,
): (() => Promise<string>) | undefined {
	if (credentials.kind === 'token' || !credentials.passwordCommand) return undefined;
	const { passwordCommand: command } = credentials;
	const { program } = host;
	return () => {
		program.stderr.write(
			`Running the password command of ${name}. Ctrl-C returns to the monitor.\n`,
		);
		const { signal } = new AbortController();
		return passwordFromCommand(
			{ command, environment: program.env, terminal: 'lent', signal },
			childEffectsOf(host),
		);
	};
}

function redactingTokenCache(tokenCache: TokenCache, redaction: Redaction): TokenCache {
	return {
		...tokenCache,
		load() {
			const token = tokenCache.load();
			if (token) redaction.add(token.accessToken);
			return token;
		},
		save(token) {
			redaction.add(token.accessToken);
			tokenCache.save(token);
		},
	};
}

export async function createConnection(
	host: Host,
	account: ReachableAccount,
	options: AccessOptions & { onSignedIn?: () => void },
) {
	const access = await buildAccess(host, account, options);
	const cap = openRequestCap(host, account.maxRequestsPerMinute, options.onProblem);
	const { onSignedIn } = options;
	const { platform, limiter } = connect(host, access, cap, { onSignedIn });
	return {
		platform,
		limiter,
		async close() {
			platform.close();
			await limiter.close();
			cap?.close();
		},
	};
}

export function connect(
	{ clock, random, msSinceBoot, activity }: SessionHost,
	access: Access,
	cap: RequestCap | undefined,
	listeners: Pick<PlatformOptions, 'onSignedIn' | 'onSignInFailed'>,
): { platform: Platform; limiter: Limiter } {
	const { baseUrl, credentials, fetch, tokenCache, redact } = access;
	const limits = documentedLimits;
	const log =
		access.requestLog ??
		createRequestLog({ name: 'requests', limits, msSinceBoot, wallClockNow: clock.now });
	const limiter = createLimiter(clock, random, log);
	const platform = createPlatform({
		baseUrl,
		credentials,
		rateLimiter: (!access.isUncapped && cap?.capRequests(limiter)) || limiter,
		clock,
		random,
		fetch,
		activity,
		tokenCache,
		redact,
		...listeners,
	});
	return { platform, limiter };
}

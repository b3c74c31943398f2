import { join } from 'node:path';
import type { AccountSettings } from '../accounts/account-settings.ts';
import { accountKey } from '../accounts/credentials.ts';
import { PasswordError, passwordFromCommand } from '../accounts/password-command.ts';
import type { PasswordRequest } from '../accounts/password-request.ts';
import { createPasswordSource } from '../accounts/password-source.ts';
import { createRedaction, type Redaction } from '../accounts/redaction.ts';
import { createTokenCache } from '../accounts/token-cache.ts';
import { type QuestionStrictness, readShares } from '../fleet/operations/preferences.ts';
import type { Failure } from '../foundation/failure.ts';
import type { TokenCache } from '../foundation/sign-in.ts';
import { documentedLimits, type LimitsByScope } from '../limits/limits.ts';
import { createRequestCap, type RequestCap } from '../limits/request-cap.ts';
import { openRequestFiles } from '../limits/request-files.ts';
import { createRequestLog, type RequestLog } from '../limits/request-log.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import { fetchThroughProxy } from '../platform/proxy.ts';
import type { Credentials } from '../platform/sign-in.ts';
import type { Election } from '../sharing/election.ts';
import { childEffectsOf, type Host, Interrupted, pathsOf } from './host.ts';
import { bootId, openElection } from './processes.ts';

/** Everything that is needed to open an account. It comes from the configuration, the demo or a test. */
export type SessionAccess = {
	/** The key that `accountKey` returns. */
	account: string;
	/** The name of the account's profile; the account's key if there is no profile. */
	label?: string;
	baseUrl: string;
	credentials: Credentials;
	fetch: Host['fetch'];
	/**
	 * Counts the requests of all processes. Without a log, only the requests of this process are counted.
	 */
	requestLog?: RequestLog;
	tokenCache?: TokenCache;
	/** Removes secrets from a text, such as an error message of the platform. */
	redact?: (text: string) => string;
	isReadOnly?: boolean;
	/** A shorter name for the column of accounts. */
	shortName?: string;
	/** The colour of the account's name on the screen. */
	colour?: string | undefined;
	/** Whether a person has to type the name of the profile, too, to confirm an operation. */
	isProduction?: boolean;
	/** The strictness of the operations whose question differs from the default. */
	questionStrictness?: QuestionStrictness;
	/** The credits are low if they last no longer than this; by default, a day. */
	lowCreditsMs?: number;
	/** Whether operations are sent without a countdown, because no person could cancel it. */
	skipsGrace?: boolean;
	/** The largest share of each rate limit that reads may use until a person chooses another; 1 if absent. */
	maxShare?: number;
	/** Whether this process polls for itself beside others, so that its reads use at most a quarter of each limit. */
	isAlone?: boolean;
	/** The part of this process in the elections of the account; undefined if no other process has the account. */
	election?: Election | undefined;
	/**
	 * Whether this process leads or follows, and whether a person looks at it. A process without it stays off the socket, and
	 * records while nobody leads.
	 */
	sharing?: { hasScreen: boolean } | undefined;
	/** The command-line options that choose this account, such as `--profile work`. */
	commandOptions?: readonly string[];
	/** Asks for the password while the program runs. */
	passwordRequest?: PasswordRequest | undefined;
	/** Caps the requests of all accounts of this host together. */
	requestCap?: RequestCap | undefined;
	/** Whether the requests stay within this machine, so that no cap counts them. */
	isUncapped?: boolean;
	/** The milliseconds without a key after which the monitor locks; Infinity for never. */
	lockAfterMs?: number;
};

/** The settings of an account that are needed to reach it. */
export type ReachableAccount = Pick<
	AccountSettings,
	'name' | 'baseUrl' | 'credentials' | 'user' | 'tokenPath'
> &
	Partial<
		Pick<AccountSettings, 'preferences' | 'shortName' | 'isProduction' | 'maxRequestsPerMinute'>
	>;

export type AccessOptions = {
	/**
	 * Asks a person for the password. `problem` says why the configured or the previous password could not be used.
	 */
	askForPassword?:
		| ((signal: AbortSignal, problem: string | undefined) => Promise<string>)
		| undefined;
	/** Called when the person presses Ctrl-C instead of typing the password. */
	onInterrupted?: ((reason: Interrupted) => void) | undefined;
	/** Receives problems that do not stop the program, such as an unreadable token cache. */
	onProblem: (message: string) => void;
	/** How the password command may use the terminal: `none` while the monitor draws its screen there. */
	passwordCommandTerminal?: 'none' | 'shared';
	/** Used instead of the token cache of the profile. */
	tokenCache?: TokenCache;
	/**
	 * The redaction to use, which also removes the secrets of other accounts; by default, the account gets its own.
	 */
	redaction?: Redaction;
};

type ConfiguredAccess = SessionAccess &
	Required<Pick<SessionAccess, 'requestLog' | 'tokenCache'>> & { redaction: Redaction };

/** Builds the access to a configured account. Every secret that is read or received is added to `redaction`. */
export async function buildAccess(
	host: Host,
	account: ReachableAccount,
	options: AccessOptions,
): Promise<ConfiguredAccess> {
	const { program } = host;
	const { name, shortName = name, isProduction = false, baseUrl, preferences } = account;
	const key = accountKey(account);
	const { redaction = createRedaction() } = options;
	return {
		account: key,
		label: name,
		shortName,
		isProduction,
		baseUrl,
		credentials: credentialsFrom(host, account, redaction, options),
		fetch: await fetchThroughProxy(program.env, host.fetch),
		requestLog: openRequestLog(host, key, documentedLimits, options.onProblem),
		election: openElection(host, key),
		tokenCache: redactingTokenCache(
			options.tokenCache ?? createTokenCache(account, options.onProblem),
			redaction,
		),
		...(preferences && {
			isReadOnly: preferences.readOnly,
			colour: preferences.colour,
			lockAfterMs: preferences.lockAfter,
			lowCreditsMs: preferences.notify.creditsLeft,
			maxShare: readShares[preferences.share],
			isAlone: preferences.alone,
			questionStrictness: preferences.confirm,
			commandOptions: name === 'environment' ? [] : ['--profile', name],
		}),
		redact: redaction.redact,
		redaction,
	};
}

/** Opens the cap for the requests of all accounts, which all processes of this host share; undefined without a limit. */
export function openRequestCap(
	host: Host,
	maxRequestsPerMinute: number | undefined,
	onProblem: AccessOptions['onProblem'],
	onWait?: (until: number) => void,
): RequestCap | undefined {
	if (maxRequestsPerMinute === undefined) return undefined;
	const { clock, random } = host;
	return createRequestCap({
		clock,
		random,
		maxRequestsPerMinute,
		onWait,
		openLog: limits => openRequestLog(host, 'all', limits, onProblem),
	});
}

/** Opens the log of requests that all processes share. */
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
	{ askForPassword: ask, onInterrupted, passwordCommandTerminal = 'shared' }: AccessOptions,
): Credentials {
	if (credentials.kind === 'token') {
		redaction.add(credentials.token());
		return { kind: 'token', token: credentials.token() };
	}
	redaction.add(credentials.anonKey());
	const typedSource = {
		ask: ask && ((signal, problem) => ask(signal, problem && redaction.redact(cleanText(problem)))),
	} satisfies Parameters<typeof createPasswordSource>[0];
	let passwordSource = createPasswordSource({
		...typedSource,
		configured: configuredPassword(host, credentials, passwordCommandTerminal),
	});
	const forgetPassword = () => {
		passwordSource = createPasswordSource(typedSource);
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
			const message = redaction.redact(cleanText(error.message));
			const { advice = refused ? refused.advice : passwordAdvice } = error;
			throw new PlatformError({ ...(refused ?? createFailure('auth', '')), message, advice });
		}
	};
	const { authUrl, email } = credentials;
	const anonKey = credentials.anonKey();
	return { kind: 'password', authUrl, anonKey, email, password, forgetPassword };
}

const passwordAdvice =
	'Press l in the monitor to type the password, set CROWSNEST_PASSWORD, or configure a working passwordCommand.';

type PasswordCredentials = Extract<AccountSettings['credentials'], { kind: 'password' }>;

function configuredPassword(
	host: Host,
	credentials: PasswordCredentials,
	terminalAccess: 'none' | 'shared',
): Parameters<typeof createPasswordSource>[0]['configured'] {
	const { password, passwordOrigin: origin } = credentials;
	const { passwordCommand: command, passwordTimeout: timeoutMs } = credentials;
	if (password) return { origin, read: async () => password() };
	if (!command) return undefined;
	const { env: environment } = host.program;
	return {
		origin: 'the passwordCommand',
		read: signal =>
			passwordFromCommand(
				{ command, environment, terminal: terminalAccess, timeoutMs, signal },
				childEffectsOf(host),
			),
	};
}

/** Runs the password command of an account in a terminal that is lent to it. */
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

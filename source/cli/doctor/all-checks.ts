import type { AccountSettings } from '../../accounts/account-settings.ts';
import { createConnection } from '../../session/connection.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import type { ParsedArgs } from '../../shell/command.ts';
import { loadSettings } from '../../shell/load-settings.ts';
import { createPasswordQuestions } from '../../shell/password-questions.ts';
import { type Check, mapTexts } from './check.ts';
import { hookChecks } from './hooks.ts';
import { createHttpTap } from './http-tap.ts';
import { keptSettingsCheck } from './kept-settings.ts';
import { proxyCheck, tlsChecks } from './network.ts';
import { frozenCheck, listCheck, otherReadChecks } from './reads.ts';
import { responseChecks } from './response-checks.ts';
import { configurationChecks, ownCommandsChecks, programCheck } from './setup.ts';
import { sharedWatchCheck } from './shared-watch.ts';
import { signInCheck, tokenCacheFor } from './sign-in.ts';
import { stateChecks } from './state-folders.ts';
import { terminalChecks } from './terminal.ts';

/**
 * Runs all checks. The checks of this machine come before the checks of the platform, so that the first
 * failure explains the failures after it.
 */
export async function* allChecks(host: Host, args: ParsedArgs): AsyncGenerator<Check> {
	const { program, clock, home } = host;
	const paths = pathsOf(host);
	const settings = loadSettings(host, args);
	const accounts = settings.kind === 'accounts' ? settings.accounts : [];
	yield programCheck(host);
	yield* configurationChecks(settings, paths, home);
	if (settings.kind === 'accounts') yield* hookChecks(settings.hooks, paths, program.env, home);
	yield* ownCommandsChecks(host);
	yield* stateChecks(paths, accounts[0]?.tokenPath, home);
	const proxy = proxyCheck(program.env);
	yield proxy;
	for (const account of accounts) {
		const named = (check: Check): Check =>
			accounts.length > 1 ? { ...check, account: account.name } : check;
		for (const check of await tlsChecks(account, program.env, clock)) yield named(check);
		const kept = keptSettingsCheck(host, account);
		if (kept) yield named(kept);
		const sharing = await sharedWatchCheck(host, account);
		if (sharing) yield named(sharing);
		if (proxy.status === 'wrong') continue;
		for await (const check of platformChecks(host, account, accounts.length > 1))
			yield named(check);
	}
	if (accounts.length === 0) {
		yield { subject: 'Platform', status: 'skipped', finding: 'no account is configured' };
	}
	yield* await terminalChecks(program, clock);
}

async function* platformChecks(
	host: Host,
	account: AccountSettings,
	namesAccount: boolean,
): AsyncGenerator<Check> {
	const { clock, program } = host;
	const httpTap = createHttpTap(clock);
	const tokenProblems: string[] = [];
	const onTrouble = (message: string) => tokenProblems.push(message);
	const interrupted = new AbortController();
	let isSignedIn = account.credentials.kind === 'token';
	const connection = await createConnection(host, account, {
		// If a password is configured, the person is not asked for another one: the check must report a wrong
		// password in the configuration.
		askForPassword: hasConfiguredPassword(account)
			? undefined
			: createPasswordQuestions(program, namesAccount).askFor(account),
		onInterrupted: reason => interrupted.abort(reason),
		onProblem: onTrouble,
		onSignedIn: () => {
			isSignedIn = true;
		},
		tokenCache: tokenCacheFor(account, onTrouble),
		wrapFetch: httpTap.wrapFetch,
	});
	const { platform, pace } = connection;
	const tools = { platform, pace, tap: httpTap, clock };
	const redactedCheck = (check: Check) => mapTexts(check, connection.redaction.redact);
	try {
		const frozen = frozenCheck('list', tools);
		if (frozen) return yield frozen;
		const { check, failure, computers = [] } = await listCheck(tools);
		interrupted.signal.throwIfAborted();
		yield redactedCheck(signInCheck(account, isSignedIn, failure));
		for (const finding of tokenProblems) yield { subject: 'Token', status: 'unsure', finding };
		if (!isSignedIn) return;
		yield redactedCheck(check);
		yield* responseChecks(httpTap.lastExchange());
		if (failure) return;
		for await (const readResult of otherReadChecks(tools, computers)) {
			yield redactedCheck(readResult);
		}
	} finally {
		await connection.close();
	}
}

function hasConfiguredPassword({ credentials }: AccountSettings): boolean {
	return (
		credentials.kind === 'password' && Boolean(credentials.password ?? credentials.passwordCommand)
	);
}

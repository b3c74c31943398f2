import type { AccountSettings } from '../../accounts/account-settings.ts';
import { createConnection } from '../../session/connection.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import type { ParsedArgs } from '../../shell/command.ts';
import { loadSettings } from '../../shell/load-settings.ts';
import { passwordAsker } from '../../shell/prompt.ts';
import { type Check, mapTexts } from './check.ts';
import { createHttpTap } from './http-tap.ts';
import { proxyCheck, tlsChecks } from './network.ts';
import { listCheck, otherReadChecks } from './reads.ts';
import { responseChecks } from './response-checks.ts';
import { configurationChecks, programCheck } from './setup.ts';
import { signInCheck, tokensFor } from './sign-in.ts';
import { stateChecks } from './state-folders.ts';
import { terminalChecks } from './terminal.ts';

/**
 * Runs all checks, first those of this machine and then those of the platform, so that the first failure
 * explains those after it.
 */
export async function* allChecks(host: Host, args: ParsedArgs): AsyncGenerator<Check> {
	const { program, clock, home } = host;
	const paths = pathsOf(host);
	const settings = loadSettings(host, args);
	const account = settings.kind === 'account' ? settings.account : undefined;
	yield programCheck(host);
	yield* configurationChecks(settings, paths, home);
	yield* stateChecks(paths, account?.tokenPath, home);
	yield proxyCheck(program.env);
	if (account) {
		yield* await tlsChecks(account, program.env, clock);
		yield* platformChecks(host, account);
	} else {
		yield { about: 'Platform', state: 'skipped', said: 'no account is configured' };
	}
	yield* await terminalChecks(program, clock);
}

async function* platformChecks(host: Host, account: AccountSettings): AsyncGenerator<Check> {
	const { clock, program } = host;
	const tap = createHttpTap(clock);
	const troubles: string[] = [];
	const onTrouble = (message: string) => troubles.push(message);
	const interrupted = new AbortController();
	let isSignedIn = account.credentials.kind === 'token';
	const connection = await createConnection(host, account, {
		// If a password is configured, no other password is asked for, so that the check finds a wrong one.
		ask: hasOwnPassword(account) ? undefined : passwordAsker(program, account),
		onInterrupted: reason => interrupted.abort(reason),
		onTrouble,
		onSignedIn: () => {
			isSignedIn = true;
		},
		tokens: tokensFor(account, onTrouble),
		tapFetch: tap.tap,
	});
	const { platform } = connection;
	const redacted = (check: Check) => mapTexts(check, connection.redaction.clean);
	try {
		const { check, failure, computers = [] } = await listCheck({ platform, tap, clock });
		interrupted.signal.throwIfAborted();
		yield redacted(signInCheck(account, isSignedIn, failure));
		for (const said of troubles) yield { about: 'Token', state: 'unsure', said };
		if (!isSignedIn) return;
		yield redacted(check);
		yield* responseChecks(tap.last());
		if (failure) return;
		for await (const each of otherReadChecks({ platform, tap, clock }, computers)) {
			yield redacted(each);
		}
	} finally {
		await connection.close();
	}
}

function hasOwnPassword({ credentials }: AccountSettings): boolean {
	return (
		credentials.kind === 'password' && Boolean(credentials.password ?? credentials.passwordCommand)
	);
}

import type { AccountSettings } from '../../accounts/account-settings.ts';
import { cleanText } from '../../platform/clean.ts';
import { createConnection } from '../../session/connection.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { exitCodes, type ParsedArgs, type Run } from '../../shell/command.ts';
import { loadSettings } from '../../shell/load-settings.ts';
import { passwordAsker } from '../../shell/prompt.ts';
import { environmentFrom } from '../../terminal/environment.ts';
import { type Check, checkText } from '../doctor/check.ts';
import { createHttpTap } from '../doctor/http-tap.ts';
import { proxyCheck, tlsChecks } from '../doctor/network.ts';
import { listCheck, otherReadChecks } from '../doctor/reads.ts';
import { responseChecks } from '../doctor/response-checks.ts';
import { configurationChecks, programCheck } from '../doctor/setup.ts';
import { signInCheck, tokensFor } from '../doctor/sign-in.ts';
import { stateChecks } from '../doctor/state-folders.ts';
import { terminalChecks } from '../doctor/terminal.ts';

/** Looks at everything that a run needs, and says of each what is right, what is not and what to do. */
export const doctor: Run = async (host, args) => {
	const { stdout, env } = host.program;
	const isJson = args.flag('json');
	const { hasUnicode } = environmentFrom(env);
	const checks: Check[] = [];
	for await (const each of allChecks(host, args)) {
		const check = mapped(each, cleanText);
		checks.push(check);
		if (!isJson) stdout.write(`${checkText(check, hasUnicode)}\n`);
	}
	if (isJson) {
		const { version } = host;
		const at = new Date(host.clock.now()).toISOString();
		stdout.write(`${JSON.stringify({ version, at, checks }, undefined, 2)}\n`);
	}
	return checks.some(({ state }) => state === 'wrong') ? exitCodes.failed : exitCodes.done;
};

async function* allChecks(host: Host, args: ParsedArgs): AsyncGenerator<Check> {
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
		yield { about: 'Platform', state: 'skipped', said: 'there is no account to ask it with' };
	}
	yield* await terminalChecks(program, clock);
}

async function* platformChecks(host: Host, account: AccountSettings): AsyncGenerator<Check> {
	const { clock, program } = host;
	const wire = createHttpTap(clock);
	const troubles: string[] = [];
	const onTrouble = (message: string) => troubles.push(message);
	const interrupted = new AbortController();
	let isSignedIn = account.credentials.kind === 'token';
	const connection = await createConnection(host, account, {
		// A password that is configured and wrong is to be told, and not got round.
		ask: hasOwnPassword(account) ? undefined : passwordAsker(program, account),
		onInterrupted: reason => interrupted.abort(reason),
		onTrouble,
		onSignedIn: () => {
			isSignedIn = true;
		},
		tokens: tokensFor(account, onTrouble),
		tapFetch: wire.tap,
	});
	const parts = { platform: connection.platform, wire, clock };
	const safe = (check: Check) => mapped(check, connection.redaction.clean);
	try {
		const { check, failure, computers = [] } = await listCheck(parts);
		interrupted.signal.throwIfAborted();
		yield safe(signInCheck(account, isSignedIn, failure));
		for (const said of troubles) yield { about: 'Token', state: 'unsure', said };
		if (!isSignedIn) return;
		yield safe(check);
		yield* responseChecks(wire.last());
		if (failure) return;
		for await (const each of otherReadChecks(parts, computers)) yield safe(each);
	} finally {
		await connection.close();
	}
}

function hasOwnPassword({ credentials }: AccountSettings): boolean {
	return (
		credentials.kind === 'password' && Boolean(credentials.password ?? credentials.passwordCommand)
	);
}

function mapped(check: Check, change: (text: string) => string): Check {
	const { said, advice, shape } = check;
	return {
		...check,
		said: change(said),
		...(advice && { advice: change(advice) }),
		...(shape && { shape: change(shape) }),
	};
}

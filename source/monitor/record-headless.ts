import type { PasswordRequest } from '../accounts/password-request.ts';
import type { ParsedArgs } from '../script/command.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';
import { startWatches } from '../session/session-table.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { readAgainText, troubleSentences } from '../views/phrases/reads.ts';
import type { openMonitor } from './open-monitor.ts';

type RecordHeadlessOptions = {
	open: typeof openMonitor;
	durationMs: number | undefined;
	hasRecorderFailed: () => boolean;
};

/** Records without a screen until the duration has passed or a signal arrives. */
export async function recordHeadless(
	host: Host,
	args: ParsedArgs,
	{ open, durationMs, hasRecorderFailed }: RecordHeadlessOptions,
): Promise<void> {
	const { program, clock } = host;
	const endController = new AbortController();
	const end = () => endController.abort();
	const say = (line: string) => program.stderr.write(`${cleanForTerminal(line)}\n`);
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
	for (const signal of signals) program.on(signal, end);
	const cancelTimer = durationMs === undefined ? () => {} : clock.after(durationMs, end);
	const opened = await open(host, args, {
		onTrouble(message) {
			say(message);
			if (hasRecorderFailed()) end();
		},
	});
	const { sessions, greeting, close } = opened;
	if (greeting) say(durationMs === undefined ? `${greeting}. Ctrl-C ends the recording` : greeting);
	const unsubscribers = [
		sessions.follow(session => reportFailures(session, say)),
		sessions.follow(({ passwordRequest }) => declinePasswords(passwordRequest, say)),
		startWatches(sessions),
	];
	await new Promise<void>(resolve => {
		endController.signal.addEventListener('abort', () => resolve(), { once: true });
		if (endController.signal.aborted) resolve();
	});
	for (const unsubscribe of unsubscribers) unsubscribe();
	cancelTimer();
	for (const signal of signals) program.off(signal, end);
	await close();
}

/** Prints why the list cannot be read, and when it will be read again. The watch keeps trying. */
function reportFailures(
	{ store, account }: AccountSession,
	say: (line: string) => void,
): () => void {
	let reported: string | undefined;
	return store.subscribe(({ accounts }) => {
		const streak = accounts.get(account)?.reads.list?.failing;
		const { failure } = streak ?? {};
		if (failure?.message === reported) return;
		reported = failure?.message;
		if (streak) say(troubleSentences({ read: 'list', streak }));
		else say(`${readAgainText('list')}.`);
	});
}

function declinePasswords(
	passwordRequest: PasswordRequest | undefined,
	say: (line: string) => void,
): () => void {
	if (!passwordRequest) return () => {};
	return passwordRequest.subscribe(() => {
		if (!passwordRequest.prompt()) return;
		say('A password is needed, and there is no terminal to ask on: set CROWSNEST_PASSWORD.');
		passwordRequest.cancel();
	});
}

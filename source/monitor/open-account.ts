import type { AccountSettings } from '../accounts/account-settings.ts';
import { passwordCommandRunner } from '../session/access.ts';
import { followLog } from '../session/follow-log.ts';
import type { Host } from '../session/host.ts';
import { type AccountSession, openConfigured, type SharedParts } from '../session/session.ts';
import { createSignInRequest } from '../session/sign-in-request.ts';

type OpenAccountOptions = {
	onTrouble: (message: string) => void;
	accountCount: () => number;
};

export async function openAccount(
	host: Host,
	account: AccountSettings,
	shared: SharedParts,
	{ onTrouble, accountCount }: OpenAccountOptions,
): Promise<AccountSession> {
	const { name, credentials } = account;
	const onProblem = (message: string) =>
		onTrouble(accountCount() > 1 ? `${name}: ${message}` : message);
	const passwordRequest =
		credentials.kind === 'password'
			? createSignInRequest(
					{
						profile: name === 'environment' ? undefined : name,
						email: credentials.email,
						host: new URL(credentials.authUrl).host,
					},
					() => session,
					{ runPasswordCommand: passwordCommandRunner(host, account), now: host.clock.now },
				)
			: undefined;
	const session = await openConfigured(host, account, shared, {
		askForPassword: passwordRequest?.ask,
		passwordCommandTerminal: 'none',
		onProblem,
		sharesWatch: true,
		passwordRequest,
	});
	followLog(host, session);
	return session;
}

import type { AccountSettings, Settings } from '../accounts/account-settings.ts';
import { exitCodes, UsageError } from '../shell/command.ts';
import { CommandError } from '../shell/command-failure.ts';
import type { Host } from '../shell/host.ts';
import { pathsOf, problemLines } from '../shell/load-settings.ts';

/** The account that a command is for. Where there is none, nobody is signed in. */
export function accountFor(host: Host, settings: Settings): AccountSettings {
	switch (settings.kind) {
		case 'account':
			return settings.account;
		case 'none':
			throw new CommandError(
				'auth',
				'no account is configured',
				'`crowsnest login` sets one up.',
				exitCodes.notSignedIn,
			);
		case 'wrong':
			throw new UsageError(problemLines(settings.problems, pathsOf(host).configPath));
	}
}

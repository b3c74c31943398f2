import type { AccountSettings, Settings } from '../accounts/account-settings.ts';
import { exitCodes, UsageError } from './command.ts';
import { pathsOf, problemLines } from './config-settings.ts';
import type { Host } from './host.ts';
import { CommandError } from './list-failure.ts';

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

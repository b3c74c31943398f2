import { readFileSync } from 'node:fs';
import { type AccountSettings, type Settings, settingsFrom } from '../accounts/account-settings.ts';
import type { Problem } from '../accounts/setting-reader.ts';
import { hasCode } from '../fleet/error.ts';
import { cleanText } from '../platform/clean.ts';
import { type Host, pathsOf } from '../session/host.ts';
import { exitCodes, type ParsedArgs } from './command.ts';
import { CommandError, UsageError } from './errors.ts';

/** Undefined when there is no file. */
export function readConfigText(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return undefined;
		throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : ''}`);
	}
}

/** What flags, environment and file say together. */
export function loadSettings(host: Host, args: ParsedArgs): Settings {
	const paths = pathsOf(host);
	return settingsFrom({
		flags: { profile: args.text('profile'), readOnly: args.flag('read-only') },
		environment: host.program.env,
		configText: readConfigText(paths.configPath),
		paths,
	});
}

/** As compilers say it, so that editors find the line. */
export function problemLines(problems: readonly Problem[], path: string): string {
	return problems
		.map(({ line, message }) => cleanText(line ? `${path}:${line}: ${message}` : message))
		.join('\n');
}

/** The account that a command is for. Where there is none, nobody is signed in. */
export function requireAccount(host: Host, settings: Settings): AccountSettings {
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

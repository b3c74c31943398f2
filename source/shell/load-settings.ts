import { readFileSync } from 'node:fs';
import { type AccountSettings, type Settings, settingsFrom } from '../accounts/account-settings.ts';
import type { Problem } from '../accounts/setting-reader.ts';
import { hasCode } from '../foundation/error.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import { type Host, pathsOf } from '../session/host.ts';
import { exitCodes, type ParsedArgs } from './command.ts';
import { CommandError, UsageError } from './errors.ts';

/** Returns the text of the configuration file, or undefined if the file does not exist. */
export function readConfigText(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return undefined;
		throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : ''}`);
	}
}

/** Combines the settings of the command line, the environment and the configuration file. */
export function loadSettings(host: Host, args: Pick<ParsedArgs, 'text' | 'flag'>): Settings {
	const paths = pathsOf(host);
	return settingsFrom({
		flags: { profile: args.text('profile'), readOnly: args.flag('read-only') },
		environment: host.program.env,
		configText: readConfigText(paths.configPath),
		paths,
	});
}

/** Formats the problems of a configuration as `path:line: message`, so that editors can jump to the line. */
export function problemLines(problems: readonly Problem[], path: string): string {
	return problems
		.map(({ line, message }) => cleanText(line ? `${path}:${line}: ${message}` : message))
		.join('\n');
}

/** Returns the configured account. Throws if no account is configured, or if the configuration is wrong. */
export function requireAccount(host: Host, settings: Settings): AccountSettings {
	switch (settings.kind) {
		case 'account':
			return settings.account;
		case 'none':
			throw new CommandError(
				'auth',
				'No account is configured',
				'Run `crowsnest login` to set one up.',
				exitCodes.notSignedIn,
			);
		case 'wrong':
			throw new UsageError(problemLines(settings.problems, pathsOf(host).configPath));
	}
}

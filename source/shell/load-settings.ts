import { readFileSync } from 'node:fs';
import { type Settings, settingsFrom } from '../accounts/account-settings.ts';
import { type Paths, pathsFrom } from '../accounts/paths.ts';
import { isCode } from '../accounts/private-file.ts';
import type { Problem } from '../accounts/setting-reader.ts';
import { cleanText } from '../platform/clean.ts';
import { type Given, UsageError } from './command.ts';
import type { Host } from './host.ts';

export function pathsOf({ program, home }: Host): Paths {
	return pathsFrom(program.env, home);
}

/** Undefined when there is no file. */
export function configTextAt(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		if (isCode(error, 'ENOENT')) return undefined;
		throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : ''}`);
	}
}

/** What flags, environment and file say together. */
export function settingsOf(host: Host, given: Given): Settings {
	const paths = pathsOf(host);
	return settingsFrom({
		flags: { profile: given.text('profile'), readOnly: given.flag('read-only') },
		environment: host.program.env,
		configText: configTextAt(paths.configPath),
		paths,
	});
}

/** As compilers say it, so that editors find the line. */
export function problemLines(problems: readonly Problem[], path: string): string {
	return problems
		.map(({ line, message }) => cleanText(line ? `${path}:${line}: ${message}` : message))
		.join('\n');
}

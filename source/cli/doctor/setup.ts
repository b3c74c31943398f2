import { statSync } from 'node:fs';
import type { AccountSettings, LoadedSettings } from '../../accounts/account-settings.ts';
import type { Paths } from '../../accounts/paths.ts';
import type { OwnCommand } from '../../fleet/operations/own-command.ts';
import { bindings } from '../../keys/bindings.ts';
import { takenKeyText, withOwnCommands } from '../../keys/own-command-bindings.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { loadOwnCommands } from '../../shell/load-own-commands.ts';
import { problemLines, severalProfilesText } from '../../shell/load-settings.ts';
import { type Check, maskedEmail, shortPath } from './check.ts';
import { isProgram } from './program-search.ts';

const oldestNodeVersion = [20, 19] as const;

export function programCheck({ version, program }: Host): Check {
	const nodeVersion = program.version;
	const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
	const isNewEnough =
		major > oldestNodeVersion[0] ||
		(major === oldestNodeVersion[0] && minor >= oldestNodeVersion[1]);
	const finding = `crowsnest ${version} on Node ${nodeVersion || 'of an unknown version'}, ${program.platform}`;
	if (isNewEnough) return { subject: 'Program', status: 'right', finding };
	const advice = `Install Node ${oldestNodeVersion.join('.')} or later.`;
	return { subject: 'Program', status: nodeVersion ? 'wrong' : 'unsure', finding, advice };
}

export function configurationChecks(settings: LoadedSettings, paths: Paths, home: string): Check[] {
	const subject = 'Configuration';
	const path = shortPath(paths.configPath, home);
	const exists = statSync(paths.configPath, { throwIfNoEntry: false }) !== undefined;
	const location = exists ? path : `no ${path} (not required)`;
	if (settings.kind === 'wrong') {
		const finding = problemLines(settings.problems, path).split('\n').join('; ');
		const advice = '`crowsnest config --example` shows every setting.';
		return [{ subject, status: 'wrong', finding, advice }];
	}
	if (settings.kind === 'none') {
		const finding = `${location}; no account is configured, so the monitor shows the demo`;
		return [{ subject, status: 'unsure', finding, advice: 'Run `crowsnest login` to set one up.' }];
	}
	if (settings.kind === 'choice') {
		const finding = `${location}; ${severalProfilesText(settings.profiles)}`;
		return [{ subject, status: 'unsure', finding }];
	}
	const { accounts, profiles } = settings;
	const finding = `${location}; profiles: ${profiles.map(({ name }) => cleanText(name)).join(', ') || 'none'}`;
	return [
		{ subject, status: 'right', finding },
		...accounts.map((account): Check => {
			return { subject: 'Account', status: 'right', finding: accountText(account) };
		}),
	];
}

/** Checks the own commands: one line for each mistake, and one for all commands that work. */
export function ownCommandsChecks(host: Host): readonly Check[] {
	const { commands, problems, barredBecause } = loadOwnCommands(host);
	const subject = 'Own commands';
	if (barredBecause !== undefined) return [{ subject, status: 'wrong', finding: barredBecause }];
	const { withoutKey } = withOwnCommands(bindings, commands);
	const path = shortPath(pathsOf(host).configPath, host.home);
	const searchPath = host.program.env['PATH'] ?? '';
	const unfound = commands.filter(command => !isProgram(programOf(command), searchPath));
	const found = commands.filter(command => !unfound.includes(command));
	const mistakes = [
		...problems.map(problem => problemLines([problem], path)),
		...withoutKey.map(takenKeyText),
	];
	const advice = '`crowsnest config --example` explains the settings of a command.';
	return [
		...mistakes.map((finding): Check => ({ subject, status: 'wrong', finding, advice })),
		...unfound.map((command): Check => {
			const finding = `${command.name}: there is no program ${programOf(command)}`;
			return { subject, status: 'wrong', finding };
		}),
		...(found.length > 0 ? [{ subject, status: 'right' as const, finding: namesOf(found) }] : []),
	];
}

const namesOf = (commands: readonly OwnCommand[]) => commands.map(({ name }) => name).join(', ');

/** Returns the program that a command starts. */
const programOf = ({ program }: OwnCommand) =>
	program.type === 'shell' ? '/bin/sh' : (program.words[0] ?? '');

function accountText({ name, baseUrl, credentials, preferences }: AccountSettings): string {
	const identity =
		credentials.kind === 'token'
			? `a token ${name === 'environment' ? 'from the environment' : 'that is stored'}`
			: `${maskedEmail(cleanText(credentials.email))} at ${credentials.authUrl}, password ${passwordText(credentials)}`;
	return `${name}: ${baseUrl}, ${identity}${preferences.readOnly ? ', read-only' : ''}`;
}

function passwordText(
	credentials: Extract<AccountSettings['credentials'], { kind: 'password' }>,
): string {
	if (credentials.password) return 'from the environment';
	return credentials.passwordCommand ? 'from a command' : 'typed when needed';
}

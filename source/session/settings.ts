import { constants } from 'node:fs';
import {
	type AccountSettings,
	accountOfProfile,
	type ChosenAccounts,
	type ConfigurationSources,
	type LoadedSettings,
	type ProfileChoice,
	preferencesWithoutProfile,
	profilesFrom,
	settingsFrom,
} from '../accounts/account-settings.ts';
import type { CommandSettings } from '../accounts/command-settings.ts';
import { configFrom } from '../accounts/config-text.ts';
import { NotPrivate, readBounded, reasonToDistrust } from '../accounts/private-file.ts';
import type { SettingProblem } from '../accounts/setting-values.ts';
import {
	CommandError,
	exitCodes,
	fileErrorText,
	hasCode,
	UsageError,
} from '../foundation/error.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import { type Host, pathsOf } from './host.ts';

export function readConfigText(path: string): string | undefined {
	try {
		// The configuration may be a link into a folder of such files.
		return readBounded(path, { flags: constants.O_RDONLY });
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return undefined;
		const reason = error instanceof NotPrivate ? 'it is not a file' : fileErrorText(error);
		throw new UsageError(`Cannot read ${path}: ${reason}`);
	}
}

export const readConfig = (host: Host) =>
	configFrom(readConfigText(pathsOf(host).configPath) ?? '');

type ChoosingArgs = { list(name: string): readonly string[]; flag(name: string): boolean };

/** Remembered profiles are used if several exist and none is chosen. */
export function loadSettings(
	host: Host,
	args: ChoosingArgs,
	rememberedProfiles: readonly string[] = [],
): LoadedSettings {
	const sources = sourcesOf(host, args);
	const settingsWith = (profiles: readonly string[]) =>
		settingsFrom({ ...sources, flags: { ...sources.flags, profiles } });
	const settings = settingsWith(args.list('profile'));
	const isOpen = settings.kind === 'choice' && rememberedProfiles.length > 0;
	return isOpen ? settingsWith(rememberedProfiles) : settings;
}

export function loadSettingsOfAll(host: Host, args: ChoosingArgs): LoadedSettings {
	const settings = loadSettings(host, args);
	if (settings.kind !== 'choice') return settings;
	const names = settings.profiles.map(({ name }) => name);
	return loadSettings(host, { flag: args.flag, list: () => names });
}

export const loadProfiles = (host: Host, args: Pick<ChoosingArgs, 'flag'>) =>
	profilesFrom(sourcesOf(host, args));

export const loadProfile = (host: Host, args: Pick<ChoosingArgs, 'flag'>, name: string) =>
	accountOfProfile(name, sourcesOf(host, args));

export const loadPreferences = (host: Host, args: Pick<ChoosingArgs, 'flag'>) =>
	preferencesWithoutProfile(sourcesOf(host, args));

function sourcesOf(host: Host, { flag }: Pick<ChoosingArgs, 'flag'>): ConfigurationSources {
	const paths = pathsOf(host);
	return {
		flags: {
			isForAllProfiles: flag('all-profiles'),
			preferences: {
				readOnly: flag('read-only') || undefined,
				alone: flag('alone') || undefined,
			},
		},
		environment: host.program.env,
		configText: readConfigText(paths.configPath),
		paths,
	};
}

export type LoadedCommands = CommandSettings & {
	barredBecause?: string;
};

export function loadOwnCommands(host: Host): LoadedCommands {
	const { config } = readConfig(host);
	const { commands } = config;
	const hasSsh = [config, ...config.profiles.values()].some(({ ssh }) => ssh);
	if (!hasSsh && commands.commands.length === 0 && commands.problems.length === 0) return commands;
	const distrust = reasonToDistrust(pathsOf(host).configPath);
	return distrust === undefined
		? commands
		: { ...commands, barredBecause: `Shells and own commands do not run: ${distrust}` };
}

export function problemLines(problems: readonly SettingProblem[], path: string): string {
	return problems
		.map(({ isInFile, line, message }) => {
			const place = line === undefined ? path : `${path}:${line}`;
			return cleanText(isInFile ? `${place}: ${message}` : message);
		})
		.join('\n');
}

export function requireAccounts(host: Host, settings: LoadedSettings): ChosenAccounts {
	switch (settings.kind) {
		case 'accounts':
			return settings.accounts;
		case 'choice':
			throw new UsageError(severalProfilesText(settings.profiles));
		case 'none': {
			const advice = 'Run `crowsnest login` to set one up.';
			throw new CommandError('auth', 'No account is configured', advice, exitCodes.notSignedIn);
		}
		case 'wrong':
			throw new UsageError(problemLines(settings.problems, pathsOf(host).configPath));
	}
}

export function requireAccount(host: Host, settings: LoadedSettings): AccountSettings {
	const [account, ...others] = requireAccounts(host, settings);
	if (others.length === 0) return account;
	const names = [account, ...others].map(({ name }) => name).join(', ');
	throw new UsageError(`This command works on one account; choose one with --profile: ${names}`);
}

export function severalProfilesText(profiles: readonly ProfileChoice[]): string {
	const names = profiles.map(({ name }) => name).join(', ');
	return `There are several profiles. Choose one with --profile: ${names}`;
}

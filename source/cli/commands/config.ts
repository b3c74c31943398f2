import { existsSync } from 'node:fs';
import type { LoadedSettings } from '../../accounts/account-settings.ts';
import { configExample } from '../../accounts/config-text.ts';
import { exitCodes, UsageError } from '../../foundation/error.ts';
import { type JsonFields, type JsonRecord, jsonText } from '../../foundation/json.ts';
import { checkAllKeys, mistakesIn } from '../../monitor/configuration.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { pathsOf } from '../../session/host.ts';
import {
	loadProfiles,
	loadSettings,
	problemLines,
	readConfig,
	severalProfilesText,
} from '../../session/settings.ts';
import type { Command } from '../command.ts';
import { alignedLines } from '../help.ts';
import { jsonOption, severalAccountsOptions } from '../options.ts';

export const config: Command = {
	name: 'config',
	summary: 'check the configuration',
	options: [
		...severalAccountsOptions,
		{ name: 'example', help: 'print a configuration that explains every setting' },
		{ name: 'path', help: 'print the path of the configuration' },
	],
	examples: ['crowsnest config', 'crowsnest config --example'],
	async run(host, args) {
		const { stdout, stderr } = host.program;
		const { configPath } = pathsOf(host);
		if (args.flag('example') || args.flag('path')) {
			stdout.write(args.flag('example') ? configExample() : `${configPath}\n`);
			return exitCodes.done;
		}
		const settings = loadSettings(host, args);
		const mistakes = mistakesIn(host, settings, checkAllKeys);
		if (settings.kind === 'wrong' || mistakes.length > 0) {
			stderr.write(`${mistakes.join('\n')}\n`);
			return exitCodes.usage;
		}
		const state = existsSync(configPath) ? 'is valid' : 'does not exist. It is optional';
		for (const line of [`${configPath} ${state}.`, ...accountLines(settings)])
			stdout.write(`${cleanText(line)}\n`);
		return exitCodes.done;
	},
};

function accountLines(settings: Exclude<LoadedSettings, { kind: 'wrong' }>): readonly string[] {
	if (settings.kind === 'none')
		return ['No account is configured. Run `crowsnest login` to set one up.'];
	if (settings.kind === 'choice') return [severalProfilesText(settings.profiles)];
	return settings.accounts.map(({ name, baseUrl }) => `Account in use: ${name} at ${baseUrl}`);
}

const profileFields = {
	name: 'name to use with --profile',
	url: 'base URL of the platform',
	email: 'e-mail to sign in with',
	password:
		'where the password comes from: not used with a token; empty if only the environment describes the account',
	readOnly: 'whether every change is refused',
	isUsed: 'whether it is opened when neither --profile nor --all-profiles is given',
	short: 'name in the column ACCOUNT',
	production: 'whether a typed confirmation contains the name of the profile, too',
} as const satisfies JsonFields;

export const profiles: Command = {
	name: 'profiles',
	isTool: true,
	summary: 'list the configured accounts',
	options: [...severalAccountsOptions, jsonOption],
	examples: ['crowsnest profiles'],
	json: { form: 'array', fields: profileFields },
	async run(host, args) {
		const { stdout } = host.program;
		const { config, problems } = readConfig(host);
		if (problems.length > 0) throw new UsageError(problemLines(problems, pathsOf(host).configPath));
		const settings = loadSettings(host, args);
		const used = settings.kind === 'accounts' ? settings.accounts : [];
		const rows = loadProfiles(host, { flag: () => false }).map(({ name, shortName }) => {
			const profile = config.profiles.get(name) ?? {};
			const typed = profile.passwordCommand ? 'from a command' : 'asked for';
			return {
				name,
				url: profile.url ?? '',
				email: cleanText(profile.email ?? ''),
				password: profile.signIn === 'token' ? 'not used' : typed,
				readOnly: profile.readOnly ?? config.readOnly ?? false,
				isUsed: used.some(each => each.name === name),
				short: shortName,
				production: profile.production ?? false,
			} satisfies JsonRecord<typeof profileFields>;
		});
		// An account of the environment has no profile.
		if (used[0] && !rows.some(({ isUsed }) => isUsed)) {
			const { name, shortName: short, baseUrl: url, user: email } = used[0];
			const unset = { password: '', readOnly: false, production: false };
			rows.push({ ...unset, name, url, email, isUsed: true, short });
		}
		const cells = rows.map(
			({ name, short, url, email, password, readOnly, production, isUsed }) => {
				const rules = [production && 'production', readOnly && 'read-only']
					.filter(Boolean)
					.join(', ');
				return [
					`${isUsed ? '*' : ' '} ${name}${short === name ? '' : ` (${short})`}`,
					url,
					email,
					...(password ? [`password ${password}`] : []),
					...(rules ? [rules] : []),
				];
			},
		);
		if (args.flag('json')) stdout.write(jsonText(rows));
		else if (rows.length === 0)
			stdout.write('No profiles yet. Run `crowsnest login` to add one.\n');
		else stdout.write(`${alignedLines(cells).join('\n')}\n`);
		return exitCodes.done;
	},
};

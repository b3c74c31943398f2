import { type Config, configFrom } from '../../accounts/config-text.ts';
import type { ProfileValues } from '../../accounts/settings.ts';
import { shortNamesOf } from '../../accounts/short-names.ts';
import { exitCodes, UsageError } from '../../foundation/error.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import type { JsonFields, JsonRecord } from '../../script/command.ts';
import { pathsOf } from '../../session/host.ts';
import { loadSettings, problemLines, readConfigText } from '../../session/settings.ts';
import type { Command } from '../command.ts';
import { alignedLines } from '../help.ts';
import { jsonOption, severalAccountsOptions } from '../options.ts';

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
	summary: 'list the configured accounts',
	options: [...severalAccountsOptions, jsonOption],
	examples: ['crowsnest profiles'],
	json: { form: 'array', fields: profileFields },
	async run(host, args) {
		const { configPath } = pathsOf(host);
		const { config, problems } = configFrom(readConfigText(configPath) ?? '');
		if (problems.length > 0) throw new UsageError(problemLines(problems, configPath));
		const settings = loadSettings(host, args);
		const usedAccounts = settings.kind === 'accounts' ? settings.accounts : [];
		const rows = profileRowsFrom(
			config,
			usedAccounts.map(({ name }) => name),
		);
		// An account that is set up only in the environment has no profile in the configuration file.
		const [usedAccount] = usedAccounts;
		if (usedAccount && !rows.some(({ isUsed }) => isUsed)) {
			const { name, shortName: short, baseUrl: url, user: email } = usedAccount;
			const source = { name, url, email, password: '', readOnly: false };
			rows.push({ ...source, isUsed: true, short, production: false });
		}
		const { stdout } = host.program;
		if (args.flag('json')) stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
		else if (rows.length === 0)
			stdout.write('No profiles yet. Run `crowsnest login` to add one.\n');
		else stdout.write(profileTable(rows));
		return exitCodes.done;
	},
};

type ProfileRow = {
	name: string;
	url: string;
	email: string;
	password: string;
	readOnly: boolean;
	isUsed: boolean;
	short: string;
	production: boolean;
} & JsonRecord<typeof profileFields>;

function profileRowsFrom(config: Config, usedNames: readonly string[]): ProfileRow[] {
	const profiles = config.profiles ?? new Map<string, ProfileValues>();
	const shortNames = shortNamesOf(profiles);
	return [...profiles].map(([name, profile]) => ({
		name,
		url: profile.url ?? '',
		email: cleanText(profile.email ?? ''),
		password:
			profile.signIn === 'token'
				? 'not used'
				: profile.passwordCommand
					? 'from a command'
					: 'asked for',
		readOnly: profile.readOnly ?? config.readOnly ?? false,
		isUsed: usedNames.includes(name),
		short: shortNames.get(name) ?? name,
		production: profile.production ?? false,
	}));
}

function profileTable(rows: readonly ProfileRow[]): string {
	const lines = rows.map(({ name, short, url, email, password, readOnly, production, isUsed }) => [
		`${isUsed ? '*' : ' '} ${name}${short === name ? '' : ` (${short})`}`,
		url,
		email,
		...(password ? [`password ${password}`] : []),
		...(production || readOnly
			? [[production && 'production', readOnly && 'read-only'].filter(Boolean).join(', ')]
			: []),
	]);
	return alignedLines(lines)
		.map(line => `${line}\n`)
		.join('');
}

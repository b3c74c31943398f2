import { type Config, configFrom } from '../../accounts/config-text.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { pathsOf } from '../../session/host.ts';
import { type Command, exitCodes, type JsonFields, type JsonRecord } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import { alignedLines } from '../../shell/help.ts';
import { loadSettings, problemLines, readConfigText } from '../../shell/load-settings.ts';
import { accountOptions, jsonOption } from '../../shell/options.ts';

const profileFields = {
	name: 'name to use with --profile',
	url: 'base URL of the platform',
	email: 'e-mail to sign in with',
	password: 'where the password comes from; empty if only the environment describes the account',
	readOnly: 'whether every change is refused',
	isUsed: 'whether it is the default when --profile is not given',
} as const satisfies JsonFields;

export const profiles: Command = {
	name: 'profiles',
	summary: 'list the configured accounts',
	options: [...accountOptions, jsonOption],
	examples: ['crowsnest profiles'],
	json: { form: 'array', fields: profileFields },
	async run(host, args) {
		const { configPath } = pathsOf(host);
		const { config, problems } = configFrom(readConfigText(configPath) ?? '');
		if (problems.length > 0) throw new UsageError(problemLines(problems, configPath));
		const settings = loadSettings(host, args);
		const usedAccount = settings.kind === 'account' ? settings.account : undefined;
		const rows = profileRowsFrom(config).map(row => ({
			...row,
			isUsed: row.name === usedAccount?.name,
		}));
		// An account that is set up only in the environment has no profile in the configuration file.
		if (usedAccount && !rows.some(({ isUsed }) => isUsed)) {
			const { name, baseUrl: url, user: email } = usedAccount;
			rows.push({ name, url, email, password: '', readOnly: false, isUsed: true });
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
} & JsonRecord<typeof profileFields>;

function profileRowsFrom(config: Config): readonly Omit<ProfileRow, 'isUsed'>[] {
	return [...(config.profiles ?? [])].map(([name, profile]) => ({
		name,
		url: profile.url ?? '',
		email: cleanText(profile.email ?? ''),
		password: profile.passwordCommand ? 'from a command' : 'asked for',
		readOnly: profile.readOnly ?? config.readOnly ?? false,
	}));
}

function profileTable(rows: readonly ProfileRow[]): string {
	const lines = rows.map(({ name, url, email, password, readOnly, isUsed }) => [
		`${isUsed ? '*' : ' '} ${name}`,
		url,
		email,
		...(password ? [`password ${password}`] : []),
		...(readOnly ? ['read-only'] : []),
	]);
	return alignedLines(lines)
		.map(line => `${line}\n`)
		.join('');
}

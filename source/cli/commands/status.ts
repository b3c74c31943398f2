import type { AccountSettings } from '../../accounts/account-settings.ts';
import { CommandError, exitCodes, UsageError } from '../../foundation/error.ts';
import type { FailureKind } from '../../foundation/failure.ts';
import { nearestName } from '../../foundation/nearest-name.ts';
import { amountText, countText } from '../../foundation/number-text.ts';
import { spacedAgeText } from '../../lines/time-text.ts';
import {
	createNotify,
	type JsonFields,
	type JsonRecord,
	type ParsedArgs,
	withAccount,
} from '../../script/command.ts';
import { isoTime } from '../../script/iso-time.ts';
import { joinedSummary, type KnownSummary, knownSummaryOf } from '../../script/known-summary.ts';
import { loadSettingsOfAll, requireAccounts } from '../../session/settings.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';
import { cleanForTerminal } from '../../terminal/features/escape-sequences.ts';
import { failureLabels } from '../../views/phrases/reads.ts';
import type { Command } from '../command.ts';
import { asciiOption, demoOption, jsonOption, severalAccountsOptions } from '../options.ts';

//  17 active · 1 error · 38.75 credits · 2 s
//  17 active · 2 changing · offline · 4 m
//  17 active · 38.75 credits · 3 h old                  no monitor runs
//  41 active · 2 error · 81.20 credits · 5 s · 1 of 3 accounts unknown
//  no data

// A shell prompt waits for this command, so this file imports as little code as possible.

/** The totals of the chosen accounts. */
type Status = { summary: KnownSummary; accounts: readonly string[]; now: number };

/** The fields of --format: what each means, and its text. */
const formatFields: Readonly<Record<string, { help: string; textOf: (status: Status) => string }>> =
	{
		total: { help: 'computers', textOf: ({ summary }) => countText(summary.total) },
		active: { help: 'active computers', textOf: ({ summary }) => countText(summary.active) },
		changing: {
			help: 'computers that are creating, starting, restarting, updating or stopping',
			textOf: ({ summary }) => countText(summary.changing),
		},
		stopped: { help: 'stopped computers', textOf: ({ summary }) => countText(summary.stopped) },
		error: { help: 'computers in error', textOf: ({ summary }) => countText(summary.error) },
		unknown: {
			help: 'computers with a status that crowsnest does not know',
			textOf: ({ summary }) => countText(summary.unknown),
		},
		behind: {
			help: 'computers behind the latest version; ? if none is known to be, and not all versions are read',
			textOf: ({ summary: { behind, versionsNotRead } }) =>
				behind === 0 && versionsNotRead > 0 ? '?' : countText(behind),
		},
		versionsNotRead: {
			help: 'computers whose version is not read yet',
			textOf: ({ summary }) => countText(summary.versionsNotRead),
		},
		credits: {
			help: 'credits left; ? if they are not known',
			textOf: ({ summary: { credits } }) => (credits === undefined ? '?' : amountText(credits)),
		},
		age: { help: 'age of the data, as in 2 s, 4 m or 3 h', textOf: ageOf },
		trouble: {
			help: 'why the platform cannot be read, as in offline; empty while it answers',
			textOf: ({ summary: { trouble } }) => (trouble === undefined ? '' : troubleText(trouble)),
		},
		source: {
			help: 'pane if a running monitor has the data, snapshot if the last run saved it',
			textOf: ({ summary }) => summary.source,
		},
		account: {
			help: 'name of the account',
			textOf: ({ accounts }) => cleanForTerminal(accounts.join(', ')),
		},
	};

export const fieldNames = Object.keys(formatFields);

const fieldWidth = Math.max(...fieldNames.map(name => `{${name}}  `.length));

const statusFields = {
	source: 'pane if a running monitor has the data, snapshot if the last run saved it',
	readAt: 'time when the computers were last read',
	ageSeconds: 'seconds since then',
	total: 'number of computers',
	active: 'number of active computers',
	changing: 'number of computers that are creating, starting, restarting, updating or stopping',
	stopped: 'number of stopped computers',
	error: 'number of computers in error',
	unknown: 'number of computers with a status that crowsnest does not know',
	behind: 'number of computers known to be behind the latest version',
	versionsNotRead: 'number of computers whose version is not read yet',
	credits: 'credits left in total',
	limits:
		'requests of the last minute and their limit, of reads and of statuses; null if no monitor runs',
	trouble: 'why the platform cannot be read: the kind of an error; null while it answers',
} as const satisfies JsonFields;

export const status: Command = {
	name: 'status',
	summary: 'print one short line for a shell prompt or a status bar',
	description: [
		'Reads from a running monitor, or else from the snapshot of the last run. It never sends a request,',
		'signs in or asks. If nothing is known, it prints "no data" and exits with 1; without an account, with 4.',
		'',
		'The fields of --format:',
		...Object.entries(formatFields).map(
			([name, { help }]) => `  ${`{${name}}`.padEnd(fieldWidth)}${help}`,
		),
	].join('\n'),
	options: [
		{
			name: 'format',
			valueName: 'TEXT',
			help: "print TEXT with its fields filled in: '{active} up, {error} bad'",
		},
		asciiOption,
		...severalAccountsOptions,
		demoOption,
		jsonOption,
	],
	examples: [
		'crowsnest status',
		"crowsnest status --format '{active}/{total} {error} err'",
		"tmux set -g status-right '#(crowsnest status)'",
	],
	json: { form: 'object', fields: statusFields, formForSeveral: 'array' },
	async run(host, args) {
		const { program, clock } = host;
		const isJson = args.flag('json');
		const format = formatFrom(args);
		const print = (line: string) => void program.stdout.write(`${line}\n`);
		const settings = loadSettingsOfAll(host, args);
		if (settings.kind === 'none' && !isJson) {
			print('no account');
			return exitCodes.notSignedIn;
		}
		const accounts = requireAccounts(host, settings);
		const found = await Promise.all(
			accounts.map(async account => {
				const notify = createNotify(program, isJson, nameAmong(accounts, account));
				return { account, summary: await knownSummaryOf(host, account, notify) };
			}),
		);
		const known = found.flatMap(({ account, summary }) => (summary ? [{ account, summary }] : []));
		const [first, ...others] = known;
		if (!first) {
			if (isJson) throw nothingKnown();
			print('no data');
			return exitCodes.failed;
		}
		const code = known.length < accounts.length ? exitCodes.partial : exitCodes.done;
		const now = clock.now();
		if (isJson) {
			const records = known.map(({ account, summary }) =>
				withAccount(statusRecord(summary, now), nameAmong(accounts, account)),
			);
			print(JSON.stringify(accounts.length > 1 ? records : records[0], undefined, 2));
			return code;
		}
		const joined: Status = {
			summary: joinedSummary([first.summary, ...others.map(({ summary }) => summary)]),
			accounts: known.map(({ account }) => account.name),
			now,
		};
		const { hasUnicode } = environmentFrom(
			program.env,
			args.flag('ascii') ? { hasUnicode: false } : {},
		);
		const missing = { count: accounts.length - known.length, of: accounts.length };
		print(format === undefined ? shortLine(joined, missing, hasUnicode) : filled(format, joined));
		return code;
	},
};

const nameAmong = (accounts: readonly AccountSettings[], { name }: AccountSettings) =>
	accounts.length > 1 ? name : undefined;

const nothingKnown = () =>
	new CommandError(
		'missing',
		'Nothing is known about this account yet',
		'Open crowsnest once, or run `crowsnest list`.',
	);

/** Returns the value of --format. Throws if it has a field that does not exist. */
function formatFrom(args: ParsedArgs): string | undefined {
	const format = args.text('format');
	if (format === undefined) return undefined;
	if (args.flag('json')) throw new UsageError('--format prints text; leave out --json');
	for (const [, name = ''] of format.matchAll(fieldPattern)) {
		if (fieldNames.includes(name)) continue;
		const nearest = nearestName(name, fieldNames);
		const hint = nearest ? `Did you mean {${nearest}}?` : `Fields: ${fieldNames.join(', ')}`;
		throw new UsageError(`--format: no field {${name}}. ${hint}`);
	}
	return format;
}

const fieldPattern = /\{(\w+)\}/g;

const filled = (format: string, joined: Status) =>
	format.replace(fieldPattern, (_, name: string) => formatFields[name]?.textOf(joined) ?? '');

function ageOf({ summary, now }: Status): string {
	return spacedAgeText(now - summary.readAt);
}

const troubleText = (kind: FailureKind) => failureLabels[kind];

/** Leaves out counts of 0, except the number of active computers. */
function shortLine(
	joined: Status,
	missing: { count: number; of: number },
	hasUnicode: boolean,
): string {
	const { summary } = joined;
	const { active, changing, error, unknown, credits, trouble, source } = summary;
	const count = (number: number, word: string) =>
		number === 0 ? '' : `${countText(number)} ${word}`;
	const parts = [
		`${countText(active)} active`,
		count(changing, 'changing'),
		count(error, 'error'),
		count(unknown, 'unknown'),
		credits === undefined ? '' : `${amountText(credits)} credits`,
		trouble === undefined ? '' : troubleText(trouble),
		`${ageOf(joined)}${source === 'snapshot' ? ' old' : ''}`,
		missing.count === 0 ? '' : `${missing.count} of ${missing.of} accounts unknown`,
	];
	return parts.filter(part => part !== '').join(hasUnicode ? ' · ' : ', ');
}

function statusRecord(summary: KnownSummary, now: number) {
	const { source, readAt, total, active, changing, stopped, error, unknown } = summary;
	const { behind, versionsNotRead } = summary;
	return {
		source,
		readAt: isoTime(readAt),
		ageSeconds: Math.max(0, Math.round((now - readAt) / 1000)),
		total,
		active,
		changing,
		stopped,
		error,
		unknown,
		behind,
		versionsNotRead,
		credits: summary.credits ?? null,
		limits: (source === 'pane' && summary.limits) || null,
		trouble: summary.trouble ?? null,
	} satisfies JsonRecord<typeof statusFields>;
}

import type { AccountSettings } from '../../accounts/account-settings.ts';
import { accountKey } from '../../accounts/credentials.ts';
import { CommandError, exitCodes, pathErrorText, UsageError } from '../../foundation/error.ts';
import { isoTime, type JsonFields, jsonRecord, jsonText } from '../../foundation/json.ts';
import { amountText, countText } from '../../foundation/number-text.ts';
import { readFleetSummary } from '../../journal/fleet-file.ts';
import { spacedAgeText } from '../../lines/time-text.ts';
import { terminalPreferencesFrom } from '../../script/display-options.ts';
import { stateOfLeader } from '../../script/fleet.ts';
import { labelAmong } from '../../script/read-accounts.ts';
import { createNotify } from '../../script/stderr.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { loadSettingsOfAll, requireAccounts } from '../../session/settings.ts';
import { logPath } from '../../session/state-folder.ts';
import { type FleetSummary, fleetSummaryOf } from '../../store/summarise-fleet.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';
import { failureLabels } from '../../views/phrases/reads.ts';
import { withAccount } from '../../views/records.ts';
import { type Command, wrongValueText } from '../command.ts';
import { alignedLines } from '../help.ts';
import { asciiOption, demoOption, jsonOption, severalAccountsOptions } from '../options.ts';

//  17 active · 1 error · 38.75 credits · 2 s
//  17 active · 2 changing · offline · 4 m
//  17 active · 38.75 credits · 3 h old                  no monitor runs
//  41 active · 2 error · 81.20 credits · 5 s · 1 of 3 accounts unknown
//  no data

type KnownSummary = FleetSummary & {
	source: 'pane' | 'snapshot';
	readAt: number;
	names: readonly string[];
};

const counts = {
	total: 'computers',
	active: 'active computers',
	changing: 'computers that are creating, starting, restarting, updating or stopping',
	stopped: 'stopped computers',
	error: 'computers in error',
	unknown: 'computers with a status that crowsnest does not know',
	behind: 'computers known to be behind the latest version',
	versionsNotRead: 'computers whose version is not read yet',
} as const;

type CountName = keyof typeof counts;

const countNames = Object.keys(counts) as readonly CountName[];

const forCounts = <T>(textOf: (name: CountName) => T) =>
	Object.fromEntries(countNames.map(name => [name, textOf(name)])) as Record<CountName, T>;

const sourceHelp = 'pane if a running monitor has the data, snapshot if the last run saved it';

type FormatField = readonly [help: string, textOf: (summary: KnownSummary, now: number) => string];

const formatFields: Readonly<Record<string, FormatField>> = {
	...forCounts((name): FormatField => [counts[name], summary => countText(summary[name])]),
	behind: [
		'computers behind the latest version; ? if none is known to be, and not all versions are read',
		({ behind, versionsNotRead }) =>
			behind === 0 && versionsNotRead > 0 ? '?' : countText(behind),
	],
	credits: [
		'credits left; ? if they are not known',
		({ credits }) => (credits === undefined ? '?' : amountText(credits)),
	],
	age: ['age of the data, as in 2 s, 4 m or 3 h', ({ readAt }, now) => spacedAgeText(now - readAt)],
	trouble: [
		'why the platform cannot be read, as in offline; empty while it answers',
		({ trouble }) => (trouble === undefined ? '' : failureLabels[trouble]),
	],
	source: [sourceHelp, ({ source }) => source],
	account: ['name of the account', ({ names }) => names.join(', ')],
};

export const fieldNames = Object.keys(formatFields);

const statusFields = {
	source: sourceHelp,
	readAt: 'time when the computers were last read',
	ageSeconds: 'seconds since then',
	...forCounts(name => `number of ${counts[name]}`),
	credits: 'credits left in total',
	limits:
		'requests of the last minute and their limit, of reads and of statuses; null if no monitor runs',
	trouble: 'why the platform cannot be read: the kind of an error; null while it answers',
} as const satisfies JsonFields;

export const status: Command = {
	name: 'status',
	isTool: true,
	summary: 'print one short line for a shell prompt or a status bar',
	description: [
		'Reads from a running monitor, or else from the snapshot of the last run. It never sends a request,',
		'signs in or asks. If nothing is known, it prints "no data" and exits with 1; without an account, with 4.',
		'',
		'The fields of --format:',
		...alignedLines(Object.entries(formatFields).map(([name, [help]]) => [`  {${name}}`, help])),
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
		const format = args.text('format');
		if (format !== undefined && isJson)
			throw new UsageError('--format prints text; leave out --json');
		for (const [, name = ''] of format?.matchAll(fieldPattern) ?? [])
			if (!fieldNames.includes(name))
				throw new UsageError(wrongValueText('--format', name, fieldNames));
		const print = (line: string) => void program.stdout.write(`${line}\n`);
		const settings = loadSettingsOfAll(host, args);
		if (settings.kind === 'none' && !isJson) {
			print('no account');
			return exitCodes.notSignedIn;
		}
		const accounts = requireAccounts(host, settings);
		const found = await Promise.all(
			accounts.map(account => {
				const notify = createNotify(program, isJson, labelAmong(accounts, account));
				return knownSummaryOf(host, account, notify);
			}),
		);
		const known = found.filter(each => each !== undefined);
		const [first, ...others] = known;
		if (!first) {
			const advice = 'Open crowsnest once, or run `crowsnest list`.';
			if (isJson)
				throw new CommandError('missing', 'Nothing is known about this account yet', advice);
			print('no data');
			return exitCodes.failed;
		}
		const code = known.length < accounts.length ? exitCodes.partial : exitCodes.done;
		const now = clock.now();
		if (isJson) {
			const isOne = accounts.length === 1;
			const records = known.map(each => {
				const record = jsonRecord(statusFields, {
					...each,
					readAt: isoTime(each.readAt),
					ageSeconds: Math.max(0, Math.round((now - each.readAt) / 1000)),
					limits: each.source === 'pane' ? each.limits : null,
				});
				return withAccount(record, isOne ? undefined : each.names[0]);
			});
			program.stdout.write(jsonText(isOne ? records[0] : records));
			return code;
		}
		const summary = others.reduce(joined, first);
		const textOf = (name: string) => formatFields[name]?.[1](summary, now) ?? '';
		const missing = accounts.length - known.length;
		const unknown = missing === 0 ? '' : `${missing} of ${accounts.length} accounts unknown`;
		const { hasUnicode } = environmentFrom(program.env, terminalPreferencesFrom(args));
		print(
			format === undefined
				? [...shortParts(summary, textOf), unknown].filter(Boolean).join(hasUnicode ? ' · ' : ', ')
				: format.replace(fieldPattern, (_, name: string) => textOf(name)),
		);
		return code;
	},
};

const fieldPattern = /\{(\w+)\}/g;

async function knownSummaryOf(
	host: Host,
	settings: AccountSettings,
	notify: (line: string) => void,
): Promise<KnownSummary | undefined> {
	const account = accountKey(settings);
	const names = [settings.name];
	const leader = await stateOfLeader(host, account);
	if (leader) {
		const { readAt, ...summary } = fleetSummaryOf(leader, host.clock.now());
		if (readAt !== undefined) return { ...summary, names, readAt, source: 'pane' };
	}
	try {
		const kept = readFleetSummary(logPath(host), account);
		if (kept?.readAt === undefined) return undefined;
		// The problem of the last run may be over.
		const { trouble: _, readAt, ...summary } = kept;
		return { ...summary, names, readAt, source: 'snapshot' };
	} catch (error) {
		const reason = pathErrorText(pathsOf(host).statePath, error);
		notify(`Cannot read the last known fleet: ${reason}`);
		return undefined;
	}
}

/** As old as its oldest part, and from a snapshot if any part is. */
function joined(sum: KnownSummary, each: KnownSummary): KnownSummary {
	const hasCredits = sum.credits !== undefined || each.credits !== undefined;
	return {
		...forCounts(name => sum[name] + each[name]),
		names: [...sum.names, ...each.names],
		readAt: Math.min(sum.readAt, each.readAt),
		source: sum.source === 'pane' ? each.source : sum.source,
		credits: hasCredits ? (sum.credits ?? 0) + (each.credits ?? 0) : undefined,
		trouble: sum.trouble ?? each.trouble,
	};
}

function shortParts(summary: KnownSummary, textOf: (name: string) => string): readonly string[] {
	const count = (name: CountName) => (summary[name] === 0 ? '' : `${textOf(name)} ${name}`);
	return [
		`${textOf('active')} active`,
		count('changing'),
		count('error'),
		count('unknown'),
		summary.credits === undefined ? '' : `${textOf('credits')} credits`,
		textOf('trouble'),
		`${textOf('age')}${summary.source === 'snapshot' ? ' old' : ''}`,
	];
}

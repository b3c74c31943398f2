import * as v from 'valibot';
import { statusWords } from '../fleet/computers/computer.ts';
import { shortHash } from '../foundation/short-hash.ts';
import {
	count,
	duration,
	exampleLinesOf,
	oneOf,
	readSetting,
	type SettingProblem,
	setting,
	tableOf,
	wordList,
} from './setting-values.ts';

export const hookKinds = [
	'computerFailed',
	'operationEnded',
	'creditsLow',
	'accountDown',
	'stateChanged',
] as const;

export type HookKind = (typeof hookKinds)[number];

export type Hook = {
	/** A hash of what the hook does, which stays the same when others are added to the file. */
	id: string;
	on: readonly HookKind[];
	from?: readonly string[];
	to?: readonly string[];
	command: readonly string[];
	/** Between two runs for the same computer. */
	cooldownMs: number;
	timeoutMs: number;
	maxRunning: number;
};

export const hookFields = {
	kind: `one of ${hookKinds.join(', ')}`,
	account: 'name of the profile',
	computer: 'object with id, name and address; null for a change of the whole account',
	operation: 'operation that ended, such as stop; otherwise null',
	from: 'status before the change; null for a new computer, and if there is none',
	to: 'status now, or the outcome of the operation (done, failed or unknown); null for a removed computer',
	reason: 'why, if it is known: an error message, or why a computer stopped',
	time: 'time when crowsnest saw the change',
	merged: 'number of earlier changes that waited for the cooldown and were replaced by this one',
} as const;

export const hookVariables = {
	CROWSNEST_EVENT: 'kind of the change',
	CROWSNEST_ACCOUNT: 'name of the profile',
	CROWSNEST_COMPUTER_ID: 'id of the computer',
	CROWSNEST_COMPUTER_NAME: 'name of the computer',
	CROWSNEST_COMPUTER_ADDRESS: 'address of the computer',
	CROWSNEST_FROM: 'status before',
	CROWSNEST_TO: 'status now, or the outcome of the operation',
	CROWSNEST_REASON: 'why, if it is known',
} as const;

const variablesText = Object.keys(hookVariables).join(', ').replaceAll(', CROWSNEST', ', ');

const someOf = <const Name extends string>(...names: readonly Name[]) =>
	v.pipe(
		v.unknown(),
		v.transform(value => [value].flat()),
		v.array(oneOf(...names)),
		v.nonEmpty('must not be empty'),
	);

export const hookSettings = {
	on: setting(
		someOf(...hookKinds),
		'["computerFailed", "stateChanged"]',
		`The changes: ${hookKinds.map(kind => `"${kind}"`).join(', ')}.`,
	),
	from: setting(
		someOf(...statusWords),
		'["active"]',
		'For "stateChanged": the statuses before and after the change. By default, any status.',
	),
	to: setting(someOf(...statusWords), '["stopped", "error"]'),
	command: setting(
		wordList('must be a program with its arguments, such as ["notify-send", "crowsnest"]'),
		'["sh", "-c", "cat >> ~/crowsnest-events.jsonl"]',
		'The program and its arguments. It gets one JSON object on stdin, and in its environment\n' +
			`${variablesText}.`,
	),
	cooldown: setting(
		duration,
		'"60s"',
		'The time between two runs for the same computer. Later changes wait, and are merged.',
	),
	timeout: setting(duration, '"10s"', 'The time limit of a run.'),
	maxRunning: setting(count, '4', 'The most runs at the same time.'),
};

export const hookExample = [
	'# Programs that run when something changes, in any monitor or `crowsnest watch` of this machine. Write as many [[hooks]] as',
	'# you like. They run neither in the demo nor from a file that others can write.',
	'#[[hooks]]',
	exampleLinesOf(hookSettings),
	'# A message to your phone by ntfy.sh:',
	'#[[hooks]]',
	'#on = ["computerFailed", "creditsLow", "accountDown"]',
	`#command = ["sh", "-c", 'curl -s -d "$CROWSNEST_EVENT $CROWSNEST_ACCOUNT $CROWSNEST_COMPUTER_NAME" ntfy.sh/YOUR-TOPIC']`,
	'',
	'# A desktop notification when a computer falls asleep:',
	'#[[hooks]]',
	'#on = ["stateChanged"]',
	'#to = ["stopped"]',
	`#command = ["sh", "-c", 'notify-send crowsnest "$CROWSNEST_COMPUTER_NAME: $CROWSNEST_TO ($CROWSNEST_REASON)"']`,
	'',
].join('\n');

const hookSchema = v.pipe(
	tableOf(hookSettings),
	v.rawTransform(({ dataset, addIssue, NEVER }) => {
		const { on, from, to, command, cooldown, timeout, maxRunning } = dataset.value;
		if (on && !on.includes('stateChanged') && (from || to))
			addIssue({ message: 'has from or to, which only "stateChanged" uses' });
		if (on && command) {
			const hook: Hook = {
				id: shortHash(JSON.stringify([on, from, to, command]), 12),
				on,
				from,
				to,
				command,
				cooldownMs: cooldown ?? 60_000,
				timeoutMs: timeout ?? 10_000,
				maxRunning: maxRunning ?? 4,
			};
			return hook;
		}
		addIssue({ message: `has no ${on ? 'command' : 'on'}; see crowsnest config --example` });
		return NEVER;
	}),
);

export type HookSettings = { hooks: readonly Hook[]; problems: readonly SettingProblem[] };

/** A hook with a mistake is left out, and the others work. */
export function hooksFrom(tables: unknown = []): HookSettings {
	if (!Array.isArray(tables)) {
		const problem = { message: 'hooks must be written as [[hooks]]', isInFile: true };
		return { hooks: [], problems: [problem] };
	}
	const read = tables.map((table, index) =>
		readSetting(hookSchema, table, ['hooks', String(index + 1)]),
	);
	return {
		hooks: read.flatMap(({ value }) => value ?? []),
		problems: read.flatMap(({ problems }) => problems),
	};
}

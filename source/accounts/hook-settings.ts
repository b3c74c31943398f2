import { statusWords } from '../fleet/computers/computer.ts';
import { shortHash } from '../foundation/short-hash.ts';
import {
	createSettingPath,
	isTable,
	type SettingProblem,
	type SettingReader,
	tableReader,
} from './setting-reader.ts';
import { oneOfReader, readArgumentList, readCount, readDuration } from './setting-values.ts';

/** The kinds of changes on which a hook runs. */
export const hookKinds = [
	'computerFailed',
	'operationEnded',
	'creditsLow',
	'accountDown',
	'stateChanged',
] as const;

export type HookKind = (typeof hookKinds)[number];

/** A program that runs when something changes. */
export type Hook = {
	/** Identifies the hook by what it does, so that the id stays the same when other hooks are added to the file. */
	id: string;
	on: readonly HookKind[];
	/** The statuses of a `stateChanged` before and after; any status if absent. */
	from?: readonly string[];
	to?: readonly string[];
	/** The program and its arguments. */
	command: readonly string[];
	/** The milliseconds between two runs for the same computer. */
	cooldownMs: number;
	timeoutMs: number;
	/** How many runs there may be at the same time. */
	maxRunning: number;
};

export const hookDefaults = { cooldown: 60_000, timeout: 10_000, maxRunning: 4 } as const;

function listReader<T>(readOne: SettingReader<T>): SettingReader<readonly T[]> {
	return (value, path) => {
		const values = Array.isArray(value) ? value : [value];
		if (values.length === 0) return path.reject('must not be empty');
		const read = values.map(each => readOne(each, path));
		const found = read.filter(each => each !== undefined);
		return found.length === values.length ? found : undefined;
	};
}

const readStatuses = listReader(oneOfReader(...statusWords));

/** The fields of the JSON object that a hook reads from stdin, with their meanings. */
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

/** The variables of the environment of a hook, with their meanings. Missing values are empty. */
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

const variablesText = Object.keys(hookVariables)
	.map((name, index) => (index === 0 ? name : name.replace('CROWSNEST', '')))
	.join(', ');

export const hookSettings = {
	on: {
		explanation: `The changes: ${hookKinds.map(kind => `"${kind}"`).join(', ')}.`,
		example: '["computerFailed", "stateChanged"]',
		read: listReader(oneOfReader(...hookKinds)),
	},
	from: {
		explanation:
			'For "stateChanged": the statuses before and after the change. By default, any status.',
		example: '["active"]',
		read: readStatuses,
	},
	to: { explanation: '', example: '["stopped", "error"]', read: readStatuses },
	command: {
		explanation:
			'The program and its arguments. It gets one JSON object on stdin, and in its environment\n' +
			`${variablesText}.`,
		example: '["sh", "-c", "cat >> ~/crowsnest-events.jsonl"]',
		read: readArgumentList,
	},
	cooldown: {
		explanation:
			'The time between two runs for the same computer. Later changes wait, and are merged.',
		example: '"60s"',
		read: readDuration,
	},
	timeout: { explanation: 'The time limit of a run.', example: '"10s"', read: readDuration },
	maxRunning: { explanation: 'The most runs at the same time.', example: '4', read: readCount },
};

/** The part of the example configuration about hooks. */
export const hookExample = [
	'# Programs that run when something changes, in any monitor or `crowsnest watch` of this machine. Write as many [[hooks]] as',
	'# you like. They run neither in the demo nor from a file that others can write.',
	'#[[hooks]]',
	...Object.entries(hookSettings).flatMap(([name, { explanation, example }]) => [
		...(explanation === '' ? [] : explanation.split('\n').map(line => `# ${line}`)),
		`#${name} = ${example}`,
	]),
	'',
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

const readHookTable = tableReader(hookSettings);

/** The valid hooks of a configuration, and the mistakes in the others. */
export type HookSettings = { hooks: readonly Hook[]; problems: readonly SettingProblem[] };

export const noHooks: HookSettings = { hooks: [], problems: [] };

/**
 * Reads `[[hooks]]`. A hook with a mistake is left out. Its problems are returned separately, because the program and
 * the other hooks work without it.
 */
export function hooksFrom(value: unknown): HookSettings {
	if (value === undefined) return noHooks;
	const problems: SettingProblem[] = [];
	if (!Array.isArray(value)) {
		createSettingPath(problems, ['hooks']).reject('must be written as [[hooks]]');
		return { hooks: [], problems };
	}
	const hooks = value.flatMap((table, index) => {
		const own: SettingProblem[] = [];
		const hook = hookFrom(table, createSettingPath(own, ['hooks', String(index + 1)]));
		problems.push(...own);
		return hook && own.length === 0 ? [hook] : [];
	});
	return { hooks, problems };
}

function hookFrom(table: unknown, path: Parameters<SettingReader<unknown>>[1]): Hook | undefined {
	const values = readHookTable(table, path);
	if (!values || !isTable(table)) return undefined;
	const { on, command, from, to, cooldown, timeout, maxRunning } = values;
	for (const name of ['on', 'command'])
		if (!(name in table)) path.reject(`has no ${name}; see crowsnest config --example`);
	if (on && !on.includes('stateChanged') && (from || to))
		path.reject('has from or to, which only "stateChanged" uses');
	if (!on || !command) return undefined;
	return {
		id: shortHash(JSON.stringify([on, from, to, command]), 12),
		on,
		command,
		...(from && { from }),
		...(to && { to }),
		cooldownMs: cooldown ?? hookDefaults.cooldown,
		timeoutMs: timeout ?? hookDefaults.timeout,
		maxRunning: maxRunning ?? hookDefaults.maxRunning,
	};
}

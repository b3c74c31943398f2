import { PassThrough } from 'node:stream';
import { accountKey } from '../../accounts/credentials.ts';
import { profileVariable } from '../../accounts/settings.ts';
import type { Fact } from '../../fleet/fact.ts';
import { builtInOperationIds, operationRowOf } from '../../fleet/operations/operation-table.ts';
import { CommandError, exitCodes, UsageError } from '../../foundation/error.ts';
import { jsonText } from '../../foundation/json.ts';
import { isObject, jsonFrom } from '../../foundation/schema.ts';
import { shortHash } from '../../foundation/short-hash.ts';
import { maxTargets } from '../../operations/question.ts';
import { obstacleTo } from '../../operations/why-not.ts';
import { computersNamed } from '../../script/choose-computers.ts';
import { factsOfLeader, stateOfLeader } from '../../script/fleet.ts';
import type { ParsedArgs } from '../../script/parsed-args.ts';
import { accountsFor } from '../../script/print.ts';
import { readOnlyError } from '../../script/stderr.ts';
import { type Host, programWith } from '../../session/host.ts';
import { maxWaitingProposals, proposalOutcome, waitingProposals } from '../../store/proposals.ts';
import type { Command, Option } from '../command.ts';
import { runCommandLine } from '../command-line.ts';
import { accountOptions, demoOption, jsonOption, readOnlyOption } from '../options.ts';

// The Model Context Protocol: JSON-RPC 2.0 on stdin and stdout, one message a line.
//
//   {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list","arguments":{"filter":"status:error"}}}
//   {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"[…]"}],"isError":false}}

const protocolVersions = ['2025-11-25', '2025-06-18', '2024-11-05'];

const maxLineLength = 1_000_000;

const instructions =
	'crowsnest watches a fleet of cloud computers. An operation can only be proposed: it is shown to the person at an open monitor, ' +
	'who alone can open its question and answer it. `proposals` says what became of it, and `log` what was done.';

type Fields = Readonly<Record<string, unknown>>;

export const mcp: Command = {
	name: 'mcp',
	summary: 'let an assistant read the fleet, and propose operations to you',
	description:
		'Speaks the Model Context Protocol on stdin and stdout. An operation that the assistant proposes is\n' +
		'shown in an open monitor. Only you can open its question there (A) and answer it; without a monitor\n' +
		'it is refused.',
	options: [...accountOptions, readOnlyOption, demoOption],
	examples: ['crowsnest mcp', 'claude mcp add crowsnest -- crowsnest mcp --profile work'],
	async run(host, args, commands) {
		const { stdin, stdout, env } = host.program;
		const reading = commands.filter(({ isTool }) => isTool);
		const tools = args.flag('read-only') ? reading : [...reading, propose, proposals];
		const chosen = args.list('profile');
		const profiles = chosen.join(',') || env[profileVariable];
		const own = programWith(host.program, { env: { ...env, [profileVariable]: profiles } });
		/** One tool runs after another. */
		let idle: Promise<unknown> = Promise.resolve();

		function call({ name, arguments: given = {} }: Fields): Promise<object> | object {
			const tool = tools.find(each => each.name === name);
			if (!tool || !isObject(given)) return failed(-32_602, 'There is no such tool');
			const { profile, 'all-profiles': isForAll } = given;
			const asked = profile === undefined ? [] : String(profile).split(',');
			const hidesValue = Object.keys(given).some(each => each.includes('='));
			const isInside = asked.every(each => chosen.includes(each));
			if (chosen.length > 0 && (hidesValue || isForAll || !isInside))
				return failed(-32_602, `Only with these profiles: ${chosen.join(', ')}`);
			const result = idle.then(() => runTool({ ...host, program: own }, tools, tool, given));
			idle = result.catch(() => {});
			return result;
		}

		const initialized = (asked: unknown) => ({
			protocolVersion: protocolVersions.find(each => each === asked) ?? protocolVersions[0],
			capabilities: { tools: {} },
			serverInfo: { name: 'crowsnest', version: host.version },
			instructions,
		});

		function answerTo(method: string, params: Fields): Promise<object> | object {
			switch (method) {
				case 'initialize':
					return { result: initialized(params['protocolVersion']) };
				case 'ping':
					return { result: {} };
				case 'tools/list':
					return { result: { tools: tools.map(toolFrom) } };
				case 'tools/call':
					return call(params);
				default:
					return failed(-32_601, `There is no method ${method}`);
			}
		}

		async function receive(line: string) {
			const message = line.length > maxLineLength ? undefined : jsonFrom(line);
			const { id, method, params = {} } = isObject(message) ? message : {};
			const isRequest = typeof method === 'string' && isObject(params);
			if (isRequest && id === undefined) return;
			const answer = isRequest
				? answerTo(method, params)
				: message === undefined
					? failed(-32_700, 'This is no JSON, or too long')
					: failed(-32_600, 'This is no request');
			const body = await Promise.resolve(answer).catch(() => failed(-32_603, 'Unexpected error'));
			stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: id ?? null, ...body })}\n`);
		}

		let answered: Promise<unknown> = Promise.resolve();
		let unfinished = '';
		stdin.setEncoding('utf8');
		for await (const text of stdin) {
			const lines = `${unfinished}${text}`.split('\n');
			// The rest of a line that is too long is forgotten.
			unfinished = (lines.pop() ?? '').slice(0, maxLineLength + 1);
			for (const line of lines.filter(each => each.trim() !== ''))
				answered = Promise.all([answered, receive(line)]).then(() => {});
		}
		await answered;
		return exitCodes.done;
	},
};

/** The codes are those of JSON-RPC. */
const failed = (code: number, message: string) => ({ error: { code, message } });

/** They change how text looks, what the server shows, or how long other tools wait. */
const hiddenOptions = ['ascii', 'by', 'columns', 'demo', 'format', 'json', 'timeout'];

function toolFrom({ name, summary, argumentUsage, options, json }: Command) {
	const shown = options.filter(option => !hiddenOptions.includes(option.name));
	const computers = { type: 'array', items: { type: 'string' }, description: 'names or ids' };
	const returned = Object.entries(json?.fields ?? {}).map(([field, text]) => `${field}: ${text}`);
	return {
		name,
		description: [summary, ...(returned.length > 0 ? ['Returns:', ...returned] : [])].join('\n'),
		inputSchema: {
			type: 'object',
			properties: {
				...(argumentUsage && { computers }),
				...Object.fromEntries(shown.map(option => [option.name, schemaOf(option)])),
			},
			additionalProperties: false,
		},
		annotations: { readOnlyHint: name !== propose.name },
	};
}

const schemaOf = ({ valueName, values, help }: Option) => ({
	type: valueName === undefined ? 'boolean' : 'string',
	description: help,
	enum: typeof values === 'object' ? values : undefined,
});

const longestTool = '60s';

async function runTool(
	host: Host,
	tools: readonly Command[],
	{ name, options: known }: Command,
	{ computers = [], ...given }: Fields,
) {
	const hasTimeout = known.some(option => option.name === 'timeout');
	const chosen = { ...given, ...(hasTimeout && { timeout: longestTool }) };
	const options = Object.entries(chosen).flatMap(([option, value]) => {
		if (typeof value === 'boolean') return value ? [`--${option}`] : [];
		return [`--${option}=${String(value)}`];
	});
	const words = [name, ...options, '--json', '--', ...[computers].flat().map(String)];
	const createOutput = () => new PassThrough({ highWaterMark: Number.MAX_SAFE_INTEGER });
	const outputs = { stdout: createOutput(), stderr: createOutput() };
	const program = programWith(host.program, {
		...(outputs as unknown as Pick<Host['program'], 'stdout' | 'stderr'>),
		// Nobody can be asked for a password.
		isInputTerminal: () => false,
	});
	const code = await runCommandLine({ ...host, program }, tools, words);
	const texts = [outputs.stdout, outputs.stderr].map(each => String(each.read() ?? '').trimEnd());
	const content = texts.filter(Boolean).map(text => ({ type: 'text', text }));
	return { result: { content, isError: code !== exitCodes.done } };
}

const propose: Command = {
	name: 'propose',
	describedBy: mcp.name,
	summary:
		'show an operation to the person at an open monitor. Nothing is sent: only the person can open its question and answer it',
	argumentUsage: 'ID…',
	options: [
		{
			name: 'operation',
			valueName: 'OPERATION',
			values: builtInOperationIds,
			help: 'what to do to the computers',
		},
		{ name: 'port', valueName: 'PORT', help: 'the port to publish or unpublish' },
		{ name: 'name', valueName: 'NAME', help: 'the name of the computer to create' },
		...accountOptions,
		jsonOption,
	],
	examples: [],
	async run(host, args) {
		const [account] = accountsFor(host, args);
		const { name, preferences } = account;
		if (preferences.readOnly) throw readOnlyError();
		const key = accountKey(account);
		const proposal = await proposalFrom(host, args, key);
		let seen: 'open' | 'readOnly' | undefined;
		const facts = await factsOfLeader(host, key, screen => {
			seen = screen;
			return screen === 'open' ? proposal : undefined;
		});
		const refused = (reason: string, advice: string) =>
			new CommandError('not-allowed', `Not proposed: ${reason}`, advice);
		if (seen === 'readOnly') throw refused(`the monitor of ${name} is read-only`, '');
		if (!seen || facts.length === 0) {
			const reason = `no open monitor of ${name} has answered, where a person could decide`;
			throw refused(reason, 'Ask the person to open crowsnest.');
		}
		host.program.stdout.write(
			`Shown in the monitor of ${name}. Nothing is sent before the person opens the question with A and answers it. \`proposals\` says what became of it.`,
		);
		return exitCodes.done;
	},
};

const proposals: Command = {
	name: 'proposals',
	describedBy: mcp.name,
	summary: 'say what became of the latest proposals: waiting, opened, dismissed or expired',
	options: [...accountOptions, jsonOption],
	examples: [],
	async run(host, args) {
		const [account] = accountsFor(host, args);
		const all = (await stateOfLeader(host, accountKey(account)))?.proposals ?? [];
		const records = all.map(each => {
			const { operation, computers, port, name } = each;
			return { operation, computers, port, name, outcome: proposalOutcome(each, host.clock.now()) };
		});
		host.program.stdout.write(jsonText(records));
		return exitCodes.done;
	},
};

async function proposalFrom(
	host: Host,
	args: ParsedArgs,
	account: string,
): Promise<Fact | undefined> {
	const operation = builtInOperationIds.find(id => id === args.text('operation'));
	if (!operation) throw new UsageError('propose needs an operation');
	const state = await stateOfLeader(host, account);
	if (!state?.reads.list?.answer) return undefined;
	const computers = computersNamed(state, args.positionals);
	const isCreate = operationRowOf(operation).subject === 'account';
	if (isCreate !== (computers.length === 0))
		throw new UsageError(isCreate ? 'create takes no computers' : `${operation} needs computers`);
	if (computers.length > maxTargets) throw new UsageError(`At most ${maxTargets} computers`);
	const port = args.wholeNumber('port', 1, 65_535);
	const obstacles = computers.flatMap(computer => {
		const obstacle = obstacleTo(state, operation, computer, { port });
		return obstacle ? `${computer.reading.name || computer.id}: ${obstacle.reason}` : [];
	});
	if (obstacles.length > 0) throw new UsageError(`Not proposed: ${obstacles.join('; ')}`);
	const ids = computers.map(({ id }) => id);
	const proposed = { operation, computers: ids, port, name: args.text('name') };
	// The same proposal again takes the place of the one before.
	const key = shortHash(JSON.stringify(proposed));
	const others = waitingProposals(state.proposals, host.clock.now()).filter(
		each => each.key !== key,
	);
	if (others.length >= maxWaitingProposals)
		throw new UsageError(`Not proposed: ${others.length} proposals wait for the person already`);
	return { account, at: host.clock.now(), type: 'proposed', key, ...proposed };
}

import { isIP } from 'node:net';
import type { OperationId } from '../fleet/operations/operation.ts';
import {
	type CommandLine,
	type CommandValues,
	commandVariables,
	type OperationDetails,
	type OperationRow,
	type OwnCommand,
	ownCommandId,
	type PlaceholderName,
	placeholderIn,
	placeholderNames,
	type QuestionContext,
	type Target,
} from '../fleet/operations/operation-row.ts';
import { addOperation, commonRow, operationRowOf } from '../fleet/operations/operation-table.ts';
import { isPublicHost } from '../foundation/network.ts';
import { shellCommandFrom } from '../foundation/shell-words.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import type { CommandRunner } from './command-runner.ts';

/** All rules of operations apply to them; a program runs in place of a request. The returned function removes them. */
export function addOwnCommands(
	commands: readonly OwnCommand[],
	{ runner, barredBecause }: { runner: CommandRunner; barredBecause?: string },
): () => void {
	const removals = commands.map(command =>
		addOperation(ownCommandId(command), {
			...ownCommandRow(command, barredBecause),
			async run({ key, computer = '', name, commandLine }, { onSent, signal }) {
				onSent();
				if (signal.aborted || !commandLine || barredBecause !== undefined)
					throw new PlatformError(createFailure('cancelled', 'the command was not run'));
				await runner.run(command, { key, computer: name ?? computer }, commandLine);
				return {};
			},
		}),
	);
	return () => {
		for (const remove of removals) remove();
	};
}

function ownCommandRow(command: OwnCommand, barredBecause: string | undefined): OperationRow {
	const { label, name, changes } = command;
	return {
		...commonRow,
		label,
		questionLabel: `Run ${label} on`,
		verbInHelp: `runs ${label}`,
		doingLabel: `Running ${label}`,
		doneLabel: `processed with ${label}`,
		help: `run ${label} on ${command.on === 'one' ? 'the computer' : 'computers'}`,
		commandName: name,
		allowedFrom: command.phases,
		goal: { reaches: 'exit' },
		changes,
		ownCommand: command,
		barredBecause,
		asks: command.confirm,
		mayBeUnasked: true,
		questionLines: (targets, circumstances) => questionLinesOf(command, targets, circumstances),
		scope: 'none',
		overdueAfterMs: Number.POSITIVE_INFINITY,
	};
}

const outputTexts: Readonly<Record<OwnCommand['output'], string>> = {
	terminal: 'It has the terminal until it ends.',
	pane: 'Its output is shown while it runs.',
	none: 'Its output is not shown.',
};

const maxCommandsShown = 5;

/** The dialog shows the command line of a single computer. */
function questionLinesOf(
	command: OwnCommand,
	targets: readonly Target[],
	{ areSeveral }: QuestionContext,
): readonly string[] {
	const id = ownCommandId(command);
	const all = targets.map(each =>
		shellCommandFrom(commandLineFor(id, each, undefined)?.words ?? []),
	);
	const commands = areSeveral ? [...new Set(all)] : [];
	const more = commands.length - maxCommandsShown;
	return [
		`Runs on this machine, as you. ${outputTexts[command.output]}`,
		...commands.slice(0, maxCommandsShown),
		...(more > 0 ? [`… and ${more} more`] : []),
	];
}

/**
 * Each value becomes a whole argument: never part of another text, and its own braces stay. An input without an answer
 * stays as the configuration has it.
 */
export function commandLineOf(
	{ name, program, inputs = [] }: Pick<OwnCommand, 'name' | 'program' | 'inputs'>,
	values: CommandValues,
	answers: OperationDetails['inputs'] = new Map(),
): { commandLine: CommandLine } | { problem: string } {
	// A host name could look like an option or lead to another host.
	const safe = {
		...values,
		address: isIP(values.address) === 0 ? '' : values.address,
		url: isWebAddress(values.url) ? values.url : '',
	};
	const variables = Object.fromEntries(
		Object.entries(commandVariables).map(([variable, value]) => [
			variable,
			safe[value].includes('\0') ? '' : safe[value],
		]),
	);
	const answerTo = (input: string) => answers.get(input) ?? `{${input}}`;
	if (program.type === 'ssh') {
		const problem = problemWithHost(values);
		if (problem !== undefined) return { problem };
		const words = ['ssh', ...(values.sshOptions ?? []), '--', values.address];
		return { commandLine: { words, variables } };
	}
	if (program.type === 'shell') {
		const withNul = placeholderNames.find(each => safe[each].includes('\0'));
		if (withNul) return { problem: nulText(withNul) };
		const { id, name: computer, address, account, url } = safe;
		// The name is `$0`, which the shell uses in its messages.
		const words = [
			'/bin/sh',
			'-c',
			program.script,
			name,
			...placeholderNames.map(each => safe[each]),
			...inputs.map(each => answerTo(each.name)),
		];
		const input = `${JSON.stringify({ id, name: computer, address, account, url })}\n`;
		return { commandLine: { words, variables, input } };
	}
	const words: string[] = [];
	for (const word of program.words) {
		const placeholder = placeholderIn(word);
		const input = inputs.find(each => word === `{${each.name}}`);
		const value = placeholder ? safe[placeholder] : input ? answerTo(input.name) : word;
		const problem = placeholder && problemWithValue(placeholder, value, words.includes('--'));
		if (problem !== undefined) return { problem };
		words.push(value);
	}
	return { commandLine: { words, variables } };
}

export function commandLineFor(
	operation: OperationId,
	{ commandValues }: Partial<Target>,
	answers: OperationDetails['inputs'],
): CommandLine | undefined {
	const { ownCommand } = operationRowOf(operation);
	const line = ownCommand && commandValues && commandLineOf(ownCommand, commandValues, answers);
	return line && 'commandLine' in line ? line.commandLine : undefined;
}

const missingText: Readonly<Record<PlaceholderName, string>> = {
	id: 'has no id',
	name: 'has no name',
	account: 'has no account',
	address: 'has no IP address that is known',
	url: 'publishes no port, so it has no public address',
};

function problemWithValue(placeholder: PlaceholderName, value: string, isAfterDashes: boolean) {
	if (value === '') return missingText[placeholder];
	if (value.includes('\0')) return nulText(placeholder);
	return value.startsWith('-') && !isAfterDashes
		? `its ${placeholder} begins with "-" and would be taken for an option; put "--" before {${placeholder}}`
		: undefined;
}

/** A configuration of ssh may pass the host on to a shell, so only an IP address or the name of a host is accepted. */
function problemWithHost({ address, sshOptions }: CommandValues): string | undefined {
	const isName = /^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/i.test(address);
	if (!isName && (isIP(address) === 0 || address.includes('%')))
		return 'has no address that is known';
	if (isOwnMachine(address)) return `its address ${address} is the machine from which ssh connects`;
	return sshOptions || isPublicHost(address)
		? undefined
		: `${address} is internal: set [ssh] in config.toml`;
}

/** A name that ends in a number, such as `127.1`, is a short form of an IP address, and is not looked into. */
const isOwnMachine = (address: string) =>
	isIP(address) === 0
		? /(^|\.)(localhost|\d+|0x[\da-f]*)$/i.test(address)
		: /^(0|127)\.|^::[01]?$|^::ffff:(0|127)\.|^(0+:){7}0*[01]$/i.test(address);

/** A command of the configuration with this name takes its place. */
export const shellCommand: OwnCommand = {
	name: 'shell',
	label: 'ssh',
	program: { type: 'ssh' },
	phases: ['active', 'error', 'unknown'],
	on: 'one',
	changes: true,
	confirm: 'off',
	output: 'terminal',
};

export const shellId = ownCommandId(shellCommand);

const nulText = (placeholder: string) =>
	`its ${placeholder} contains a NUL character, which no program can receive`;

/** A browser opens such an address without reading local files. */
function isWebAddress(text: string): boolean {
	if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
	return ['https:', 'http:'].includes(new URL(text).protocol);
}

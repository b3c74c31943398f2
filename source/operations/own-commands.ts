import type { OperationRow, Target } from '../fleet/operations/operation-row.ts';
import { type OwnCommand, ownCommandId } from '../fleet/operations/own-command.ts';
import { areSeveral, type Circumstances } from '../fleet/operations/question-lines.ts';
import { shellCommandFrom } from '../foundation/shell-words.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import { addOperation } from '../platform/operation-requests.ts';
import type { CommandRunner } from './command-runner.ts';

/**
 * Adds own commands to the table of operations, so that all rules of operations apply to them. A program runs in place of
 * a request. The returned function removes the commands.
 */
export function addOwnCommands(
	commands: readonly OwnCommand[],
	{ runner, barredBecause }: { runner: CommandRunner; barredBecause?: string | undefined },
): () => void {
	const removals = commands.map(command =>
		addOperation(
			ownCommandId(command),
			ownCommandRow(command, barredBecause),
			async (_, { key, computer = '', name, commandLine }, { onSent, signal }) => {
				onSent?.();
				if (signal?.aborted || !commandLine || barredBecause !== undefined)
					throw new PlatformError(createFailure('cancelled', 'the command was not run'));
				await runner.run(command, { key, computer: name ?? computer }, commandLine);
				return {};
			},
		),
	);
	return () => {
		for (const remove of removals) remove();
	};
}

/** `barredBecause` says why no own command runs here, such as in the demo. */
function ownCommandRow(command: OwnCommand, barredBecause: string | undefined): OperationRow {
	const { label, name, changes } = command;
	return {
		label,
		questionLabel: `Run ${label} on`,
		verbInHelp: `runs ${label}`,
		doingLabel: `Running ${label}`,
		doneLabel: `processed with ${label}`,
		help: `run ${label} on ${command.on === 'one' ? 'the computer' : 'computers'}`,
		commandName: name,
		subject: 'computer',
		allowedFrom: command.phases,
		goal: { reaches: 'exit' },
		evidence: 'status',
		changes,
		ownCommand: command,
		barredBecause,
		endsProcesses: false,
		asks: command.confirm,
		mayBeUnasked: true,
		needsLatestVersion: false,
		questionLines: (targets, circumstances) => questionLinesOf(command, targets, circumstances),
		shortConsequence: targets => shellCommandsOf(targets).slice(0, maxCommandsShown),
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

const shellCommandsOf = (targets: readonly Target[]) => [
	...new Set(
		targets.flatMap(({ commandLine }) =>
			commandLine ? [shellCommandFrom(commandLine.words)] : [],
		),
	),
];

/** For a single computer, the command line is shown as the equivalent command, so it is not repeated here. */
function questionLinesOf(
	{ output }: OwnCommand,
	targets: readonly Target[],
	circumstances: Circumstances,
): readonly string[] {
	const commands = areSeveral(targets, circumstances) ? shellCommandsOf(targets) : [];
	const shown = commands.slice(0, maxCommandsShown);
	const more = commands.length - shown.length;
	return [
		`Runs on this machine, as you. ${outputTexts[output]}`,
		...shown,
		...(more > 0 ? [`… and ${more} more`] : []),
	];
}

import { shellCommandFrom } from '../../foundation/shell-words.ts';
import type { OperationRow, Target } from './operation-row.ts';
import type { OwnCommand } from './own-command.ts';

/**
 * Returns the id of the operation that runs an own command. The space in the id makes it different from all other
 * ids.
 */
export const ownCommandId = ({ name }: Pick<OwnCommand, 'name'>) => `command ${name}`;

/** Returns the name of the own command that an operation runs; undefined for another operation. */
export const ownCommandNameOf = (id: string) =>
	id.startsWith('command ') ? id.slice('command '.length) : undefined;

/**
 * Returns the row of the operation that runs an own command. `barredBecause` says why no own command runs here, such as in
 * the demo.
 */
export function ownCommandRow(command: OwnCommand, barredBecause?: string): OperationRow {
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
		...(barredBecause !== undefined && { barredBecause }),
		endsProcesses: false,
		asks: command.confirm,
		mayBeUnasked: true,
		needsLatestVersion: false,
		questionLines: (targets, { isAmongOthers = false }) =>
			questionLinesOf(command, targets, targets.length > 1 || isAmongOthers),
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

/** Returns the command lines that will be run, without duplicates. */
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
	areSeveral: boolean,
): readonly string[] {
	const commands = areSeveral ? shellCommandsOf(targets) : [];
	const shown = commands.slice(0, maxCommandsShown);
	const more = commands.length - shown.length;
	return [
		`Runs on this machine, as you. ${outputTexts[output]}`,
		...shown,
		...(more > 0 ? [`… and ${more} more`] : []),
	];
}

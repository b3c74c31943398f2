import type { Command } from '../../shell/command.ts';
import {
	type ArgumentCompletion,
	type CompletedCommand,
	completedCommands,
	optionNamesWithValue,
	secondWordsByFirst,
} from './plan.ts';

/** Returns the completion script for fish 3 and later. */
export function fishCompletion(allCommands: readonly Command[]): string {
	const commands = completedCommands(allCommands);
	const [first] = commands;
	const firstWordLines = commands.flatMap(({ names, summary }) =>
		names.map(name => candidateLine('__crowsnest_in', name.split(' ')[0] ?? '', summary)),
	);
	const secondWordLines = [...secondWordsByFirst(commands)].map(([word, next]) =>
		candidateLine(`__crowsnest_in ${word}; and __crowsnest_count 1`, next.join(' ')),
	);
	return `# Completes crowsnest in fish: crowsnest completion fish > ~/.config/fish/completions/crowsnest.fish

# Prints the complete words of the command line that are neither options nor their values.
function __crowsnest_words
	set -l valued
	for word in (commandline -opc)[2..-1]
		if set -q valued[1]
			set valued
		else if contains -- $word ${optionNamesWithValue(commands).join(' ')}
			set valued $word
		else if not string match -q -- '-*' $word
			echo -- $word
		end
	end
end

# Succeeds when the command line has the given command; without arguments, when it has no command yet.
function __crowsnest_in
	set -l words (__crowsnest_words)
	set -l length (count $argv)
	if test $length -eq 0
		test (count $words) -eq 0
	else
		test (count $words) -ge $length; and test "$words[1..$length]" = "$argv"
	end
end

function __crowsnest_count
	test (count (__crowsnest_words)) -eq $argv[1]
end

# Prints candidates from the files of this host. fish quotes them.
function __crowsnest_ask
	set -l words (commandline -opc)
	set -l profile
	if set -l at (contains -i -- --profile $words)
		set profile --profile $words[(math $at + 1)]
	end
	crowsnest complete $profile -- $argv 2>/dev/null
end

complete -c crowsnest -f
${[...new Set(firstWordLines), ...secondWordLines].join('\n')}
${[...optionLines('__crowsnest_in', first), ...commands.flatMap(commandLines)].join('\n')}
`;
}

function commandLines(command: CompletedCommand): readonly string[] {
	return command.names.flatMap(name => {
		const condition = `__crowsnest_in ${name}`;
		const commandWordCount = name.split(' ').length;
		const argumentLines = command.argumentCompletions.map((argument, at) =>
			argumentLine(
				argument,
				argumentCondition(command, condition, commandWordCount, at),
				commandWordCount + 1,
			),
		);
		return [...optionLines(condition, command), ...argumentLines];
	});
}

function argumentCondition(
	{ isRepeated }: CompletedCommand,
	condition: string,
	commandWordCount: number,
	argumentIndex: number,
): string {
	if (!isRepeated) return `${condition}; and __crowsnest_count ${commandWordCount + argumentIndex}`;
	return argumentIndex === 0
		? condition
		: `${condition}; and not __crowsnest_count ${commandWordCount}`;
}

function argumentLine(
	argument: ArgumentCompletion,
	condition: string,
	firstArgumentIndex: number,
): string {
	if ('words' in argument) return candidateLine(condition, argument.words.join(' '));
	switch (argument.ask) {
		case 'computers':
			return candidateLine(condition, '(__crowsnest_ask computers (commandline -ct))');
		case 'ports':
			return candidateLine(
				condition,
				`(__crowsnest_ask ports (__crowsnest_words)[${firstArgumentIndex}])`,
			);
		case 'files':
			return `complete -c crowsnest -n ${quotedForFish(condition)} -F`;
	}
}

function optionLines(condition: string, command: CompletedCommand | undefined): readonly string[] {
	return (command?.options ?? []).map(({ name, shortName, valueName, help }) => {
		const isProfile = name === 'profile';
		const valueOption = isProfile
			? ` -x -a ${quotedForFish('(__crowsnest_ask profiles)')}`
			: valueName
				? ' -x'
				: '';
		return `complete -c crowsnest -n ${quotedForFish(condition)}${shortName ? ` -s ${shortName}` : ''} -l ${name}${valueOption} -d ${quotedForFish(help)}`;
	});
}

function candidateLine(condition: string, words: string, description?: string): string {
	const descriptionOption = description === undefined ? '' : ` -d ${quotedForFish(description)}`;
	return `complete -c crowsnest -n ${quotedForFish(condition)} -a ${quotedForFish(words)}${descriptionOption}`;
}

function quotedForFish(text: string): string {
	return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

import type { Command } from '../../shell/command.ts';
import {
	type ArgumentPlace,
	type CompletedCommand,
	completedCommands,
	firstWords,
	valuedOptions,
} from './plan.ts';

/** Returns the script for fish 3 and later. */
export function fishCompletion(table: readonly Command[]): string {
	const commands = completedCommands(table);
	const [first] = commands;
	const starts = commands.flatMap(({ names, summary }) =>
		names.map(name => offer('__crowsnest_in', name.split(' ')[0] ?? '', summary)),
	);
	const seconds = [...firstWords(commands)].map(([word, next]) =>
		offer(`__crowsnest_in ${word}; and __crowsnest_count 1`, next.join(' ')),
	);
	return `# Completes crowsnest in fish: crowsnest completion fish > ~/.config/fish/completions/crowsnest.fish

# Prints the complete words of the command line that are neither options nor their values.
function __crowsnest_words
	set -l valued
	for word in (commandline -opc)[2..-1]
		if set -q valued[1]
			set valued
		else if contains -- $word ${valuedOptions(commands).join(' ')}
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
${[...new Set(starts), ...seconds].join('\n')}
${[...optionLines('__crowsnest_in', first), ...commands.flatMap(linesOf)].join('\n')}
`;
}

function linesOf(command: CompletedCommand): readonly string[] {
	return command.names.flatMap(name => {
		const condition = `__crowsnest_in ${name}`;
		const before = name.split(' ').length;
		const places = command.places.map((place, at) =>
			placeLine(place, conditionOf(command, condition, before, at), before + 1),
		);
		return [...optionLines(condition, command), ...places];
	});
}

function conditionOf(
	{ isRepeated }: CompletedCommand,
	condition: string,
	before: number,
	at: number,
): string {
	if (!isRepeated) return `${condition}; and __crowsnest_count ${before + at}`;
	return at === 0 ? condition : `${condition}; and not __crowsnest_count ${before}`;
}

function placeLine(place: ArgumentPlace, condition: string, firstAt: number): string {
	if ('words' in place) return offer(condition, place.words.join(' '));
	switch (place.ask) {
		case 'computers':
			return offer(condition, '(__crowsnest_ask computers (commandline -ct))');
		case 'ports':
			return offer(condition, `(__crowsnest_ask ports (__crowsnest_words)[${firstAt}])`);
		case 'files':
			return `complete -c crowsnest -n ${quoted(condition)} -F`;
	}
}

function optionLines(condition: string, command: CompletedCommand | undefined): readonly string[] {
	return (command?.options ?? []).map(({ name, short, value, help }) => {
		const isProfile = name === 'profile';
		const values = isProfile
			? ` -x -a ${quoted('(__crowsnest_ask profiles)')}`
			: value
				? ' -x'
				: '';
		return `complete -c crowsnest -n ${quoted(condition)}${short ? ` -s ${short}` : ''} -l ${name}${values} -d ${quoted(help)}`;
	});
}

function offer(condition: string, words: string, about?: string): string {
	const more = about === undefined ? '' : ` -d ${quoted(about)}`;
	return `complete -c crowsnest -n ${quoted(condition)} -a ${quoted(words)}${more}`;
}

function quoted(text: string): string {
	return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

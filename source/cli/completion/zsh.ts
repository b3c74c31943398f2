import type { Command } from '../../shell/command.ts';
import {
	type ArgumentCompletion,
	type CompletedCommand,
	completedCommands,
	optionNamesWithValue,
	quotedForShell,
	secondWordsByFirst,
} from './plan.ts';

/**
 * Returns the completion script for zsh 5. It works with `eval` after `compinit`, and as the file
 * `_crowsnest` in `$fpath`. The function is long, because the script is one text.
 */
export function zshCompletion(allCommands: readonly Command[]): string {
	const commands = completedCommands(allCommands);
	const [first] = commands;
	const secondWords = secondWordsByFirst(commands);
	const firstWords = commands.flatMap(({ names, summary }) =>
		names.map(name => wordWithDescription(name.split(' ')[0] ?? '', summary)),
	);
	return `#compdef crowsnest
# Completes crowsnest in zsh: eval "$(crowsnest completion zsh)", after compinit

# Offers candidates from the files of this host. zsh quotes them.
_crowsnest_ask() {
	local line
	local -a found shown
	for line in "\${(@f)$(crowsnest complete \${profile:+--profile} \${profile:+"$profile"} -- "$@" 2>/dev/null)}"; do
		[[ -n $line ]] || continue
		found+=("\${line%%$'\\t'*}")
		shown+=("\${line%%$'\\t'*}  -- \${line#*$'\\t'}")
	done
	compadd -l -d shown -a found
}

_crowsnest() {
	local command='' profile='' valued='' first='' word place repeated=''
	local -a options places
	integer at count=0
	for ((at = 2; at < CURRENT; at++)); do
		word=\${(Q)words[at]}
		if [[ -n $valued ]]; then
			[[ $valued == --profile ]] && profile=$word
			valued=
		elif [[ $word == --profile=* ]]; then
			profile=\${word#*=}
		elif [[ ${quotedForShell(` ${optionNamesWithValue(commands).join(' ')} `)} == *" $word "* ]]; then
			valued=$word
		elif [[ $word == -* ]]; then
			continue
		elif [[ -z $command ]]; then
			command=$word
		elif [[ ${quotedForShell(` ${[...secondWords.keys()].join(' ')} `)} == *" $command "* ]]; then
			command+=" $word"
		else
			[[ $count == 0 ]] && first=$word
			count+=1
		fi
	done
	if [[ $valued == --profile ]]; then
		_crowsnest_ask profiles
		return
	fi
	[[ -n $valued ]] && return
	case $command in
	'')
		options=(${optionsOf(first)})
		if [[ $PREFIX != -* ]]; then
			local -a commands=(${[...new Set(firstWords)].join(' ')})
			_describe command commands
			return
		fi
		;;
${[...secondWords].map(([word, next]) => `	${quotedForShell(word)}) places=(${quotedForShell(next.join(' '))}) ;;`).join('\n')}
${commands.map(shellCaseOf).join('\n')}
	esac
	if [[ $PREFIX == -* ]]; then
		_describe -o option options
		return
	fi
	if [[ -n $repeated && $count -gt 0 ]]; then
		_crowsnest_ask computers "\${(Q)PREFIX}"
		[[ \${#places} -gt 1 ]] && _crowsnest_ask ports "$first"
		return
	fi
	place=\${places[count + 1]-}
	case $place in
	'') ;;
	@computers) _crowsnest_ask computers "\${(Q)PREFIX}" ;;
	@ports) _crowsnest_ask ports "$first" ;;
	@files) _files ;;
	*) compadd -- \${=place} ;;
	esac
}

if [[ \${funcstack[1]} == _crowsnest ]]; then
	_crowsnest
else
	compdef _crowsnest crowsnest
fi
`;
}

function shellCaseOf(command: CompletedCommand): string {
	const { names, argumentCompletions, isRepeated } = command;
	const assignments = [
		`options=(${optionsOf(command)})`,
		...(argumentCompletions.length > 0
			? [`places=(${argumentCompletions.map(argumentText).join(' ')})`]
			: []),
		...(isRepeated ? ['repeated=1'] : []),
	];
	return `	${names.map(quotedForShell).join('|')}) ${assignments.join(' ')} ;;`;
}

function argumentText(argument: ArgumentCompletion): string {
	return quotedForShell('ask' in argument ? `@${argument.ask}` : argument.words.join(' '));
}

function optionsOf(command: CompletedCommand | undefined): string {
	const options = command?.options ?? [];
	return options.map(({ name, help }) => wordWithDescription(`--${name}`, help)).join(' ');
}

// Escapes colons, because zsh separates a word from its description with a colon.
function wordWithDescription(word: string, description: string): string {
	return quotedForShell(`${word}:${description.replaceAll('\\', '\\\\').replaceAll(':', '\\:')}`);
}

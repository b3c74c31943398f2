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
 * Returns the completion script for bash 4 and later, which does not need the package bash-completion. The
 * function is long, because the script is one text.
 */
export function bashCompletion(allCommands: readonly Command[]): string {
	const commands = completedCommands(allCommands);
	const [first] = commands;
	const secondWords = secondWordsByFirst(commands);
	const firstWords = new Set(
		commands.flatMap(command => command.names.map(name => name.split(' ')[0] ?? '')),
	);
	return `# Completes crowsnest in bash: eval "$(crowsnest completion bash)"

# Offers each line of the text as a completion, in the quotes that were typed. A tab separates a word from its description.
_crowsnest_offer() {
	local word about typed quote=
	case $cur in
	[\\'\\"]*) quote=\${cur:0:1} typed=\${cur:1} ;;
	*) typed=\${cur//\\\\/} ;;
	esac
	while IFS=$'\\t' read -r word about; do
		[[ -n $word && $word == "$typed"* ]] || continue
		case $quote in
		\\') COMPREPLY+=("'\${word//\\'/\\'\\\\\\'\\'}") ;;
		\\") [[ $word == *[\\\\\\"\\$\\\`!]* ]] || COMPREPLY+=("\\"$word") ;;
		*) printf -v word %q "$word"; COMPREPLY+=("$word") ;;
		esac
	done <<<"$1"
}

_crowsnest_ask() {
	_crowsnest_offer "$(crowsnest complete \${profile:+--profile "$profile"} -- "$@" 2>/dev/null)"
}

_crowsnest() {
	local cur=\${COMP_WORDS[COMP_CWORD]} command='' profile='' valued='' first='' word place
	local options='' repeated=''
	local -i at count=0
	local -a places=()
	COMPREPLY=()
	for ((at = 1; at < COMP_CWORD; at++)); do
		word=\${COMP_WORDS[at]}
		if [[ $word == = ]]; then
			continue
		elif [[ -n $valued ]]; then
			[[ $valued == --profile ]] && profile=$word
			valued=
		elif [[ ${quotedForShell(` ${optionNamesWithValue(commands).join(' ')} `)} == *" $word "* ]]; then
			valued=$word
		elif [[ $word == -* ]]; then
			continue
		elif [[ -z $command ]]; then
			command=$word
		elif [[ ${quotedForShell(` ${[...secondWords.keys()].join(' ')} `)} == *" $command "* ]]; then
			command+=" $word"
		else
			[[ $count == 0 ]] && first=\${word//[\\\\\\'\\"]/}
			count+=1
		fi
	done
	[[ $cur == = ]] && cur=
	if [[ $valued == --profile ]]; then
		_crowsnest_ask profiles
		return
	fi
	[[ -n $valued ]] && return
	case $command in
	'') places=(${quotedForShell([...firstWords].join(' '))}) options=${quotedForShell(optionsOf(first))} ;;
${[...secondWords].map(([word, next]) => `	${quotedForShell(word)}) places=(${quotedForShell(next.join(' '))}) ;;`).join('\n')}
${commands.map(shellCaseOf).join('\n')}
	esac
	if [[ $cur == -* ]]; then
		_crowsnest_offer "\${options// /$'\\n'}"
		return
	fi
	if [[ -n $repeated && $count -gt 0 ]]; then
		_crowsnest_ask computers "$cur"
		[[ \${#places[@]} -gt 1 ]] && _crowsnest_ask ports "$first"
		return
	fi
	place=\${places[count]-}
	case $place in
	'') ;;
	@computers) _crowsnest_ask computers "$cur" ;;
	@ports) _crowsnest_ask ports "$first" ;;
	@files) compopt -o default 2>/dev/null ;;
	*) _crowsnest_offer "\${place// /$'\\n'}" ;;
	esac
}

complete -F _crowsnest crowsnest
`;
}

function shellCaseOf(command: CompletedCommand): string {
	const { names, argumentCompletions, isRepeated } = command;
	const assignments = [
		`options=${quotedForShell(optionsOf(command))}`,
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
	return (command?.options ?? []).map(({ name }) => `--${name}`).join(' ');
}

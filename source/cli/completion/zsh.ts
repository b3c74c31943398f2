import type { Command } from '../../shell/command.ts';
import {
	type ArgumentPlace,
	type CompletedCommand,
	completedCommands,
	firstWords,
	quotedForShell,
	valuedOptions,
} from './plan.ts';

/**
 * Returns the script for zsh 5, for `eval` after `compinit` or for a file `_crowsnest` in `$fpath`. Long,
 * because the script is one text.
 */
export function zshCompletion(table: readonly Command[]): string {
	const commands = completedCommands(table);
	const [first] = commands;
	const pairs = firstWords(commands);
	const starts = commands.flatMap(({ names, summary }) =>
		names.map(name => described(name.split(' ')[0] ?? '', summary)),
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
		elif [[ ${quotedForShell(` ${valuedOptions(commands).join(' ')} `)} == *" $word "* ]]; then
			valued=$word
		elif [[ $word == -* ]]; then
			continue
		elif [[ -z $command ]]; then
			command=$word
		elif [[ ${quotedForShell(` ${[...pairs.keys()].join(' ')} `)} == *" $command "* ]]; then
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
			local -a commands=(${[...new Set(starts)].join(' ')})
			_describe command commands
			return
		fi
		;;
${[...pairs].map(([word, next]) => `	${quotedForShell(word)}) places=(${quotedForShell(next.join(' '))}) ;;`).join('\n')}
${commands.map(caseOf).join('\n')}
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

function caseOf(command: CompletedCommand): string {
	const { names, places, isRepeated } = command;
	const sets = [
		`options=(${optionsOf(command)})`,
		...(places.length > 0 ? [`places=(${places.map(placeText).join(' ')})`] : []),
		...(isRepeated ? ['repeated=1'] : []),
	];
	return `	${names.map(quotedForShell).join('|')}) ${sets.join(' ')} ;;`;
}

function placeText(place: ArgumentPlace): string {
	return quotedForShell('ask' in place ? `@${place.ask}` : place.words.join(' '));
}

function optionsOf(command: CompletedCommand | undefined): string {
	const options = command?.options ?? [];
	return options.map(({ name, help }) => described(`--${name}`, help)).join(' ');
}

// Escapes colons, because zsh separates a word from its description with a colon.
function described(word: string, about: string): string {
	return quotedForShell(`${word}:${about.replaceAll('\\', '\\\\').replaceAll(':', '\\:')}`);
}

import { type Command, exitCodes } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';

export const completion: Command = {
	name: 'completion',
	summary: 'print a script that lets a shell complete commands, options and computers',
	description:
		'Computers come from the last known fleet on this host; completion sends no request.\n' +
		'  bash  in ~/.bashrc: eval "$(crowsnest completion bash)"\n' +
		'  zsh   in ~/.zshrc, after compinit: eval "$(crowsnest completion zsh)"\n' +
		'  fish  crowsnest completion fish > ~/.config/fish/completions/crowsnest.fish',
	argumentUsage: 'bash|zsh|fish',
	options: [],
	examples: ['crowsnest completion bash > ~/.local/share/bash-completion/completions/crowsnest'],
	async run(host, args) {
		const [shell, ...extraWords] = args.positionals;
		if (!isShell(shell) || extraWords.length > 0) {
			throw new UsageError('completion takes one of bash, zsh and fish');
		}
		host.program.stdout.write(completionScripts[shell]);
		return exitCodes.done;
	},
};

function isShell(word: string | undefined): word is keyof typeof completionScripts {
	return word !== undefined && Object.hasOwn(completionScripts, word);
}

// Each script passes the words up to the cursor to the hidden command `complete` and offers the words that it
// prints. The scripts differ only in quoting and in the completion of file names, which `complete` requests
// with the exit code 1.

const bash = `# Completes crowsnest in bash 4 and later: eval "$(crowsnest completion bash)"
_crowsnest() {
	local answer
	COMPREPLY=()
	answer=$(crowsnest complete --bash="$COMP_WORDBREAKS" --rest="\${COMP_LINE:COMP_POINT}" \\
		-- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null) ||
		compopt -o default 2>/dev/null
	[[ -z $answer ]] || mapfile -t COMPREPLY <<<"$answer"
	[[ \${COMPREPLY[0]-} != *: ]] || compopt -o nospace 2>/dev/null
}
complete -F _crowsnest crowsnest
`;

const zsh = `#compdef crowsnest
# Completes crowsnest in zsh 5: eval "$(crowsnest completion zsh)", after compinit, or as the file _crowsnest in $fpath
_crowsnest() {
	local answer line word
	local -a candidates nospace
	answer=$(crowsnest complete --rest=" \${(j: :)words[CURRENT+1,-1]}" -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null) || { _files; return }
	for line in \${(f)answer}; do
		word=\${\${line%%$'\\t'*}//\\\\/\\\\\\\\}
		candidates+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
		[[ $word != *: ]] || nospace=(-S '')
	done
	_describe crowsnest candidates "\${(@)nospace}"
}
if [[ \${funcstack[1]} == _crowsnest ]]; then
	_crowsnest
else
	compdef _crowsnest crowsnest
fi
`;

const fish = `# Completes crowsnest in fish 3: crowsnest completion fish > ~/.config/fish/completions/crowsnest.fish
function __crowsnest_complete
	set -l word (commandline -ct)
	set -l rest (commandline -b | string sub -s (math (commandline -C) + 1))
	crowsnest complete --rest="$rest" -- (commandline -opc)[2..-1] "$word" 2>/dev/null
	or __fish_complete_path "$word"
end
complete -c crowsnest -f -a '(__crowsnest_complete)'
`;

/** The completion script for each shell. */
const completionScripts = { bash, zsh, fish } as const;

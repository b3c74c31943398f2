import { type Command, exitCodes } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import { completionScripts } from '../completion/scripts.ts';

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

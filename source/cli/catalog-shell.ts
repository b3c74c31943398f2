import type { Command } from '../shell/command.ts';
import { accountOptions } from '../shell/options.ts';

/** What is made from the catalog itself; `all` gives the whole of it. */
export function shellCommands(all: () => readonly Command[]): readonly Command[] {
	return [
		{
			name: 'completion',
			summary: 'print what lets a shell complete commands, options and computers',
			about:
				'Computers are completed from the fleet as it was last known here, without asking anybody.\n' +
				'  bash  in ~/.bashrc: eval "$(crowsnest completion bash)"\n' +
				'  zsh   in ~/.zshrc, after compinit: eval "$(crowsnest completion zsh)"\n' +
				'  fish  crowsnest completion fish > ~/.config/fish/completions/crowsnest.fish',
			takes: 'bash|zsh|fish',
			options: [],
			examples: [
				'crowsnest completion bash > ~/.local/share/bash-completion/completions/crowsnest',
			],
			load: async () => (await import('./commands/completion.ts')).completionOf(all()),
		},
		{
			name: 'complete',
			isHidden: true,
			summary: 'print what may stand there: what the scripts of `completion` call',
			takes: 'computers|ports|profiles WORD',
			options: accountOptions,
			examples: [],
			load: async () => (await import('./commands/complete.ts')).complete,
		},
		{
			name: 'man',
			summary: 'print the manual page',
			options: [],
			examples: ['crowsnest man | man -l -', 'crowsnest man > ~/.local/share/man/man1/crowsnest.1'],
			load: async () => (await import('./commands/man.ts')).manualOf(all()),
		},
		{
			name: 'licences',
			summary: 'print the licences of everything that is bundled',
			options: [],
			examples: ['crowsnest licences | less'],
			load: async () => (await import('./commands/licences.ts')).licences,
		},
	];
}

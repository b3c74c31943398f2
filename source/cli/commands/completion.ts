import { type Command, exitCodes, type Run } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** Prints the script for a shell, made from the table of commands. */
export function completionOf(commands: readonly Command[]): Run {
	return async (host, args) => {
		const [shell, ...more] = args.rest;
		if (!isShell(shell) || more.length > 0) {
			throw new UsageError('completion takes one of bash, zsh and fish');
		}
		host.program.stdout.write(shells[shell](commands));
		return exitCodes.done;
	};
}

function isShell(word: string | undefined): word is keyof typeof shells {
	return word !== undefined && Object.hasOwn(shells, word);
}

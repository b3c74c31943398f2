import { type Command, exitCodes, type Run } from '../../shell/command.ts';
import { manualPage } from '../manual/page.ts';

/** Prints the manual page, made from the table of commands. */
export function manualOf(commands: readonly Command[]): Run {
	return async ({ program, version }) => {
		program.stdout.write(manualPage(commands, version));
		return exitCodes.done;
	};
}

import type { Host } from '../session/host.ts';
import { exitCodes } from './command.ts';
import { errorText, outputError } from './errors.ts';

/**
 * Reports output that cannot be written. Such an error can come after the command has ended, or during a command that
 * has no error handler of its own. The error of a closed pipe is ignored, because nobody reads the output any more.
 */
export function watchOutput({ program }: Pick<Host, 'program'>, isJson: boolean): void {
	const { stdout, stderr } = program;
	stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
		if (code === 'EPIPE' || stdout.listenerCount('error') > 1) return;
		stderr.write(errorText(outputError(message), isJson));
		program.exit(exitCodes.failed);
	});
}

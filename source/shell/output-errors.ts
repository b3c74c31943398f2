import type { Host } from '../session/host.ts';
import { exitCodes } from './command.ts';
import { errorText, outputError } from './errors.ts';

/**
 * Reports output that cannot be written. A write may fail after the command has ended, or while a command runs that does
 * not watch its output. The error of a closed pipe is ignored, because its reader has left.
 */
export function watchOutput({ program }: Pick<Host, 'program'>, isJson: boolean): void {
	const { stdout, stderr } = program;
	stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
		if (code === 'EPIPE' || stdout.listenerCount('error') > 1) return;
		stderr.write(errorText(outputError(message), isJson));
		program.exit(exitCodes.failed);
	});
}

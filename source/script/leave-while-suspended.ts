import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';

/**
 * Lets another process poll while a command that shares its watch is suspended (Ctrl-Z). Returns a function that
 * stops doing so.
 */
export function leaveWhileSuspended(
	{ program }: Pick<Host, 'program'>,
	{ sharedWatch }: Pick<AccountSession, 'sharedWatch'>,
): () => void {
	if (!sharedWatch) return () => {};
	const { leave, rejoin } = sharedWatch;

	function suspend() {
		leave();
		// The listener is removed first, because the signal stops the process only without a listener.
		program.off('SIGTSTP', suspend);
		program.kill(program.pid, 'SIGTSTP');
	}

	function resume() {
		rejoin();
		program.off('SIGTSTP', suspend);
		program.on('SIGTSTP', suspend);
	}

	program.on('SIGTSTP', suspend);
	program.on('SIGCONT', resume);
	return () => {
		program.off('SIGTSTP', suspend);
		program.off('SIGCONT', resume);
	};
}

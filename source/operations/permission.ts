import type { Refusal } from './asked.ts';

/** Whether anything may be changed at all. */
export type Permission = {
	/** What waits to be sent may go, has to wait, or never goes. */
	mayChange(): 'go' | 'hold' | 'drop';
	/** Why nothing may even be asked for. */
	barred(): Pick<Refusal, 'why' | 'message'> | undefined;
};

type Parts = {
	/** The end of the program. */
	signal: AbortSignal;
	isReadOnly: () => boolean;
	isLocked: () => boolean;
	/** Nothing is sent while a person is asked whether to quit. */
	isQueueHeld: () => boolean;
};

export function createPermission(parts: Parts): Permission {
	const { signal, isReadOnly, isLocked, isQueueHeld } = parts;
	return {
		mayChange() {
			if (signal.aborted || isReadOnly()) return 'drop';
			return isLocked() || isQueueHeld() ? 'hold' : 'go';
		},
		barred() {
			if (signal.aborted) return { why: 'closing', message: 'the program ends' };
			if (isReadOnly())
				return { why: 'read-only', message: 'Read-only: nothing can be changed here' };
			return isLocked() ? { why: 'locked', message: 'it is locked: unlock it first' } : undefined;
		},
	};
}

import type { Memory } from '../../source/monitor/memory.ts';

type Remembered = ReturnType<Memory['read']>;

/** Remembers as the state folder does between two starts. */
export function memoryOf(saved: Remembered): Memory {
	let present = saved;
	return {
		read: () => present,
		update(change) {
			present = change(present);
		},
	};
}

/** Orders the table by name, so that a test knows which computer is on the first line. */
export const memoryByName = () => memoryOf({ ordering: { by: 'name', isReversed: false } });

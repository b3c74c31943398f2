import { createListeners } from './listeners.ts';

/** Of what may be handed to somebody else: to the shell when it is suspended, or lent for a while. */
export type Handover = {
	/** Called before: nothing that is told from here on is seen. */
	onSuspend(call: () => void): () => void;
	/** Called when it was suspended, or lent, and goes on. */
	onResume(call: () => void): () => void;
};

export function createHandover() {
	const suspended = createListeners();
	const resumed = createListeners();
	const handover: Handover = { onSuspend: suspended.on, onResume: resumed.on };
	return { suspended: suspended.tell, resumed: resumed.tell, handover };
}

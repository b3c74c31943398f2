import { rowUnderCursor } from '../../views/look/cursor.ts';
import type { Move } from '../../views/look/moves.ts';
import type { ActionContext, Effect } from '../../views/scene.ts';

/** Does what a key or a line of the palette stands for, or says why not. */
export function runUnlessRefused(context: ActionContext, { refusal, run }: Effect) {
	const why = refusal?.(context.scene());
	if (why === undefined) run(context);
	else context.say(why);
}

/** Changes how a person looks. A return from the past is said, and who closes the details has seen the failure in them. */
export function look({ screenStore, scene, sessions, say }: ActionContext, move: Move) {
	const before = scene();
	screenStore.setState(move(before.screen, before.shown));
	if (before.screen.pastAt !== undefined && screenStore.getState().pastAt === undefined)
		say('This is now');
	if (!before.screen.isDetailOpen || screenStore.getState().isDetailOpen) return;
	const operation = rowUnderCursor(before)?.operation;
	if (operation?.stage !== 'failed') return;
	const at = operation.endedAt ?? operation.askedAt;
	sessions.operations.markSeen({ type: 'operation', at, operation });
}

export const move = (each: Move) => (context: ActionContext) => look(context, each);

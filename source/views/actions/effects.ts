import type { Move } from '../look/moves.ts';
import type { ActionContext, Effect } from '../scene.ts';

/** Does what a key or a line of the palette stands for, or says why not. */
export function runUnlessRefused(context: ActionContext, { refusal, run }: Effect) {
	const why = refusal?.(context.scene());
	if (why === undefined) run(context);
	else context.say(why);
}

export function change({ screenStore, scene }: ActionContext, move: Move) {
	const { screen, shown } = scene();
	screenStore.setState(move(screen, shown));
}

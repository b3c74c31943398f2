import type { Move } from '../look/moves.ts';
import type { ActionContext, Effect, Scene } from '../scene.ts';

export const replayRefusal = 'This is a replay: it is not connected to a platform';

/** Refuses what needs a platform, which a replay does not have. */
export const notInReplay = ({ replay }: Pick<Scene, 'replay'>) =>
	replay ? replayRefusal : undefined;

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

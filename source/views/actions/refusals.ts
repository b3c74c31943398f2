import { refusalBecause } from '../look/notice.ts';
import type { ActionContext, Effect, Scene } from '../scene.ts';

export const replayRefusal = 'This is a replay: it is not connected to a platform';

/** Refuses what needs a platform, which a replay does not have. */
export const notInReplay = ({ replay }: Pick<Scene, 'replay'>) =>
	replay ? replayRefusal : undefined;

/** What decides about refusals, as part of a scene. */
export const permissionsOf = ({
	sessions,
	player,
}: Pick<ActionContext, 'sessions' | 'player'>): Pick<Scene, 'canChange' | 'replay'> => ({
	canChange: !sessions.operations.state().isReadOnly,
	replay: player?.replayState(),
});

/** Does what a key or a line of the palette stands for, or says why not. */
export function runUnlessRefused(context: ActionContext, { refusal, run }: Effect) {
	const why = refusal?.(permissionsOf(context));
	if (why === undefined) run(context);
	else context.say(refusalBecause(why));
}

import { keyHint } from '../../views/keys.ts';
import { isHeading, lineUnderCursor, rowUnderCursor } from '../../views/look/cursor.ts';
import type { Move } from '../../views/look/moves.ts';
import type { ActionContext, Effect, Scene } from '../../views/scene.ts';
import { readingTimeMs } from './deafness.ts';

type RunnerParts = {
	onKey: () => void;
	whenFrameShown: (call: () => void) => void;
	onResume: (callback: () => void) => () => void;
};

export function createActionRunner(
	{ onKey, whenFrameShown, onResume }: RunnerParts,
	parts: Omit<ActionContext, 'key' | 'scene' | 'targets' | 'keyState' | 'isTypedAhead'>,
) {
	const { screenStore, sessions, terminal, clock } = parts;
	let keyCount = 0;
	let shownSince: number | undefined;

	function noteShownFrame() {
		keyCount += 1;
		const key = keyCount;
		shownSince = undefined;
		whenFrameShown(() => {
			if (key === keyCount) shownSince = clock.now();
		});
	}

	const context: Omit<ActionContext, 'key' | 'scene'> = {
		...parts,
		keyState: { signInAnswers: {}, awaitedChecks: new Map() },
		isTypedAhead: () =>
			!terminal.isKeyAlone() ||
			shownSince === undefined ||
			Math.abs(clock.now() - shownSince) < readingTimeMs,
	};
	noteShownFrame();
	// Keys may have waited in the terminal until the program took it again.
	onResume(noteShownFrame);

	return {
		context,
		run(effect: Effect, key: string, scene: () => Scene) {
			onKey();
			sessions.operations.restartIdleTime();
			const { notice, open } = screenStore.getState();
			if (notice) screenStore.setState({ notice: undefined });
			if (open?.kind === 'welcome' && effect.id !== 'back')
				screenStore.setState({ open: undefined });
			runUnlessRefused({ ...context, key, scene }, effect);
			noteShownFrame();
		},
	};
}

export function runUnlessRefused(context: ActionContext, { refusal, run }: Effect) {
	const why = refusal?.(context.scene());
	if (why === undefined) run(context);
	else context.say(why);
}

/** Undefined on a group with computers of several accounts. */
export function accountUnderCursor(scene: Scene): string | undefined {
	const line = lineUnderCursor(scene);
	const [account, ...others] = new Set(
		(isHeading(line) ? line.rows : [line]).map(row => row?.account),
	);
	return others.length === 0 ? account : undefined;
}

export function sayNoComputer({ scene, say }: ActionContext) {
	const now = scene();
	if (!isHeading(lineUnderCursor(now))) return say('No computer is under the cursor');
	// A replay marks nothing.
	const hint = keyHint(now, 'mark', 'marks all of it', '. ');
	say({ why: 'Choose a computer: the cursor is on a group', hint });
}

/** Who closes the details has seen the failure in them. */
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

export const moveOnComputer = (each: Move) => (context: ActionContext) =>
	rowUnderCursor(context.scene()) ? look(context, each) : sayNoComputer(context);

export const move = (each: Move) => (context: ActionContext) => look(context, each);

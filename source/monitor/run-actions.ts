import type { Terminal } from '../terminal/terminal.ts';
import { readingTimeMs } from '../views/actions/deafness.ts';
import { runUnlessRefused } from '../views/actions/effects.ts';
import { sayCheckedPorts } from '../views/actions/ports.ts';
import type { ActionContext, Effect, Scene } from '../views/scene.ts';

type Options = Omit<
	ActionContext,
	'key' | 'scene' | 'targets' | 'keyState' | 'say' | 'isTypedAhead'
> & {
	/** Calls a function once a person can see what the latest key has changed. */
	whenFrameShown: (call: () => void) => void;
	terminal: Pick<Terminal, 'onResume'>;
};

export function createActionRunner({ whenFrameShown, ...parts }: Options) {
	const { screenStore, sessions, terminal, clock } = parts;
	const { operations } = sessions;
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

	const base: Omit<ActionContext, 'key' | 'scene'> = {
		...parts,
		keyState: {
			signInAnswers: {},
			signInTrial: undefined,
			awaitedChecks: new Map(),
			toldCommandEnd: Number.NEGATIVE_INFINITY,
		},
		isTypedAhead: () =>
			!terminal.isKeyAlone() ||
			shownSince === undefined ||
			Math.abs(clock.now() - shownSince) < readingTimeMs,
		say(said, outcomeOf) {
			const parts = typeof said === 'string' ? { why: said } : said;
			const text = [parts.what, parts.why, parts.advice, parts.hint].join('');
			screenStore.setState({ notice: { text, parts, shownAt: clock.now(), outcomeOf } });
		},
	};
	operations.subscribe(() => sayCheckedPorts(base));
	noteShownFrame();
	// Keys may have waited in the terminal until the program took it again.
	terminal.onResume(noteShownFrame);

	return (effect: Effect, key: string, scene: () => Scene) => {
		operations.restartIdleTime();
		const { notice, open } = screenStore.getState();
		if (notice) screenStore.setState({ notice: undefined });
		if (open?.kind === 'welcome' && effect.id !== 'back') screenStore.setState({ open: undefined });
		runUnlessRefused({ ...base, key, scene }, effect);
		noteShownFrame();
	};
}

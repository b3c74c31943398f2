import { createJointAccountSelector } from '../store/joint-account.ts';
import { createOpenedAccountsSelector } from '../store/opened-accounts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readingTimeMs } from '../views/actions/deafness.ts';
import { showCheckedPorts } from '../views/actions/ports.ts';
import { runUnlessRefused } from '../views/actions/refusals.ts';
import type { VisibleRows } from '../views/fleet/rows.ts';
import { messageOf } from '../views/look/notice.ts';
import type { ActionContext, Effect, KeyState, MonitorParts } from '../views/scene.ts';

type Options = MonitorParts & {
	/** Calls a function once a person can see what the latest key has changed. */
	whenFrameShown: (call: () => void) => void;
	terminal: Pick<Terminal, 'onResume'>;
};

export function createActionRunner({ whenFrameShown, ...parts }: Options) {
	const { screenStore, sessions, terminal, clock } = parts;
	const { store, operations } = sessions;
	const accountsOf = createOpenedAccountsSelector();
	const jointOf = createJointAccountSelector();
	const accountsNow = () => accountsOf(store.getState().accounts, sessions.profiles());
	const keyState: KeyState = {
		signInAnswers: {},
		signInTrial: undefined,
		releasedMarks: undefined,
		awaitedChecks: new Map(),
		toldCommandEnd: Number.NEGATIVE_INFINITY,
	};
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

	const say: ActionContext['say'] = (said, outcomeOf) => {
		const message = typeof said === 'string' ? { text: said } : messageOf(said);
		screenStore.setState({ notice: { ...message, shownAt: clock.now(), outcomeOf } });
	};
	const base = {
		...parts,
		keyState,
		accountsNow,
		jointNow: () => jointOf(accountsNow()),
		isTypedAhead: () =>
			!terminal.isKeyAlone() ||
			shownSince === undefined ||
			Math.abs(clock.now() - shownSince) < readingTimeMs,
		say,
	};
	operations.subscribe(() => showCheckedPorts(base));
	noteShownFrame();
	// Keys may have waited in the terminal until the program took it again.
	terminal.onResume(noteShownFrame);

	return (effect: Effect, key: string, shown: VisibleRows) => {
		operations.restartIdleTime();
		if (screenStore.getState().notice) screenStore.setState({ notice: undefined });
		if (effect.id !== 'back' && screenStore.getState().isWelcomeOpen)
			screenStore.setState({ isWelcomeOpen: false });
		runUnlessRefused({ ...base, key, shown }, effect);
		noteShownFrame();
	};
}

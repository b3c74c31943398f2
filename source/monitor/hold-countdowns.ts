import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import { keyContext, whyCountdownsHold } from '../keys/key-context.ts';
import type { Operations } from '../operations/operations.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import type { SuspendEvents } from '../terminal/job-control.ts';

type HoldDeps = {
	screens: StoreApi<Screen>;
	operations: Operations;
	/** Asks for passwords; absent where none can be typed. */
	passwordRequest: { prompt(): unknown; subscribe(call: () => void): () => void } | undefined;
	terminal: SuspendEvents;
	/** Whether the terminal is too small to show anything. */
	isTooSmall: () => boolean;
	onResize: (call: () => void) => () => void;
};

/** Holds the countdowns while they cannot be seen. */
export function holdCountdowns(parts: HoldDeps): () => void {
	const { screens, operations, passwordRequest, terminal, isTooSmall, onResize } = parts;
	let isSuspended = false;

	function look() {
		const screen = screens.getState();
		const isPasswordWanted = passwordRequest?.prompt() !== undefined;
		const place = isTooSmall()
			? 'unseen'
			: keyContext(screen, operations.state(), isPasswordWanted);
		operations.hold(whyCountdownsHold(place, screen) ?? (isSuspended ? 'suspended' : undefined));
	}

	const suspend = (isAway: boolean) => () => {
		isSuspended = isAway;
		look();
	};
	const endings = [
		screens.subscribe(look),
		operations.subscribe(look),
		passwordRequest?.subscribe(look) ?? (() => {}),
		onResize(look),
		terminal.onSuspend(suspend(true)),
		terminal.onResume(suspend(false)),
	];
	look();
	return () => {
		for (const end of endings) end();
	};
}

type QuitDialogDeps = {
	screens: StoreApi<Screen>;
	session: Pick<AccountSession, 'store' | 'operations'>;
	clock: Clock;
};

const allFinishedText = 'Everything has finished: q quits.';

/** Closes the quit dialog once nothing is left to cancel or to wait for. */
export function closeQuitDialog({ screens, session, clock }: QuitDialogDeps): () => void {
	const { store, operations } = session;

	function look() {
		if (screens.getState().confirmation?.about !== 'leave') return;
		const { sent: safe, unknown, dropped } = operations.exitSummary();
		if (safe.length + unknown.length + dropped.length > 0) return;
		screens.setState({
			confirmation: undefined,
			notice: { text: allFinishedText, at: clock.now() },
		});
	}

	const endings = [operations.subscribe(look), store.subscribe(look)];
	return () => {
		for (const end of endings) end();
	};
}

import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { PasswordPromptSource } from '../fleet/password-prompt.ts';
import { countdownHoldReason, keyContext } from '../keys/key-context.ts';
import type { Operations } from '../operations/operations.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import type { SuspendEvents } from '../terminal/job-control.ts';

/** Reports whether the terminal is too small to show the monitor. */
export type TerminalSize = {
	isTooSmall(): boolean;
	onResize(call: () => void): () => void;
};

type HoldCountdownsDeps = {
	screens: StoreApi<Screen>;
	operations: Operations;
	/** Asks for passwords; undefined for accounts without a password. */
	passwordRequest: PasswordPromptSource | undefined;
	terminal: SuspendEvents;
	/** Undefined if the monitor prints lines, because lines fit a terminal of any size. */
	terminalSize?: TerminalSize | undefined;
};

/** Stops the countdowns of operations while a person cannot see them. */
export function holdCountdowns(deps: HoldCountdownsDeps): () => void {
	const { screens, operations, passwordRequest, terminal, terminalSize } = deps;
	let isSuspended = false;

	function update() {
		const screen = screens.getState();
		const isPasswordOpen = passwordRequest?.prompt() !== undefined;
		const context = terminalSize?.isTooSmall()
			? 'tooSmall'
			: keyContext(screen, operations.state(), isPasswordOpen);
		operations.hold(
			countdownHoldReason(context, screen) ?? (isSuspended ? 'suspended' : undefined),
		);
	}

	const setSuspended = (isNowSuspended: boolean) => () => {
		isSuspended = isNowSuspended;
		update();
	};
	const unsubscribers = [
		screens.subscribe(update),
		operations.subscribe(update),
		passwordRequest?.subscribe(update) ?? (() => {}),
		terminalSize?.onResize(update) ?? (() => {}),
		terminal.onSuspend(setSuspended(true)),
		terminal.onResume(setSuspended(false)),
	];
	update();
	return () => {
		for (const unsubscribe of unsubscribers) unsubscribe();
	};
}

type QuitDialogDeps = {
	screens: StoreApi<Screen>;
	session: Pick<AccountSession, 'store' | 'operations'>;
	clock: Clock;
};

const allFinishedText = 'Everything has finished: q quits.';

/** Closes the quit dialog once every operation has finished. */
export function closeFinishedQuitDialog({ screens, session, clock }: QuitDialogDeps): () => void {
	const { store, operations } = session;

	function update() {
		if (screens.getState().confirmation?.about !== 'leave') return;
		const { sent, unknown, dropped } = operations.exitSummary();
		if (sent.length + unknown.length + dropped.length > 0) return;
		screens.setState({
			confirmation: undefined,
			notice: { text: allFinishedText, at: clock.now() },
		});
	}

	const unsubscribers = [operations.subscribe(update), store.subscribe(update)];
	return () => {
		for (const unsubscribe of unsubscribers) unsubscribe();
	};
}

import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { PasswordPrompt } from '../foundation/sign-in.ts';
import type { Badge } from '../lines/theme.ts';
import type { Operations } from '../operations/operations.ts';
import type { OperationsState } from '../operations/operations-state.ts';
import type { State } from '../store/state.ts';
import type { TerminalState } from '../terminal/features/terminal-state.ts';
import type { Screen } from './look/screen.ts';
import type { Action, ReplayState } from './scene.ts';

export type MonitorData = Pick<Operations, 'exitSummary'> & {
	accounts: State['accounts'];
	/** In their order on the screen. */
	profiles: readonly AccountProfile[];
	operations: OperationsState;
	passwordPrompt: PasswordPrompt | undefined;
	canSignIn: boolean;
	actions: readonly Action[];
	badge: Badge | undefined;
	replay: ReplayState | undefined;
};

export type ScreenAndTerminal = { screen: Screen; terminal: TerminalState };

export type Store<T> = { getState: () => T; subscribe: (listener: () => void) => () => void };

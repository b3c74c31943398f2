import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { PasswordPrompt } from '../foundation/sign-in.ts';
import type { Badge } from '../lines/theme.ts';
import type { Operations } from '../operations/operations.ts';
import type { OperationsState } from '../operations/operations-state.ts';
import type { Screen } from '../screen/screen.ts';
import type { State } from '../store/state.ts';
import type { TerminalState } from '../terminal/features/terminal-state.ts';
import type { Action, ReplayState } from './scene.ts';

/** The data that the monitor shows: the accounts, and the operations on their computers. */
export type MonitorData = Pick<Operations, 'exitSummary'> & {
	accounts: State['accounts'];
	/** The accounts of the table, in their order on the screen. */
	profiles: readonly AccountProfile[];
	operations: OperationsState;
	/** The request for a password; undefined while no sign-in needs one. */
	passwordPrompt: PasswordPrompt | undefined;
	/** Whether an account of the table has a password that a person can type. */
	canSignIn: boolean;
	/** The actions that help, footer and palette offer. */
	actions: readonly Action[];
	badge: Badge | undefined;
	/** The position in the recording that is replayed; undefined when nothing is replayed. */
	replay: ReplayState | undefined;
};

/** How a person looks at the data, and on what terminal. */
export type ScreenAndTerminal = { screen: Screen; terminal: TerminalState };

export type Store<T> = { getState: () => T; subscribe: (listener: () => void) => () => void };

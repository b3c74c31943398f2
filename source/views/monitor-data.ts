import type { PasswordPrompt } from '../foundation/sign-in.ts';
import type { OperationsState } from '../operations/operations-state.ts';
import type { State } from '../store/state.ts';
import type { TerminalState } from '../terminal/features/terminal-state.ts';
import type { Screen } from './look/screen.ts';
import type { Scene } from './scene.ts';

type Passed = 'profiles' | 'badge' | 'replay' | 'exitSummary' | 'canSignIn' | 'actions';

export type MonitorData = Pick<Scene, Passed> & {
	accounts: State['accounts'];
	operations: OperationsState;
	passwordPrompt: PasswordPrompt | undefined;
};

export type ScreenAndTerminal = { screen: Screen; terminal: TerminalState };

export type Store<T> = { getState: () => T; subscribe: (listener: () => void) => () => void };

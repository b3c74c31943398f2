import type { StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../../accounts/password-request.ts';
import type { SignInAnswers, SignInField } from '../../accounts/sign-in-fields.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { AccountChoice } from '../../keys/account-bindings.ts';
import type { Binding, Intent } from '../../keys/binding.ts';
import type { OpenDialog } from '../../keys/open-dialog.ts';
import type { CommandRunner, LendTerminal } from '../../operations/command-runner.ts';
import type { Operations } from '../../operations/operations.ts';
import type { MessageParts } from '../../screen/notice.ts';
import type { Screen } from '../../screen/screen.ts';
import type { SessionTable } from '../../session/session-table.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { ComputerState, JointAccount } from '../../store/state.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import type { ReplayPlayer } from '../replay/replay-player.ts';

/** How a sign-in ended: with a notice, or with the fields to correct. */
export type SignInResult =
	| { isSignedIn: true; notice: string }
	| { isSignedIn: false; fields: readonly SignInField[]; message: string; advice: string };

/** Adds accounts to the table and takes them away while the monitor runs. */
export type TableAccounts = {
	/** Returns the profiles of the configuration as it was last read. */
	choices(): readonly AccountChoice[];
	/** Reads the configuration again, because a person may have edited it. */
	refresh(): void;
	subscribe(listener: () => void): () => void;
	/** Adds the account of a profile to the table. Resolves with a notice. */
	add(profile: string): Promise<string>;
	/** Removes the account of a profile from the table, and cancels its unsent operations. Resolves with a notice. */
	remove(profile: string): Promise<string>;
	/** Returns a name for a new profile that no profile has yet. */
	newProfileName(): string;
	/** Returns the names of the accounts that stay in the table when another one is added. The demo leaves it. */
	stayingNames(): readonly string[];
	/** Signs in, saves a profile without passwords or tokens, and adds the account to the table. */
	signIn(answers: SignInAnswers, signal: AbortSignal): Promise<SignInResult>;
};

/** The parts of the monitor that intents work on. */
export type IntentDeps = {
	screenStore: StoreApi<Screen>;
	/** Returns the bindings that the command palette lists. */
	bindings: () => readonly Binding[];
	/** Finds the lines of the palette. */
	sessions: SessionTable;
	/** Adds accounts and takes them away; undefined if the accounts of the table are fixed. */
	tableAccounts?: TableAccounts | undefined;
	/** The password request whose dialog is open. */
	passwordRequest: Pick<PasswordRequest, 'submit' | 'cancel' | 'runCommand'>;
	openDialog: () => OpenDialog | undefined;
	/** Releases the terminal while the password command asks a person for input. */
	lendTerminal?: LendTerminal | undefined;
	/** Gives a setting another value at once. Returns a notice. */
	chooseSetting: (name: string, word: string) => string;
	/** The names of the columns that the table shows until a person chooses others. */
	defaultColumns: readonly string[] | undefined;
	/** Plays the recording of a replay; undefined in a live monitor. */
	player?: ReplayPlayer | undefined;
	/** Whether the monitor can draw the form for the sign-in to another account. */
	hasForms?: boolean;
	/** Leaves the demo for the sign-in to an account; undefined if the monitor shows an account. */
	leaveToSignIn?: (() => void) | undefined;
	/** The notice of the demo, which says how to sign in; undefined if the monitor shows an account. */
	greeting?: string | undefined;
	/** Runs own commands; undefined if there are none. */
	commandRunner?: Pick<CommandRunner, 'endShown'> | undefined;
	/** Calls a function once a person can see what the latest key has changed. */
	whenFrameShown: (call: () => void) => void;
	terminal: Pick<
		Terminal,
		'copyToClipboard' | 'isKeyAlone' | 'onResume' | 'redraw' | 'suspend' | 'end'
	>;
	clock: Clock;
};

/** The parts of the monitor, the state of the accounts, and the function that shows a notice. */
export type HandlerDeps = IntentDeps & {
	operations: Operations;
	accountsNow: () => readonly OpenedAccount[];
	/** Returns what the accounts have together. */
	jointNow: () => JointAccount;
	computerOf: (id: GlobalId | undefined) => ComputerState | undefined;
	/**
	 * Whether the key that is being handled may be about something that a person has not seen: it was typed together with
	 * others, or the effect of the key before it has not been on screen for a moment.
	 */
	isTypedAhead: () => boolean;
	/** Shows a notice. `outcomeOf` is the operation or the batch whose outcome the notice tells. */
	say: (notice: string | MessageParts | undefined, outcomeOf?: string) => void;
};

export type IntentOf<T extends Intent['type']> = Extract<Intent, { type: T }>;

/** Performs the intent of a key on the rows that were on screen when the key was pressed. */
export type PerformIntent = (intent: Intent, visibleRows: VisibleRows) => void;

/** A function for each type of intent. */
export type IntentHandlers = {
	[T in Intent['type']]: (intent: IntentOf<T>, screen: Screen, visibleRows: VisibleRows) => void;
};

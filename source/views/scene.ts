import type { StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../accounts/password-request.ts';
import type { SignInAnswers, SignInField } from '../accounts/sign-in-fields.ts';
import type { AccountProfile } from '../fleet/computers/account.ts';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { Runway } from '../fleet/computers/runway.ts';
import type { CompleteFilter } from '../fleet/filters/completion.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import type { ReadName, WholeReadName } from '../fleet/reads.ts';
import type { Clock } from '../foundation/clock.ts';
import type { JsonFields } from '../foundation/json.ts';
import type { Line } from '../lines/line.ts';
import type { Span } from '../lines/span.ts';
import type { Badge, Theme } from '../lines/theme.ts';
import type { TimeFormatter } from '../lines/time-text.ts';
import type { CommandRunner, LendTerminal } from '../operations/command-runner.ts';
import type { Operations, OperationsState, PortCheck } from '../operations/operations.ts';
import type { WaitReasonOf } from '../operations/why-not.ts';
import type { SessionTable } from '../session/session-table.ts';
import type { FleetCounts, Happenings, OpenedAccount } from '../store/selectors.ts';
import type { AccountState } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { OpenDialog } from './dialogs/dialog-table.ts';
import type { HelpGroup, Place, Where } from './keys.ts';
import type { Layout } from './layout.ts';
import type { Choice, VisibleRows } from './look/cursor.ts';
import type { MessageParts, Screen } from './look/screen.ts';
import type { Edit } from './look/typed-line.ts';

export type AddressesOf = (account: string) => {
	publicAddress: (id: string, port: number) => string;
	shareAddress: (token: string) => string;
};

export type ReplayState = {
	/** Milliseconds since the epoch, as are the two below. */
	time: number;
	start: number;
	end: number;
	speed: number;
	isPaused: boolean;
	isOver: boolean;
};

export type Scene = Happenings & {
	accounts: readonly OpenedAccount[];
	/** Of those that answer, the one with the oldest list. With one account, that account. */
	account: Omit<AccountState, 'computers' | keyof Happenings>;
	profiles: readonly AccountProfile[];
	badge: Badge | undefined;
	runway: Runway | null;
	addressesOf: AddressesOf;
	replay: ReplayState | undefined;
	/** What holds now, while a person looks back: the other fields are then of the past. */
	live?: Scene;
	operationsState: OperationsState;
	waitingFor: WaitReasonOf;
	exitSummary: Operations['exitSummary'];
	canSignIn: boolean;
	isPasswordWanted: boolean;
	canChange: boolean;
	screen: Screen;
	shown: VisibleRows;
	firstRow: number;
	counts: FleetCounts;
	actions: readonly Action[];
	place: Place;
	dialog: OpenDialog | undefined;
	/** Infinite in a pipe and for speech, where nothing is cut. */
	width: number;
	/** Between the title of the view and the rule below it. */
	height: number;
	layout: Layout;
	hasUnicode: boolean;
	isLowBandwidth: boolean;
	times: TimeFormatter;
	now: number;
	theme: Theme;
};

/** The groups of the footer's hints, from left to right: cancel a countdown, look at the fleet, do something, go elsewhere. */
export const hintGroups = ['now', 'look', 'do', 'go'] as const;

export type Hint = {
	text: (scene: Scene) => string | undefined;
	group: (typeof hintGroups)[number];
	/** Hints of the same rank stand in the order of the table. */
	rank: number;
	drop: number;
};

export type Effect = {
	id: string;
	refusal?(scene: Pick<Scene, 'canChange' | 'replay' | 'screen'>): string | undefined;
	run(context: ActionContext): void;
	edit?: Edit;
	group?: HelpGroup;
};

export type Action = Effect & {
	keys: readonly string[];
	/** Keys that the configuration cannot remove, because texts on the screen name them. */
	fixedKeys?: readonly string[];
	where: Where;
	/** Whether the keys may replace a meaning that the same keys have everywhere else. */
	isInPlaceOfEverywhere?: boolean;
	group: HelpGroup;
	help: string;
	words?: string | undefined;
	hint?: Hint;
	operation?: OperationId;
	/** Absent if the cursor does not matter. */
	subject?: 'computers' | 'line' | undefined;
	isKeyOnly?: boolean;
};

type KeyState = {
	signInAnswers: Partial<SignInAnswers>;
	/** The proposal of an assistant that is on the screen, by its key. */
	shownProposal?: { key: string; since: number } | undefined;
	awaitedChecks: Map<string, { id: GlobalId; spec: OperationSpec; earlier: PortCheck | undefined }>;
};

export type ActionContext = {
	key: string;
	/** What is known and seen now, in the order of the rows that the person saw when the key came. */
	scene: () => Scene;
	/** The computers that the palette named; absent for those under the cursor or marked. */
	targets?: readonly GlobalId[] | undefined;
	screenStore: StoreApi<Screen>;
	sessions: SessionTable;
	keyState: KeyState;
	/** `outcomeOf` is the operation or the batch whose outcome the notice tells. */
	say: (notice: string | MessageParts, outcomeOf?: string) => void;
	/** Whether the key may be about something that a person has not seen yet. */
	isTypedAhead: () => boolean;
	tableAccounts?: TableAccounts | undefined;
	passwordRequest: Pick<PasswordRequest, 'submit' | 'cancel' | 'runCommand'>;
	lendTerminal?: LendTerminal | undefined;
	chooseSetting: (name: string, word: string) => string;
	player?: ReplayControl | undefined;
	hasForms?: boolean;
	leaveToSignIn?: (() => void) | undefined;
	commandRunner?: Pick<CommandRunner, 'endShown'> | undefined;
	folder: () => string;
	terminal: Pick<Terminal, 'copyToClipboard' | 'isKeyAlone' | 'redraw' | 'suspend' | 'end'>;
	clock: Clock;
};

export type ReplayControl = {
	replayState(): ReplayState;
	changeSpeed(direction: 1 | -1): void;
	jump(durationMs: number): void;
	goToEnd(edge: 'first' | 'last'): void;
	togglePause(): string | undefined;
	stepToFact(direction: 1 | -1): string | undefined;
	stepToChange(direction: 1 | -1): string | undefined;
};

/** A line without an id cannot be chosen. */
export type ViewLine = Line & Pick<Choice, 'opens' | 'isCancellable' | 'hasFailed'>;

export type View = {
	hasCursor?: boolean;
	/** The title ends with its age. */
	read?: ReadName;
	title: (scene: Scene) => readonly [left: readonly Span[], right?: readonly Span[]];
	lines: (scene: Scene) => readonly ViewLine[];
	completions?: (scene: Scene) => CompleteFilter;
	/** A listener cannot see the order of the lines. */
	spokenOrder?: string;
};

export type Records = readonly Readonly<Record<string, unknown>>[];

/** A view with a name and a key. */
export type NamedView = View & {
	/** What `:export` writes, in the filter and order of the screen. */
	records: (scene: Scene) => Records;
	/** The command of the same name, which prints the view. */
	command?: {
		help: string;
		description?: string;
		examples: readonly string[];
		reads: readonly WholeReadName[];
		/** A command that prints an array works on one account only. */
		json: { form: 'array' | 'object'; fields: JsonFields };
		record: (scene: Scene) => object;
	};
};

export type AccountChoice = {
	name: string;
	isOpen: boolean;
	description: string;
};

export type SignInResult =
	| { isSignedIn: true; notice: string }
	| { isSignedIn: false; fields: readonly SignInField[]; message: string; advice: string };

export type TableAccounts = {
	choices(): readonly AccountChoice[];
	/** Reads the configuration again, because a person may have edited it. */
	refresh(): void;
	subscribe(listener: () => void): () => void;
	/** Resolves with a notice. */
	add(profile: string): Promise<string>;
	/** Also cancels its unsent operations. Resolves with a notice. */
	remove(profile: string): Promise<string>;
	newProfileName(): string;
	/** The demo leaves the table when an account is added. */
	stayingNames(): readonly string[];
	/** Signs in, saves a profile without passwords or tokens, and adds the account to the table. */
	signIn(answers: SignInAnswers, signal: AbortSignal): Promise<SignInResult>;
};

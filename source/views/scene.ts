import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { Runway } from '../fleet/computers/runway.ts';
import type { Binding, KeyContext } from '../keys/binding.ts';
import type { OpenDialog } from '../keys/open-dialog.ts';
import type { Badge, Theme } from '../lines/theme.ts';
import type { TimeFormatter } from '../lines/time-text.ts';
import type { Operations } from '../operations/operations.ts';
import type { OperationsState } from '../operations/operations-state.ts';
import type { WaitReasonOf } from '../operations/why-not.ts';
import type { Screen } from '../screen/screen.ts';
import type { StatusAges } from '../store/freshness.ts';
import type { OpenedAccount } from '../store/opened-accounts.ts';
import type { FleetCounts } from '../store/selectors.ts';
import type { JointAccount } from '../store/state.ts';
import type { VisibleRows } from './fleet/rows.ts';
import type { Layout } from './layout.ts';

/** Returns the functions that build the public addresses of an account's platform. */
export type AddressesOf = (account: string) => {
	publicAddress: (id: string, port: number) => string;
	shareAddress: (token: string) => string;
};

/** The position and the speed of a replay. All times are in milliseconds since the epoch. */
export type ReplayState = {
	/** The time within the recording that is on screen. */
	time: number;
	start: number;
	end: number;
	speed: number;
	isPaused: boolean;
	/** Whether the replay has reached the end of the recording. */
	isOver: boolean;
};

/** Everything that a line may depend on: what is known, how a person looks, the size, and the time. */
export type Scene = {
	accounts: readonly OpenedAccount[];
	/** The joint state of all accounts. */
	account: JointAccount;
	profiles: readonly AccountProfile[];
	badge: Badge | undefined;
	runway: Runway | null;
	addressesOf: AddressesOf;
	/** The position in the recording that is replayed; undefined when nothing is replayed. */
	replay: ReplayState | undefined;
	operationsState: OperationsState;
	waitingFor: WaitReasonOf;
	/** What quitting, unlocking or taking an account away would do to the operations under way. */
	exitSummary: Operations['exitSummary'];
	estimateTimeLeft: (batch: string) => ReturnType<Operations['estimateTimeLeft']>;
	/** Whether this program can open the password dialog. */
	canSignIn: boolean;
	/** Whether the sign-in waits for a password. */
	isPasswordWanted: boolean;
	/** Whether a person can cancel operations and ask for them here. */
	canChange: boolean;
	screen: Screen;
	/** The rows of the table that pass the filter, in their order. */
	shown: VisibleRows;
	/** The index of the first visible row. */
	firstRow: number;
	counts: FleetCounts;
	statusAges: StatusAges | undefined;
	bindings: readonly Binding[];
	/** The context of the next key, which decides what the keys line offers. */
	keyContext: KeyContext;
	dialog: OpenDialog | undefined;
	isDialogOpen: boolean;
	/** The cells of a line. It is infinite in a pipe and for speech, where nothing is cut. */
	width: number;
	/** The lines of the view between its title and the rule below it. */
	height: number;
	layout: Layout;
	hasUnicode: boolean;
	hasColours: boolean;
	isLowBandwidth: boolean;
	times: TimeFormatter;
	now: number;
	theme: Theme;
};

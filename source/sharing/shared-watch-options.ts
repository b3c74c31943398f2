import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { Fact } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AccountState } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { OwnWatch, Watch } from '../watch/watch.ts';
import type { ListQuestion, PrintedList } from './ask-list.ts';
import type { ElectionResult } from './election.ts';

/** The watch of an account that all processes on the host share: one of them polls. */
export type SharedWatch = Watch & {
	/** Ends the leading role, so that another process can lead while this one is suspended. */
	leave(): void;
	/** Leads or follows again. */
	rejoin(): void;
	/** Whether a person used the terminal of this process last, so that it may ring. */
	isUsedLast(): boolean;
	/** Sends an answer of the platform to the followers before this process folds it. */
	sendFirst(answer: Fact): void;
};

/** The parts of the shared watch of an account. */
export type SharedWatchOptions = {
	account: string;
	/** Polls for this process, and for others while this process leads. */
	ownWatch: OwnWatch;
	store: Store;
	/** Folds facts of other processes without delaying keys. */
	foldInOrder: (fact: Fact) => void;
	clock: Clock;
	/** Returns a number from 0 up to, but not including, 1. */
	random: () => number;
	pid: number;
	/**
	 * Takes part in the election of a leader. A process that is signed out cannot lead, and watches alone if no other
	 * process leads. `replaces` is the socket of a leader that does not answer.
	 */
	elect: (canLead: boolean, replaces?: string) => Promise<ElectionResult>;
	/** Whether a process of this host runs. */
	isRunning: (pid: number) => boolean;
	initialAttention: Attention;
	/** Prints the list for a command; undefined if this process does not know all that the list shows. */
	printList: (question: ListQuestion) => Promise<PrintedList | undefined>;
	/**
	 * Whether a person looks at this process. If so, its view takes part in the choice of reads, and its terminal may
	 * ring. True if absent.
	 */
	hasScreen?: boolean;
};

/** The values from which the list of an account is printed. */
export type ListSource = {
	state: AccountState;
	profile: AccountProfile;
	/** Returns the address of a port that is published without an address of its own. */
	publicAddress: (id: string, port: number) => string;
	now: number;
	/** Resolves in the next turn of the event loop, so that keys do not wait for a long list. */
	nextTurn: () => Promise<void>;
};

/** Prints the list of an account for a command of another process. */
export type PrintList = (
	question: ListQuestion,
	source: ListSource,
) => Promise<PrintedList | undefined>;

/** How the processes of this host share one watch. */
export type ProcessSharing = Pick<
	SharedWatchOptions,
	'pid' | 'elect' | 'isRunning' | 'hasScreen'
> & {
	/** Prints the list for commands of other processes. */
	printList?: PrintList | undefined;
};

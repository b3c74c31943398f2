import type { Clock } from '../foundation/clock.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { OwnWatch, Watch } from '../watch/watch.ts';
import type { ElectionResult } from './election.ts';
import type { OwnRecorder } from './recorder.ts';

/** The watch of an account that all processes on the host share: one of them polls. */
export type SharedWatch = Watch & {
	/** Ends the leading role, so that another process can lead while this one is suspended. */
	leave(): void;
	/** Leads or follows again. */
	rejoin(): void;
	/** Whether a person used the terminal of this process last, so that it may ring. */
	isUsedLast(): boolean;
};

/** The parts of the shared watch of an account. */
export type SharedWatchOptions = {
	account: string;
	/** Polls for this process, and for others while this process leads. */
	ownWatch: OwnWatch;
	store: Store;
	clock: Clock;
	/** Returns a number from 0 up to, but not including, 1. */
	random: () => number;
	pid: number;
	/**
	 * Takes part in the election of a leader. A process that is signed out cannot lead, and watches alone if no other
	 * process leads. `replaces` is the socket of a leader that does not answer.
	 */
	elect: (canLead: boolean, replaces?: string) => Promise<ElectionResult>;
	/** Takes the right to read in the place of a silent leader; undefined while another follower has it. */
	standIn: () => (() => void) | undefined;
	/** Whether a process of this host runs. */
	isRunning: (pid: number) => boolean;
	/** Learns whether this process leads, or reads alone where no process can lead. */
	recorder: Pick<OwnRecorder, 'set'>;
	initialAttention: Attention;
	/**
	 * Whether a person looks at this process. If so, its view takes part in the choice of reads, and its terminal may
	 * ring. True if absent.
	 */
	hasScreen?: boolean;
};

/** How the processes of this host share one watch. */
export type ProcessSharing = Pick<
	SharedWatchOptions,
	'pid' | 'elect' | 'standIn' | 'isRunning' | 'hasScreen'
>;

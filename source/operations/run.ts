import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { OperationSpec, OperationStage } from '../fleet/operations/operation.ts';
import type { OperationDetails, OperationRow } from '../fleet/operations/operation-row.ts';
import type { QuestionStrictness } from '../fleet/operations/preferences.ts';
import type { ReadName } from '../fleet/reads.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { OperationApi } from '../platform/operation-requests.ts';
import type { AccountState } from '../store/state.ts';

/** An account whose computers can be operated: its rules, and the services that its requests go through. */
export type OperatedAccount = {
	profile: AccountProfile;
	platform: OperationApi;
	limiter: Pick<Limiter, 'slots'>;
	watch: {
		/** Plans reads again, because an operation was sent or has ended. */
		wake(): void;
		readNow(reads: readonly { name: ReadName; id?: string }[]): void;
	};
	questionStrictness?: QuestionStrictness;
	/** Whether this process follows the operations of processes that have ended. Only one process of a host does. */
	isRecorder?: () => boolean;
	/** Options that the equivalent shell command needs, such as the profile. */
	commandOptions?: readonly string[];
};

/** What a question needs of an account. */
export type AskedAccount = Pick<
	Account,
	'profile' | 'state' | 'limiter' | 'commandOptions' | 'questionStrictness'
> & { platform: Pick<OperationApi, 'publicAddress'> };

/** An account that is open for operations. */
export type Account = OperatedAccount & {
	state(): AccountState;
	queues: Readonly<Record<OperationRow['scope'], Queue>>;
	/** Aborted when the account is closed. */
	signal: AbortSignal;
	close(): void;
};

/** Lets a few operations at a time be sent. */
export type Queue = {
	/**
	 * Resolves with a function that ends the turn. A single operation goes before batches, and what has waited already goes
	 * before all. What is over by then has no turn.
	 */
	turn(run: Run): Promise<() => void>;
	/** Gives as many turns as there may be now. */
	advance(): void;
	waiting(): readonly Run[];
};

/** An operation on its way from the answered question to its outcome. */
export type Run = {
	account: Account;
	spec: OperationSpec;
	details: OperationDetails;
	/** How many computers the question of its batch has skipped. */
	skipped: number | undefined;
	/** The start of the computer that comes first. */
	first?: Run | undefined;
	/** The countdown that comes first. */
	countdown?: { over: Promise<void>; endsAt(): number };
	hasWaited: boolean;
	refusals: number;
	/** Then nothing is sent any more. */
	isOver: boolean;
	/** Aborts the request while it has not left. */
	request?: AbortController;
	/** Since when the operation has waited for anything but the rate limits, on the monotonic clock. */
	waitingSince?: number | undefined;
	/** Resolves when the operation has an outcome. */
	ended: Promise<OperationStage | undefined>;
	markEnded: (stage?: OperationStage) => void;
};

export function createRun(
	account: Account,
	spec: OperationSpec,
	details: OperationDetails,
	skipped: number | undefined,
): Run {
	let markEnded: Run['markEnded'] = () => {};
	const ended: Run['ended'] = new Promise(resolve => {
		markEnded = resolve;
	});
	const unsent = { hasWaited: false, refusals: 0, isOver: false };
	return { account, spec, details, skipped, ...unsent, ended, markEnded };
}

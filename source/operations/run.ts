import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails, OperationRow } from '../fleet/operations/operation-row.ts';
import type { QuestionStrictness } from '../fleet/operations/preferences.ts';
import type { ReadName } from '../fleet/reads.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { OperationApi } from '../platform/operation-requests.ts';
import type { AccountState } from '../store/state.ts';
import type { Queue } from './queue.ts';

/** The methods of the watch that operations use. */
type WatchHandle = {
	/** Plans reads again, because an operation was sent or has ended. */
	wake(): void;
	/** Sends these reads as soon as the limits allow. */
	readNow(reads: readonly { name: ReadName; id?: string }[]): void;
};

/** An account whose computers can be operated: its rules, and the services that its requests go through. */
export type OperatedAccount = {
	profile: AccountProfile;
	platform: OperationApi;
	limiter: Pick<Limiter, 'slots'>;
	watch: WatchHandle;
	/** The strictness of those questions for which the profile changes it. */
	questionStrictness?: QuestionStrictness;
	/** Whether this process follows the operations of processes that have ended. Only one process of a host does. */
	isRecorder?: () => boolean;
	/** Options that the equivalent shell command needs, such as the profile. */
	commandOptions?: readonly string[];
};

/** An account that is open for operations. */
export type Account = OperatedAccount & {
	state(): AccountState;
	queues: Readonly<Record<OperationRow['scope'], Queue<Run>>>;
	/** Aborted when the account is closed. */
	signal: AbortSignal;
	close(): void;
};

/** An operation on its way from the answered question to its outcome. */
export type Run = {
	account: Account;
	spec: OperationSpec;
	details: OperationDetails;
	/** The start of the computer that comes first. */
	first?: Run | undefined;
	/** The countdown that comes first. */
	countdown?: { over: Promise<void> } | undefined;
	/** Whether nothing is sent any more, because the operation was cancelled, has failed or was replaced. */
	isOver: boolean;
	/** Aborts the request while it has not left. */
	request?: AbortController;
	/** Since when the operation has waited for anything but the rate limits, on the monotonic clock. */
	waitingSince?: number | undefined;
	/** Resolves when the operation has an outcome. */
	ended: Promise<void>;
	markEnded: () => void;
};

export function createRun(account: Account, spec: OperationSpec, details: OperationDetails): Run {
	let markEnded = () => {};
	const ended = new Promise<void>(resolve => {
		markEnded = resolve;
	});
	return { account, spec, details, isOver: false, ended, markEnded };
}

import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { FactBody } from '../fleet/fact.ts';
import type { Operation, OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import type { QuestionStrictness } from '../fleet/operations/preferences.ts';
import type { ReadName } from '../fleet/reads.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Jumps } from '../foundation/jumps.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Acceptance } from '../platform/operation-requests.ts';
import type { Platform } from '../platform/platform.ts';
import type { AccountState } from '../store/state.ts';

/** An account whose computers can be operated: its rules, and the services that its requests go through. */
export type OperatedAccount = {
	profile: AccountProfile;
	platform: Platform;
	limiter: Pick<Limiter, 'slots'>;
	watch: {
		/** Plans reads again, because an operation was sent or has ended. */
		wake(): void;
		readNow(reads: readonly { name: ReadName; id?: string }[]): void;
	};
	questionStrictness?: QuestionStrictness;
	/** Whether this process follows the operations of processes that have ended. Only one process of a host does. */
	isRecorder?: () => boolean;
	commandOptions?: readonly string[];
};

export type AskedAccount = Pick<
	Account,
	'profile' | 'state' | 'limiter' | 'commandOptions' | 'questionStrictness'
> & { platform: Pick<Platform, 'publicAddress'> };

export type Account = OperatedAccount & {
	state(): AccountState;
	/** Aborted when the account is closed. */
	signal: AbortSignal;
	close(): void;
};

/** An operation on its way from the answered question to its outcome. */
export type Run = {
	account: Account;
	spec: OperationSpec;
	details: OperationDetails;
	/** The start of its computer, which has to succeed before. */
	first?: Run | undefined;
	refusals: number;
	request?: AbortController;
	/** Since when the operation has waited for anything but the rate limits, on the monotonic clock. */
	waitingSince?: number | undefined;
};

/** What a run asks of the operations of this process. */
export type Runs = {
	clock: Clock;
	jumps: Jumps;
	isOver(run: Run): boolean;
	/** Whether the operation is in turn but for the rate limit. */
	mayBeSent(run: Run): boolean;
	receive(account: Account, bodies: readonly FactBody[], askedAt?: number): void;
	note(runs: readonly Run[], step: Partial<Operation>, response?: Acceptance): void;
	end(runs: readonly Run[], stage: 'cancelled' | 'failed', failure?: Failure): void;
	failSignIn(run: Run, failure: Failure): void;
};

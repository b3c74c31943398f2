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
	commandOptions?: readonly string[];
};

export type AskedAccount = Pick<
	Account,
	'profile' | 'state' | 'limiter' | 'commandOptions' | 'questionStrictness'
> & { platform: Pick<OperationApi, 'publicAddress'> };

export type Account = OperatedAccount & {
	state(): AccountState;
	queues: Readonly<Record<OperationRow['scope'], Queue>>;
	signal: AbortSignal;
	close(): void;
};

export type Queue = {
	/** Resolves with a function that ends the turn. A single operation goes before batches, what has waited before all. */
	turn(run: Run): Promise<() => void>;
	advance(): void;
	waiting(): readonly Run[];
};

/** An operation on its way from the answered question to its outcome. */
export type Run = {
	account: Account;
	spec: OperationSpec;
	details: OperationDetails;
	skipped: number | undefined;
	first?: Run | undefined;
	countdown?: { over: Promise<void>; endsAt(): number };
	hasWaited: boolean;
	refusals: number;
	/** Then nothing is sent any more. */
	isOver: boolean;
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

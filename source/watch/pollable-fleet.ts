import type { Phase } from '../fleet/computers/computer.ts';
import { isUnderWay, type Operation } from '../fleet/operations/operation.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';

/** The part of the store that the watch uses: which computers to poll, and which fields the list has. */
export type PollableFleet = {
	computers: readonly { id: string; urgentSince: number | null; hasFailed: boolean }[];
	/** The fields that the list has; null until a list with at least one computer was read. */
	listFields: ReadonlySet<string> | null;
	/** Whether a computer is being created, and only the list can reveal its id. */
	isListUrgent: boolean;
	/**
	 * When the latest operation of this program, sent or not, or the latest creation began, if one is under way;
	 * otherwise null.
	 */
	movingSince: number | null;
};

const creatingPhases: readonly Phase[] = ['creating'];

const changingPhases: readonly Phase[] = [
	...creatingPhases,
	'stopping',
	'starting',
	'restarting',
	'updating',
];

const isUnsettled = ({ stage }: Operation) =>
	stage === 'sent' || stage === 'accepted' || stage === 'unknown';

/** Creates a function that returns the same object until one of its values changes. */
export function createPollableFleetSelector(
	accountState: () => AccountState | undefined,
): () => PollableFleet {
	let from: AccountState | undefined;
	let fleet = pollableFleetFrom(emptyAccount);

	return () => {
		const account = accountState() ?? emptyAccount;
		const isSame =
			account.computers === from?.computers &&
			account.operations === from.operations &&
			account.listFields === from.listFields;
		if (!isSame) fleet = pollableFleetFrom(account);
		from = account;
		return fleet;
	};
}

export function pollableFleetFrom({
	computers,
	operations,
	listFields,
}: AccountState): PollableFleet {
	const unsettled = [...operations.values()].filter(isUnsettled);
	const since = new Map(
		unsettled.map(({ spec, sentAt, askedAt }) => [spec.computer, sentAt ?? askedAt]),
	);
	const polled = [...computers.values()].filter(({ phase }) => phase !== 'archived');
	// A list with the status shows all changes of a phase, but not the stages of a creation. So only creations are
	// read separately.
	const urgentPhases = listFields.has('status') ? creatingPhases : changingPhases;
	const creationTimes = polled
		.filter(({ phase }) => creatingPhases.includes(phase))
		.map(computer => computer.since.at);
	const operationTimes = [...operations.values()]
		.filter(isUnderWay)
		.map(({ sentAt, askedAt }) => sentAt ?? askedAt);
	const movingSince = Math.max(...operationTimes, ...creationTimes);
	return {
		computers: polled.map(computer => ({
			id: computer.id,
			urgentSince:
				since.get(computer.id) ??
				(urgentPhases.includes(computer.phase) ? computer.since.at : null),
			hasFailed: computer.phase === 'error' && !listFields.has('error'),
		})),
		listFields: listFields.size > 0 ? listFields : null,
		isListUrgent: since.has(undefined),
		movingSince: Number.isFinite(movingSince) ? movingSince : null,
	};
}

import type { Phase } from '../fleet/computers/computer.ts';
import { isUnderWay, type Operation } from '../fleet/operations/operation.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';

type PollableComputer = { id: string; urgentSince: number | null; hasFailed: boolean };

/** The part of the store that the watch uses: which computers to poll, and which fields the list has. */
export type PollableFleet = {
	computers: readonly PollableComputer[];
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
		if (!isSame) fleet = pollableFleetFrom(account, fleet);
		from = account;
		return fleet;
	};
}

/** Returns the pollable fleet of an account: the one before if nothing has changed, and otherwise with its computers. */
export function pollableFleetFrom(account: AccountState, before?: PollableFleet): PollableFleet {
	const { operations, listFields } = account;
	const unsettled = [...operations.values()].filter(isUnsettled);
	const since = new Map(
		unsettled.map(({ spec, sentAt, askedAt }) => [spec.computer, sentAt ?? askedAt]),
	);
	const { computers, createdSince } = pollableComputersFrom(account, since, before?.computers);
	const operationTimes = [...operations.values()]
		.filter(isUnderWay)
		.map(({ sentAt, askedAt }) => sentAt ?? askedAt);
	const latest = Math.max(...operationTimes, createdSince);
	const fleet: PollableFleet = {
		computers,
		listFields: listFields.size > 0 ? listFields : null,
		isListUrgent: since.has(undefined),
		movingSince: Number.isFinite(latest) ? latest : null,
	};
	return before && isSameFleet(before, fleet) ? before : fleet;
}

const isSameFleet = (one: PollableFleet, other: PollableFleet) =>
	one.computers === other.computers &&
	one.listFields === other.listFields &&
	one.isListUrgent === other.isListUrgent &&
	one.movingSince === other.movingSince;

/**
 * Returns the computers to poll, and when the latest creation began. Most answers change nothing here, so no object is
 * created until a value differs from the one before.
 */
function pollableComputersFrom(
	{ computers, listFields }: AccountState,
	since: ReadonlyMap<string | undefined, number>,
	before: PollableFleet['computers'] = [],
): { computers: PollableFleet['computers']; createdSince: number } {
	// A list with the status shows all changes of a phase, but not the stages of a creation. So only creations are
	// read separately.
	const urgentPhases = listFields.has('status') ? creatingPhases : changingPhases;
	const hasErrors = listFields.has('error');
	let createdSince = Number.NEGATIVE_INFINITY;
	let count = 0;
	let changed: PollableComputer[] | undefined;
	// `forEach` creates no object for each computer, unlike the values of a map with several layers.
	computers.forEach(({ id, phase, since: phaseStart }) => {
		if (phase === 'archived') return;
		if (creatingPhases.includes(phase)) createdSince = Math.max(createdSince, phaseStart.at);
		const urgentSince = since.get(id) ?? (urgentPhases.includes(phase) ? phaseStart.at : null);
		const hasFailed = phase === 'error' && !hasErrors;
		const known = before[count];
		const isSame =
			known?.id === id && known.urgentSince === urgentSince && known.hasFailed === hasFailed;
		if (!isSame) changed ??= before.slice(0, count);
		changed?.push(isSame ? known : { id, urgentSince, hasFailed });
		count += 1;
	});
	if (count < before.length) changed ??= before.slice(0, count);
	return { computers: changed ?? before, createdSince };
}

import type { Phase, ReadingField } from '../fleet/computers/computer.ts';
import { fieldsToldBy, isNotRead } from '../fleet/computers/not-read.ts';
import { isUnderWay, type Operation } from '../fleet/operations/operation.ts';
import { type AccountState, type ComputerState, emptyAccount } from '../store/state.ts';

/**
 * What only the status of a computer tells, in the order in which it is read: the reason of an error, the version of an
 * active computer, the version of any other one, and once more that of an active computer when a newer one is out.
 */
export const statusNeeds = ['reason', 'version', 'otherVersion', 'newerVersion'] as const;

export type StatusNeed = (typeof statusNeeds)[number];

export type PollableComputer = {
	id: string;
	/** When the current operation or phase change began; null when none is under way. */
	urgentSince: number | null;
	/** What to read the status for, although the list has the status word; null for nothing. */
	statusNeed: StatusNeed | null;
	/** Whether the details of the computer may have a field that nobody has read. */
	lacksDetail: boolean;
};

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
			account.listFields === from.listFields &&
			account.release === from.release;
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
	{ computers, listFields, release }: AccountState,
	since: ReadonlyMap<string | undefined, number>,
	before: PollableFleet['computers'] = [],
): { computers: PollableFleet['computers']; createdSince: number } {
	// A list with the status shows all changes of a phase, but not the stages of a creation. So only creations are
	// read separately.
	const urgentPhases = listFields.has('status') ? creatingPhases : changingPhases;
	let createdSince = Number.NEGATIVE_INFINITY;
	let count = 0;
	let changed: PollableComputer[] | undefined;
	/** The fields that only the details of a computer in each phase tell. */
	const unlisted = new Map<Phase, readonly ReadingField[]>();
	// `forEach` creates no object for each computer, unlike the values of a map with several layers.
	computers.forEach(computer => {
		const { id, phase, since: phaseStart } = computer;
		if (phase === 'archived') return;
		if (creatingPhases.includes(phase)) createdSince = Math.max(createdSince, phaseStart.at);
		const urgentSince = since.get(id) ?? (urgentPhases.includes(phase) ? phaseStart.at : null);
		const statusNeed = listFields.has('status')
			? statusNeedOf(computer, listFields, release?.version)
			: null;
		let fields = unlisted.get(phase);
		if (!fields) {
			fields = fieldsToldBy('detail', phase).filter(field => !listFields.has(field));
			unlisted.set(phase, fields);
		}
		const lacksDetail =
			listFields.size > 0 && fields.some(field => isNotRead(field, computer, listFields));
		const known = before[count];
		const isSame =
			known?.id === id &&
			known.urgentSince === urgentSince &&
			known.statusNeed === statusNeed &&
			known.lacksDetail === lacksDetail;
		if (!isSame) changed ??= before.slice(0, count);
		changed?.push(isSame ? known : { id, urgentSince, statusNeed, lacksDetail });
		count += 1;
	});
	if (count < before.length) changed ??= before.slice(0, count);
	return { computers: changed ?? before, createdSince };
}

function statusNeedOf(
	{ phase, reading: { error, version }, statusReadFor }: ComputerState,
	listFields: ReadonlySet<ReadingField>,
	latest: string | undefined,
): StatusNeed | null {
	if (phase === 'creating') return null;
	const isRead = statusReadFor !== undefined;
	const isReasonListed = listFields.has('error') && error !== undefined;
	if (phase === 'error' && !isRead && !isReasonListed) return 'reason';
	if (phase !== 'active') return isRead || version !== undefined ? null : 'otherVersion';
	if (listFields.has('version') && version !== undefined) return null;
	if (!isRead) return 'version';
	return latest === undefined || statusReadFor === latest ? null : 'newerVersion';
}

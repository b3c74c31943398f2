import { changingPhases, type Phase, type ReadingField } from '../fleet/computers/computer.ts';
import { fieldsToldBy, isNotRead } from '../fleet/computers/not-read.ts';
import { isUnderWay, type Operation } from '../fleet/operations/operation.ts';
import { memoize } from '../foundation/memoize.ts';
import type { AccountState, ComputerState } from '../store/state.ts';

/**
 * What only the status of a computer tells, by the order in which it is read: the reason of an error, the version of an
 * active computer, the version of any other one, and once more that of an active computer when a newer one is out.
 */
const statusNeeds = { reason: 1, version: 2, otherVersion: 3, newerVersion: 4 } as const;

export type ComputerNeeds = {
	id: string;
	/** When the current operation or phase change began; null when none is under way. */
	urgentSince: number | null;
	/** The place in that order of what the status is read for, although the list has the status word; null for nothing. */
	statusNeed: number | null;
	/** Whether the details of the computer may have a field that nobody has read. */
	lacksDetail: boolean;
};

export type FleetNeeds = {
	computers: ReadonlyMap<string, ComputerNeeds>;
	/** Whether a computer is being created, and only the list can reveal its id. */
	isListUrgent: boolean;
	/** When the latest operation, sent or not, or the latest creation began, if one is under way; otherwise null. */
	movingSince: number | null;
};

const isUnsettled = ({ stage }: Operation) =>
	stage === 'sent' || stage === 'accepted' || stage === 'unknown';

/** Most answers change nothing of it. */
export function createNeedsSelector(): (account: AccountState) => FleetNeeds {
	const select = memoize(fleetNeedsOf);
	return ({ computers, operations, listFields, release }) =>
		select(computers, operations, listFields, release?.version);
}

/** Archived computers are not read. */
function fleetNeedsOf(
	computers: AccountState['computers'],
	operations: AccountState['operations'],
	listFields: AccountState['listFields'],
	latest: string | undefined,
): FleetNeeds {
	const all = [...operations.values()];
	const unsettled = new Map(
		all.filter(isUnsettled).map(each => [each.spec.computer, each.sentAt ?? each.askedAt]),
	);
	const begun = all.filter(isUnderWay).map(({ sentAt, askedAt }) => sentAt ?? askedAt);
	// A list with the status shows all changes of a phase, but not the stages of a creation.
	const urgentPhases: readonly Phase[] = listFields.has('status') ? ['creating'] : changingPhases;
	const needs = new Map<string, ComputerNeeds>();
	for (const computer of computers.values()) {
		const { id, phase, since } = computer;
		if (phase === 'archived') continue;
		if (phase === 'creating') begun.push(since.at);
		needs.set(id, {
			id,
			urgentSince: unsettled.get(id) ?? (urgentPhases.includes(phase) ? since.at : null),
			statusNeed: statusNeedOf(computer, listFields, latest),
			lacksDetail:
				listFields.size > 0 &&
				fieldsToldBy('detail', phase).some(field => isNotRead(field, computer, listFields)),
		});
	}
	return {
		computers: needs,
		isListUrgent: unsettled.has(undefined),
		movingSince: begun.length > 0 ? Math.max(...begun) : null,
	};
}

function statusNeedOf(
	{ phase, reading: { error, version }, statusReadFor }: ComputerState,
	listFields: ReadonlySet<ReadingField>,
	latest: string | undefined,
): number | null {
	if (phase === 'creating' || !listFields.has('status')) return null;
	const isRead = statusReadFor !== undefined;
	const isReasonListed = listFields.has('error') && error !== undefined;
	if (phase === 'error' && !isRead && !isReasonListed) return statusNeeds.reason;
	if (phase !== 'active') return isRead || version !== undefined ? null : statusNeeds.otherVersion;
	if (listFields.has('version') && version !== undefined) return null;
	if (!isRead) return statusNeeds.version;
	return latest === undefined || statusReadFor === latest ? null : statusNeeds.newerVersion;
}

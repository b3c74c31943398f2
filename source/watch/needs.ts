import { changingPhases, type Phase, type ReadingField } from '../fleet/computers/computer.ts';
import { fieldsToldBy, isNotRead } from '../fleet/computers/not-read.ts';
import { isUnderWay, type Operation } from '../fleet/operations/operation.ts';
import { memoize } from '../foundation/memoize.ts';
import type { AccountState, ComputerState } from '../store/state.ts';

/** In the order in which they are read; the newer version once more when one is out. */
const statusNeeds = { reason: 1, version: 2, otherVersion: 3, newerVersion: 4 } as const;

export type ComputerNeeds = {
	id: string;
	urgentSince: number | null;
	/** A number of `statusNeeds`. */
	statusNeed: number | null;
	lacksDetail: boolean;
};

export type FleetNeeds = {
	computers: ReadonlyMap<string, ComputerNeeds>;
	isListUrgent: boolean;
	movingSince: number | null;
};

const isUnsettled = ({ stage }: Operation) =>
	stage === 'sent' || stage === 'accepted' || stage === 'unknown';

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

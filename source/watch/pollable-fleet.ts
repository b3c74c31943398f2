import type { Phase } from '../fleet/computer.ts';
import type { Operation } from '../fleet/operation.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';

/** What the watch takes from the state: whom to ask about, and what the list tells of them. */
export type PollableFleet = {
	computers: readonly { id: string; urgentSince: number | null }[];
	/** Null while no list with a computer in it was read. */
	listFields: ReadonlySet<string> | null;
	/** A computer is being created whose id only the list can tell. */
	isListUrgent: boolean;
};

const moving: readonly Phase[] = ['creating', 'stopping', 'starting', 'restarting', 'updating'];

const isUnsettled = ({ stage }: Operation) =>
	stage === 'sent' || stage === 'accepted' || stage === 'unknown';

/** Gives the same value again as long as nothing in it changed. */
export function createPollableFleet(read: () => AccountState | undefined): () => PollableFleet {
	let from: AccountState | undefined;
	let subjects = pollableFleetFrom(emptyAccount);

	return () => {
		const account = read() ?? emptyAccount;
		const isSame =
			account.computers === from?.computers &&
			account.operations === from.operations &&
			account.listFields === from.listFields;
		if (!isSame) subjects = pollableFleetFrom(account);
		from = account;
		return subjects;
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
	return {
		computers: [...computers.values()]
			.filter(({ phase }) => phase !== 'archived')
			.map(computer => ({
				id: computer.id,
				urgentSince:
					since.get(computer.id) ?? (moving.includes(computer.phase) ? computer.since.at : null),
			})),
		listFields: listFields.size > 0 ? listFields : null,
		isListUrgent: since.has(undefined),
	};
}

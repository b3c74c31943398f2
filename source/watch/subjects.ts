import type { Phase } from '../fleet/computer.ts';
import type { Operation } from '../fleet/operation.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';

/** What the watch takes from the state: whom to ask about, and what the list tells of them. */
export type Subjects = {
	computers: readonly { id: string; urgentSince: number | null }[];
	/** Null while no list with a computer in it was read. */
	listTells: ReadonlySet<string> | null;
	/** A computer is being created whose id only the list can tell. */
	isListUrgent: boolean;
};

const moving: readonly Phase[] = ['creating', 'stopping', 'starting', 'restarting', 'updating'];

const isUnsettled = ({ stage }: Operation) =>
	stage === 'sent' || stage === 'accepted' || stage === 'unknown';

/** Gives the same value again as long as nothing in it changed. */
export function createSubjects(read: () => AccountState | undefined): () => Subjects {
	let from: AccountState | undefined;
	let subjects = subjectsFrom(emptyAccount);

	return () => {
		const account = read() ?? emptyAccount;
		const isSame =
			account.computers === from?.computers &&
			account.operations === from.operations &&
			account.listTells === from.listTells;
		if (!isSame) subjects = subjectsFrom(account);
		from = account;
		return subjects;
	};
}

export function subjectsFrom({ computers, operations, listTells }: AccountState): Subjects {
	const unsettled = [...operations.values()].filter(isUnsettled);
	const since = new Map(
		unsettled.map(({ wish, sentAt, askedAt }) => [wish.computer, sentAt ?? askedAt]),
	);
	return {
		computers: [...computers.values()]
			.filter(({ phase }) => phase !== 'archived')
			.map(computer => ({
				id: computer.id,
				urgentSince:
					since.get(computer.id) ?? (moving.includes(computer.phase) ? computer.since.at : null),
			})),
		listTells: listTells.size > 0 ? listTells : null,
		isListUrgent: since.has(undefined),
	};
}

import type { StoreApi } from 'zustand/vanilla';
import { computerFilter } from '../fleet/computers/field.ts';
import { globalIdOf } from '../fleet/computers/global-id.ts';
import { filterFrom } from '../fleet/filters/filter.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Store } from '../store/store.ts';
import type { Screen } from '../views/look/screen.ts';

/**
 * Moves the cursor to a new computer when the platform has accepted its creation, unless the person has moved the
 * cursor since, a dialog is open, or the filter hides the computer. Returns a function that stops doing so.
 */
export function followCreations(
	store: Pick<Store, 'onFact'>,
	screenStore: StoreApi<Screen>,
	isAsking: () => boolean,
	showNotice: (text: string) => void,
	clock: Clock,
): () => void {
	const cursorIdByKey = new Map<string, unknown>();
	const cursorId = () => screenStore.getState().cursor?.id;

	return store.onFact((fact, _, after) => {
		if (fact.type !== 'operationChanged') return;
		const isCreate = operationRowOf(fact.operation).subject === 'account';
		const isNew = fact.times.sent === undefined && !cursorIdByKey.has(fact.key);
		if (isCreate && isNew) cursorIdByKey.set(fact.key, cursorId());
		if (fact.step !== 'accepted' || !cursorIdByKey.has(fact.key)) return;
		const hasMoved = cursorIdByKey.get(fact.key) !== cursorId();
		cursorIdByKey.delete(fact.key);
		const { account, computer: id } = fact;
		const computers = after.accounts.get(account)?.computers;
		const computer = computers?.get(id ?? '');
		const { filters } = screenStore.getState();
		if (!computers || !computer || hasMoved || isAsking()) return;
		const { test } = filterFrom(filters.fleet, computerFilter, computers.values());
		if (!test(computer, clock.now())) {
			const { id: ownId, reading } = computer;
			showNotice(
				`${reading.name ?? ownId} is being created. The filter hides it: Esc clears the filter.`,
			);
			return;
		}
		screenStore.setState({
			cursor: { id: globalIdOf(account, computer.id), index: 0, line: 0, isAtTop: true },
		});
	});
}

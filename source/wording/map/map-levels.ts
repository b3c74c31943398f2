import type { Colouring } from '../../screen/map-look.ts';
import { type Age, ageOf, createRowAge, outageOf } from '../../store/freshness.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { AccountState, ComputerState } from '../../store/state.ts';
import { colouringRows } from './map-colours.ts';

/** The level of each computer of a group, as an index into the levels of the colouring. */
export type GroupLevels = Uint8Array;

/** The ages of all data at one moment. */
export type FleetAges = {
	/**
	 * Summarises the ages. While the token stays the same, no age changes, except for computers whose status is not
	 * in the list.
	 */
	token: string;
	/** Identifies one computation of the exact ages: for this second and this answer. */
	moment: object;
	ageOf: (row: FleetRow) => Age;
	/** Whether the age of a row is known from the token alone, so that no exact age has to be computed. */
	isInToken: (row: FleetRow) => boolean;
};

/**
 * Returns the ages of the data of all accounts. While the list is fresh, the data of every computer in it is fresh,
 * so their ages do not have to be computed again every second.
 */
export function fleetAgesOf(accounts: readonly OpenedAccount[], now: number): FleetAges {
	const byAccount = new Map(
		accounts.map(({ profile, state }) => [profile.account, ageInAccount(state, now)]),
	);
	return {
		token: [...byAccount.values()].map(({ token }) => token).join(' '),
		moment: byAccount,
		ageOf: row => byAccount.get(row.account)?.ageOf(row.computer) ?? 'old',
		isInToken: row => byAccount.get(row.account)?.isInToken(row.computer) ?? true,
	};
}

function ageInAccount(state: AccountState, now: number) {
	const answer = state.reads.list?.answer;
	const isDown = outageOf(state, now) !== undefined;
	const isListFresh = !isDown && answer !== undefined && ageOf(answer, now) === 'fresh';
	const exactAgeOf = createRowAge(state, now);
	const isInToken = ({ listed }: ComputerState) =>
		isDown || (isListFresh && listed === 'with-status');
	return {
		token: isDown ? 'down' : isListFresh ? 'fresh' : 'late',
		isInToken,
		ageOf(computer: ComputerState): Age {
			if (isDown) return 'old';
			return isInToken(computer) ? 'fresh' : exactAgeOf(computer);
		},
	};
}

type KeptLevels = {
	colouring: Colouring;
	token: string;
	/** Identifies the computation of the exact ages; undefined if no computer of the group needs its exact age. */
	moment: object | undefined;
	levels: GroupLevels;
};

/** Creates a function that returns the levels of a group's rows: the same array as long as no level differs. */
export function createGroupLevels() {
	const kept = new WeakMap<readonly FleetRow[], KeptLevels>();
	const latest = new Map<string, GroupLevels>();

	/** `place` identifies the group even after its rows have changed. */
	return (
		place: string,
		rows: readonly FleetRow[],
		colouring: Colouring,
		ages: FleetAges,
	): GroupLevels => {
		const before = kept.get(rows);
		const isKept =
			before?.colouring === colouring &&
			before.token === ages.token &&
			(before.moment === undefined || before.moment === ages.moment);
		if (isKept) return before.levels;
		const { levelOf } = colouringRows[colouring];
		const computed = Uint8Array.from(rows, row => levelOf(row, ages.ageOf(row)));
		const earlier = latest.get(place);
		const levels = earlier && isSame(earlier, computed) ? earlier : computed;
		latest.set(place, levels);
		const moment = rows.every(ages.isInToken) ? undefined : ages.moment;
		kept.set(rows, { colouring, token: ages.token, moment, levels });
		return levels;
	};
}

const isSame = (a: GroupLevels, b: GroupLevels) =>
	a.length === b.length && a.every((level, at) => level === b[at]);

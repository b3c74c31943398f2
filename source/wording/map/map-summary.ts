import { countText } from '../../foundation/number-text.ts';
import type { MapLook } from '../../screen/map-look.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { colouringRows } from './map-colours.ts';
import { createMapGroups } from './map-groups.ts';
import { fleetAgesOf } from './map-levels.ts';

type SummaryOptions = Pick<MapLook, 'grouping' | 'colouring'> & {
	accounts: readonly OpenedAccount[];
	allRows: readonly FleetRow[];
	/** The rows that match the filter. */
	rows: readonly FleetRow[];
	now: number;
};

/** A group of the map in words: its number of computers, and how many of them are at each level. */
export type GroupSummary = { label: string; total: number; levels: readonly string[] };

/** Describes the map in words, for speech and for plain output: the most serious level of each group comes first. */
export function summarizeMap(options: SummaryOptions): readonly GroupSummary[] {
	const { accounts, colouring, now } = options;
	const { ageOf } = fleetAgesOf(accounts, now);
	const { levels, levelOf } = colouringRows[colouring];
	return createMapGroups()(options).map(({ label, rows }) => {
		const counts = levels.map(() => 0);
		for (const row of rows) {
			const level = levelOf(row, ageOf(row));
			counts[level] = (counts[level] ?? 0) + 1;
		}
		const words = levels.map(({ word }, at) => ({ word, count: counts[at] ?? 0 }));
		return {
			label,
			total: rows.length,
			levels: words
				.filter(({ count }) => count > 0)
				.reverse()
				.map(({ word, count }) => `${countText(count)} ${word}`),
		};
	});
}

import { isCounted } from '../fleet/computer.ts';
import { compareVersions } from '../fleet/version.ts';
import { remember } from '../store/memory.ts';
import type { AccountState } from '../store/state.ts';

/** How many computers run a version; null for those of which none is known. */
export type VersionCount = { version: string | null; count: number };

/** What runs where, the newest version first and the unknown last. */
export function createVersionCounts(): (account: AccountState) => readonly VersionCount[] {
	const make = remember((computers: AccountState['computers']): readonly VersionCount[] => {
		const counts = new Map<string | null, number>();
		for (const { reading, phase } of computers.values()) {
			if (!isCounted(phase)) continue;
			const version = reading.version || null;
			counts.set(version, (counts.get(version) ?? 0) + 1);
		}
		return [...counts]
			.map(([version, count]) => ({ version, count }))
			.sort((a, b) => {
				if (a.version === null || b.version === null) return a.version === null ? 1 : -1;
				return compareVersions(b.version, a.version);
			});
	});
	return ({ computers }) => make(computers);
}

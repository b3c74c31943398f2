import { isCounted, type Phase } from '../fleet/computer.ts';
import { remember } from './memory.ts';
import type { Row } from './rows.ts';
import type { AccountState } from './state.ts';

export type Counts = {
	/** Without those that are only kept for records. */
	total: number;
	/** How many are in each phase that any is in. */
	phases: Readonly<Partial<Record<Phase, number>>>;
	behind: number;
	/** Something that we asked for is under way, or failed and was not seen yet. */
	underWay: number;
	failed: number;
};

/** How many are in each phase; the same value until a computer changes. */
export function createPhasesOf(): (account: AccountState) => Pick<Counts, 'total' | 'phases'> {
	const make = remember((computers: AccountState['computers']) => {
		const phases: Partial<Record<Phase, number>> = {};
		let total = 0;
		for (const { phase } of computers.values()) {
			if (!isCounted(phase)) continue;
			phases[phase] = (phases[phase] ?? 0) + 1;
			total += 1;
		}
		return { total, phases };
	});
	return ({ computers }) => make(computers);
}

export function createCountsOf(): (rows: readonly Row[]) => Counts {
	return remember(rows => {
		const phases: Partial<Record<Phase, number>> = {};
		const counts = { total: 0, behind: 0, underWay: 0, failed: 0 };
		for (const { computer, operation, isBehind } of rows) {
			const { phase } = computer;
			if (!isCounted(phase)) continue;
			phases[phase] = (phases[phase] ?? 0) + 1;
			counts.total += 1;
			if (isBehind) counts.behind += 1;
			if (operation) counts[operation.stage === 'failed' ? 'failed' : 'underWay'] += 1;
		}
		return { ...counts, phases };
	});
}

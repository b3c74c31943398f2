import type { AccountState } from '../store/state.ts';
import type { MonitorData } from '../views/monitor-data.ts';

/**
 * Returns whether a change must be drawn at once. The numbers of the gauges change with every request. They are not
 * urgent, and are drawn with the next answer or the next second.
 */
export function isUrgentChange(before: MonitorData, after: MonitorData): boolean {
	const isElsewhere = !hasSameValues({ ...before, accounts: 0 }, { ...after, accounts: 0 });
	if (isElsewhere || before.accounts.size !== after.accounts.size) return true;
	for (const [name, account] of after.accounts) {
		const earlier = before.accounts.get(name);
		if (account !== earlier && !(earlier && differOnlyInCounts(earlier, account))) return true;
	}
	return false;
}

function differOnlyInCounts(a: AccountState, b: AccountState): boolean {
	if (!hasSameValues({ ...a, standings: 0 }, { ...b, standings: 0 })) return false;
	return (['status', 'other', 'create'] as const).every(scope => {
		const [was, is] = [a.standings?.[scope], b.standings?.[scope]];
		return (
			was?.limit === is?.limit &&
			was?.frozenUntil === is?.frozenUntil &&
			was?.isAlone === is?.isAlone
		);
	});
}

function hasSameValues(a: object, b: object): boolean {
	const values = new Map<string, unknown>(Object.entries(a));
	const entries = Object.entries(b);
	return (
		entries.length === values.size && entries.every(([key, value]) => values.get(key) === value)
	);
}

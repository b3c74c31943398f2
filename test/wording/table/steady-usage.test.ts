import { expect, test } from 'vitest';
import { layoutFor } from '../../../source/drawing/layout.ts';
import { initialScreen } from '../../../source/screen/screen.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import { createStore } from '../../../source/store/store.ts';
import { noSteadyUsage, withSteadyUsage } from '../../../source/wording/table/steady-usage.ts';
import { createVisibleRows } from '../../../source/wording/table/visible-rows.ts';
import { onlyAccount } from '../../opened-account.ts';

const account = 'test';

function rowsOf(cpus: readonly (number | undefined)[]) {
	const store = createStore();
	const computers = cpus.map((cpu, at) => ({
		id: `sb_${at}`,
		status: 'active',
		...(cpu !== undefined && { cpu }),
	}));
	store.fold({ account, at: 0, type: 'listRead', computers });
	const known = store.getState().accounts.get(account) ?? emptyAccount;
	const asked = { screen: initialScreen(), layout: layoutFor(120, 36), now: 0 };
	return createVisibleRows()({ ...asked, accounts: onlyAccount(known) });
}

const minute = 60_000;
const cpuOf = ({ shown }: ReturnType<typeof withSteadyUsage>) =>
	shown.rows.map(({ computer }) => computer.reading.cpu);

test('on a slow line, a row shows the same usage until the minute ends', () => {
	const before = withSteadyUsage(noSteadyUsage, { shown: rowsOf([12]), first: 0, now: minute });
	const after = withSteadyUsage(before.steady, {
		shown: rowsOf([80]),
		first: 0,
		now: 2 * minute - 1,
	});
	expect(cpuOf(after)).toEqual([12]);
	expect(
		cpuOf(withSteadyUsage(after.steady, { shown: rowsOf([80]), first: 0, now: 2 * minute })),
	).toEqual([80]);
});

test('on a slow line, a row shows at once when its usage is reported for the first time or no longer', () => {
	const before = withSteadyUsage(noSteadyUsage, {
		shown: rowsOf([undefined]),
		first: 0,
		now: minute,
	});
	const after = withSteadyUsage(before.steady, { shown: rowsOf([80]), first: 0, now: minute });
	expect(cpuOf(after)).toEqual([80]);
	const gone = withSteadyUsage(after.steady, { shown: rowsOf([undefined]), first: 0, now: minute });
	expect(cpuOf(gone)).toEqual([undefined]);
});

test('computing the steady usage of the same rows twice gives equal results and changes no input', () => {
	const asked = { shown: rowsOf([12, 40]), first: 0, now: minute };
	const one = withSteadyUsage(noSteadyUsage, asked);
	const other = withSteadyUsage(noSteadyUsage, asked);
	expect(other).toEqual(one);
	expect(noSteadyUsage.usageById.size).toBe(0);
	expect(withSteadyUsage(one.steady, asked).steady).toBe(one.steady);
});

import { expect, test } from 'vitest';
import type { OperationMove } from '../../source/fleet/change.ts';
import { createJournal } from '../../source/journal/journal.ts';
import { escapeTimeout } from '../driver/idle.ts';
import { openMonitor } from '../driver/monitor.ts';
import { stateDirectory } from '../journal/state-directory.ts';
import { openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;

test('the journal records each outcome with its person, operation, time and duration', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 34] });
	const options = { directory: await stateDirectory(), clock: monitor.clock, onProblem() {} };
	const journal = createJournal({ ...options, process: '1' });
	monitor.session.store.onFact(journal.onFact);
	await monitor.pass(9 * second, 3 * second);
	const at = monitor.clock.now();

	await monitor.press('r');
	await monitor.answer('y');
	await monitor.pass(29 * second, 2 * second);
	await monitor.see('atlas: restarted by you');
	await monitor.press('D');
	await monitor.answer('atlas', 'enter');
	await monitor.pass(2 * second, second);
	await monitor.press('escape');
	await monitor.see('Cancelled: atlas was not deleted');
	monitor.session.watch.stop();
	monitor.simulator.world.sleep('atlas');
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.pass(5 * second, 5 * second);
	await monitor.see('Restart failed');
	await journal.close();

	const { facts } = await createJournal({ ...options, process: '2' }).recallPast('test');
	const [recalled] = facts;
	const changes = (recalled?.type === 'recalled' && recalled.changes) || [];
	const operations = changes.filter(
		(each): each is OperationMove => each.type === 'operationMoved',
	);
	expect(recalled?.account).toBe('test');
	expect(operations.map(({ wish, to }) => `${wish.operation} ${wish.name} ${to}`)).toEqual([
		'restart atlas sent',
		'restart atlas settled',
		'delete atlas cancelled',
		'restart atlas sent',
		'restart atlas failed',
	]);
	const [, settled, cancelled, , failed] = operations;
	expect(settled?.who).toBe(monitor.simulator.email);
	expect(settled?.at).toBeGreaterThan(at);
	expect(settled?.took).toBe((settled?.at ?? 0) - at - 4_300);
	expect(settled?.took).toBeGreaterThan(5 * second);
	expect(cancelled?.took).toBe(2 * second + escapeTimeout);
	expect(failed?.message).toContain('while the computer is stopped');
	expect(failed?.wish.computer).toBe(monitor.simulator.world.get('atlas').id);
});

test('the details show the saved history of a computer after the cursor has rested on its row', async () => {
	const hour = 3_600 * second;
	const loadedIds: string[] = [];
	const monitor = await openMonitor({
		savedHistory(id) {
			loadedIds.push(id);
			const at = monitor.clock.now() - 20 * hour;
			const change = { type: 'statusChanged', at, notBefore: at, id, name: 'atlas' } as const;
			return [
				{ ...change, from: 'active', to: 'stopped', reason: 'asleep' },
				{ ...change, at: at + hour, notBefore: at + hour, from: 'stopped', to: 'active' },
			];
		},
	});
	await monitor.see('atlas');
	await monitor.press('enter');
	await monitor.see('/v1/p/');
	expect(monitor.text()).not.toContain('asleep');
	await monitor.press('j');
	monitor.clock.move(200);
	await monitor.press('k');
	monitor.clock.move(300);
	await monitor.see('stopped (asleep)');
	expect(loadedIds).toEqual([monitor.simulator.world.get('atlas').id]);
});

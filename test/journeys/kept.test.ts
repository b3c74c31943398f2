import { expect, test } from 'vitest';
import type { OperationMove } from '../../source/fleet/change.ts';
import { createJournal } from '../../source/journal/journal.ts';
import { openMonitor } from '../driver/monitor.ts';
import { stateDirectory } from '../journal/state-directory.ts';
import { openMatrixStage } from './fault-matrix-stage.ts';

const second = 1_000;

test('how each operation ended is kept: who asked for what, when, and how long it took', async () => {
	const stage = await openMatrixStage({ computers: 7, size: [120, 34] });
	const parts = { directory: await stateDirectory(), clock: stage.clock, onTrouble() {} };
	const journal = createJournal({ ...parts, pid: 1 });
	stage.lookout.store.witness(journal.witness);
	await stage.pass(9 * second, 3 * second);
	const at = stage.clock.now();

	await stage.press('r');
	await stage.answer('y');
	await stage.pass(25 * second, 2 * second);
	await stage.see('you restarted atlas');
	await stage.press('D');
	await stage.answer(...'atlas', 'enter');
	await stage.pass(2 * second, second);
	await stage.press('escape');
	await stage.see('Cancelled: atlas was not deleted');
	stage.simulator.world.sleep('atlas');
	await stage.press('r');
	await stage.answer('y');
	await stage.quiet();
	await stage.see('Restart failed');
	await journal.close();

	const { facts } = await createJournal({ ...parts, pid: 2 }).recallPast('test');
	const [past] = facts;
	const changes = past?.type === 'pastRecalled' ? past.changes : [];
	const moves = changes.filter((each): each is OperationMove => each.type === 'operationMoved');
	expect(past?.account).toBe('test');
	expect(moves.map(({ wish, to }) => `${wish.operation} ${wish.name} ${to}`)).toEqual([
		'restart atlas sent',
		'restart atlas settled',
		'delete atlas cancelled',
		'restart atlas sent',
		'restart atlas failed',
	]);
	const [, settled, cancelled, , failed] = moves;
	expect(settled?.who).toBe(stage.simulator.email);
	expect(settled?.at).toBeGreaterThan(at);
	expect(settled?.took).toBe((settled?.at ?? 0) - at - 300);
	expect(settled?.took).toBeGreaterThan(5 * second);
	expect(cancelled?.took).toBe(2 * second);
	expect(failed?.message).toContain('already in progress');
	expect(failed?.wish.computer).toBe(stage.simulator.world.named('atlas').id);
});

test('details tell what was kept of a computer, once one stays with it', async () => {
	const hour = 3_600 * second;
	const asked: string[] = [];
	const stage = await openMonitor({
		kept(id) {
			asked.push(id);
			const at = stage.clock.now() - 20 * hour;
			const change = { type: 'statusChanged', at, notBefore: at, id, name: 'atlas' } as const;
			return [
				{ ...change, from: 'active', to: 'stopped', reason: 'asleep' },
				{ ...change, at: at + hour, notBefore: at + hour, from: 'stopped', to: 'active' },
			];
		},
	});
	await stage.see('atlas');
	await stage.press('enter');
	await stage.see('/v1/p/');
	expect(stage.text()).not.toContain('(asleep)');
	await stage.press('j');
	stage.clock.move(200);
	await stage.press('k');
	stage.clock.move(300);
	await stage.see('active → stopped (asleep)');
	expect(asked).toEqual([stage.simulator.world.named('atlas').id]);
});

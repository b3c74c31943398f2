import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

const second = 1_000;

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

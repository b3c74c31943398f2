import { test } from 'vitest';
import { openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;

test('a question that the terminal cuts off is answered only when it is larger', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [30, 6] });
	await monitor.pass(6 * second, 3 * second);
	// The warning that the data is old has no room here.
	monitor.simulator.setFaults([{ target: '*', kind: '500' }]);
	await monitor.pass(60 * second, 8 * second);
	await monitor.press('/', 'atlas', 'enter', 'x');
	await monitor.see('Enlarge the terminal');
	await monitor.pass(second, second);
	await monitor.press('y');
	await monitor.see('Stop atlas?');
	monitor.resize(100, 30);
	await monitor.see('It stops answering until started again.');
	await monitor.pass(second, second);
	await monitor.press('y');
	await monitor.seeNo('Stop atlas?');
});

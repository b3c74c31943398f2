import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

const minute = 60_000;
/** Less than the time after which a CPU counts as not read. */
const step = 4 * minute;

/** On a plan that puts no computer to sleep. Only atlas is in use. */
async function openIdle(options: Parameters<typeof openMonitor>[0] = {}) {
	return openMonitor({
		plan: 'ultra',
		...options,
		beforeFirstRequest({ simulator }) {
			for (const computer of simulator.world.computers())
				Object.assign(computer, { isAlwaysInUse: computer.name === 'atlas', inUseUntil: 0 });
		},
	});
}

test('one key marks what has been idle for an hour, among the rows shown, and says what it costs', async () => {
	const monitor = await openIdle();
	await monitor.press('I').see('No computer shown has been seen idle for an hour');
	await monitor.pass(70 * minute, step);
	await monitor.press('I').see(/\d idle computers marked: about \d\.\d\d credits an hour/);
	const marked = monitor.text().match(/^▪.*/gm) ?? [];
	expect(marked.length).toBeGreaterThan(1);
	expect(marked.join('\n')).not.toMatch(/atlas|Stopped|Creating/);
	const [, name = ''] = /^▪.?\s+(\S+)/.exec(marked[0] ?? '') ?? [];
	await monitor.press('escape', '/', name, 'enter', 'I').see('1 idle computer marked');
	expect(monitor.operationRequests()).toEqual([]);
});

test(':stop idle asks about them as about any others, and not before an hour was read without a gap', async () => {
	const monitor = await openIdle();
	await monitor.pass(50 * minute, step);
	await monitor.press(':', 'stop idle', 'enter');
	await monitor.see('No computer shown has been seen idle for an hour');
	await monitor.pass(20 * minute, step);
	await monitor.press(':', 'stop idle', 'enter').see(/Stop \d computers\?/);
	await monitor.seeNo(/Stop.*atlas/);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.answer('y');
	await monitor.pass(minute);
	expect(monitor.operationRequests().length).toBeGreaterThan(1);
	expect(monitor.operationRequests().join()).not.toContain('atlas');
});

test('a read-only monitor refuses :stop idle, and a locked one asks to unlock first', async () => {
	const readOnly = await openIdle({ isReadOnly: true });
	await readOnly.press(':', 'stop idle', 'enter').see('Read-only');
	const locked = await openIdle();
	await locked.pass(70 * minute, step);
	await locked.press('L', ':', 'stop idle', 'enter').see('Unlock?');
});

import { expect, test } from 'vitest';
import type { Change } from '../../source/fleet/change.ts';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;
const minute = 60 * second;

async function create(monitor: FaultyMonitor, name = '') {
	await monitor.press('n').see('Create a computer?');
	await monitor.answer(name, 'enter', 'y');
}

const openFleet = (options: Parameters<typeof openFaultyMonitor>[0] = {}) =>
	openFaultyMonitor({ computers: 7, size: [120, 30], ...options });

test('creating a computer asks for its name, to which Esc goes back, moves the cursor to it, and shows each stage until it is active', async () => {
	const monitor = await openFleet();
	await monitor.press('n').see('5 of 5 creations left this hour.', 'idle for 30 min (Pro)');
	await monitor.see(/\d+\.\d\d credits left/);
	await monitor.answer('nova', 'enter', 'escape').see('Name (optional): nova');
	await monitor.seeNo('may refuse');
	await monitor.answer(' 2!', 'enter').see('The platform may refuse a name with blanks or signs.');
	await monitor.press('escape', 'escape').seeNo('╭');
	await monitor.press('n');
	await monitor.answer('nova', 'enter').see('crowsnest new --name nova --yes');
	await monitor.seeNo('Provider');
	await monitor.press('enter');
	expect(monitor.operationRequests(), 'Enter alone').toEqual([]);
	await monitor.see('y creates · n cancels');
	await monitor.answer('y');
	await monitor.pass(4 * second, 2 * second).see('❯ nova');
	await monitor.see(/nova +◐ Creating \d+s +creating .* \d+%/);
	await monitor.pass(12 * second, 4 * second).see(/nova +◐ Creating \d+s +loading image .* \d\d%/);
	await monitor.passUntil(() => /nova +● Active/.test(monitor.text()), 3 * minute);
	await monitor.see('nova: created by you');
	expect(monitor.operationRequests()).toEqual(['POST  200']);
});

test('the sixth create within an hour waits, can be cancelled, and is sent only after unlocking if the monitor locked', async () => {
	const monitor = await openFleet({ lockAfterMs: 10 * minute });
	for (const name of ['one', 'two', 'three', 'four', 'five']) await create(monitor, name);
	await monitor.see('five');
	await monitor.press('n');
	await monitor.see(/No creations left this hour \(5 allowed\): this creation waits 1 h/);
	await monitor.answer('enter', 'y').see(/Create: queued, sends in about 1 h/);
	await monitor.pass(5 * minute, minute);
	expect(monitor.operationRequests()).toHaveLength(5);
	await monitor.press('q').see('Quitting cancels');
	await monitor.answer('n');
	// Esc cancels countdowns. What is queued is cancelled on top of the log.
	await monitor.press('J', 'x').see('Cancelled: a new computer was not created');
	await monitor.press('1');

	await create(monitor, 'six');
	await monitor.pass(60 * minute, 10 * minute).see('six: Create: waits until you unlock');
	expect(monitor.operationRequests()).toHaveLength(5);
	await monitor.press('x').see('Sent as soon as you unlock:', 'create six');
	await monitor.answer('y');
	await monitor.pass(5 * second, 5 * second).see(/six +◐ Creating/);
	expect(monitor.operationRequests()).toHaveLength(6);
});

test('the cursor stays where a person moved it while a computer is created, and a notice names the filter if it hides the new computer', async () => {
	const monitor = await openFleet();
	await create(monitor, 'nova');
	await monitor.pass(2 * second).see('❯ nova');
	monitor.simulator.setFaults([{ target: 'create', kind: 'delay' }]);
	await create(monitor, 'vela');
	await monitor.press('k');
	const under = /❯ (\S+)/.exec(monitor.text())?.[1];
	await monitor.pass(30 * second, 5 * second).see('vela', `❯ ${under}`);
	monitor.simulator.setFaults([]);
	await monitor.press('/', 'atlas', 'enter');
	await create(monitor, 'lupus');
	await monitor.pass(2 * second);
	await monitor.see('lupus is being created. The filter hides it: Esc clears the filter.');
	await monitor.see('❯ atlas');
});

test('a create that takes longer than usual shows how long a create usually takes', async () => {
	const monitor = await openFleet();
	const at = monitor.clock.now() - 3 * 60 * minute;
	const changes = ['a', 'b', 'c'].flatMap((key): Change[] => {
		const move = { type: 'operationMoved', wish: { key, operation: 'create' } } as const;
		return [
			{ ...move, at, to: 'sent', took: 0 },
			{ ...move, at: at + 10 * second, to: 'settled', took: 10 * second },
		];
	});
	monitor.session.store.receive([
		{ account: 'test', at: monitor.clock.now(), type: 'recalled', changes, samples: [] },
	]);
	await monitor.press('n').see('It usually takes 10 s to be ready.');
	await monitor.answer('nova', 'enter', 'y');
	await monitor.pass(8 * second, 4 * second).seeNo('usually');
	await monitor.pass(12 * second, 4 * second);
	await monitor.see(/nova +◐ Creating \d+s +\d\ds, usually 10s .*\d\d%/);
});

test('a failed create is shown until Esc, with the reason on the row of its computer, or in the footer if it leaves none', async () => {
	const monitor = await openFleet({ shapes: { list: 'minimal' } });
	await create(monitor, 'nova');
	await monitor.pass(4 * second, 2 * second);
	monitor.simulator.world.fail('nova', 'no capacity left');
	await monitor.pass(8 * second, 4 * second).see(/nova +✖ Error \d+s +no capacity left/);
	await monitor.see('✖ nova: create failed: no capacity left');
	await monitor.press('escape').seeNo('✖ nova: create failed: no capacity left\n Enter');
	expect(monitor.operationRequests()).toHaveLength(1);

	monitor.simulator.setFaults([{ target: 'create', kind: 'reset' }]);
	await create(monitor, 'vela');
	await monitor.see('vela: Create outcome unknown, checking');
	await monitor.pass(40 * second);
	await monitor.press('j');
	await monitor.see('✖ vela: create failed: no answer, and the list shows no new computer');
	await monitor.press('escape');
	await monitor.seeNo(
		'✖ vela: create failed: no answer, and the list shows no new computer: probably none was created\n Enter',
	);
	monitor.simulator.setFaults([]);
	await create(monitor, 'vela');
	await monitor.pass(5 * second, 5 * second).see(/vela +◐ Creating/);
	expect(monitor.operationRequests()).toHaveLength(3);
});

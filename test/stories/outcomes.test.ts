import { describe, expect, test } from 'vitest';
import { computerIdOfStranger } from '../../source/simulator/endpoints/routes-computers.ts';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;

const openFleet = (size: readonly [number, number] = [120, 16]) =>
	openFaultyMonitor({ computers: 7, size });

/** Restarts the computer under the cursor, which the platform refuses, and waits until no retry is left. */
async function failRestart(monitor: FaultyMonitor, ...keysBefore: readonly string[]) {
	monitor.startFault('restart', '503', 1);
	await monitor.confirm(...keysBefore, 'r');
	await monitor.pass(40 * second, 5 * second).see('✖ atlas: restart failed: ');
}

test('what is over does not come back as news, and a filter is left with one Esc', async () => {
	const monitor = await openFleet();
	await monitor.confirm('/', 'status:active', 'enter', 'a', 'r');
	await monitor.press('escape').see('Cancelled: 3 operations were not sent');
	await monitor.confirm('r');
	for (let passed = 0; passed < 40; passed += 8) {
		await monitor.pass(8 * second, 4 * second).seeNo('none of 3', 'Dismiss');
	}
	await monitor.see('/status:active');
	await monitor.press('escape').seeNo('/status:active');
});

test('a failure stays until Esc takes it away, and Esc undoes one thing at a time', async () => {
	const monitor = await openFleet();
	await failRestart(monitor, '/', 'a', 'enter');
	const failure = /^ ✖ atlas: restart failed: /m;
	await monitor.see(failure);
	await monitor.press('j', 'k', 'G').see(failure, 'F retry');
	// A countdown comes first, then the failure, then the filter.
	await monitor.goTo('fornax');
	await monitor.confirm('r');
	await monitor.see(/Restarting fornax in \d s, Esc to cancel {3}✖ atlas: restart failed/);
	await monitor.press('escape').see('Cancelled: fornax was not restarted', failure);
	await monitor.see('Esc clear failure');
	await monitor.press('escape').seeNo('restart failed', 'Restart failed');
	await monitor.see('/a  7 of 7');
	await monitor.press('escape').seeNo('/a  7 of 7');
});

test('a failure leaves when its computer is opened with Enter, and when its operation is done', async () => {
	const monitor = await openFleet();
	await failRestart(monitor);
	await monitor.press('enter', 'escape').see('3 active');
	await monitor.seeNo('restart failed');
	await failRestart(monitor);
	await monitor.press('F').see('Restart atlas?');
	await monitor.answer('y');
	await monitor.pass(60 * second, 5 * second).see(/atlas +● Active +.*restarted/);
	await monitor.seeNo('restart failed');
});

test('q closes the details as Esc does, and takes away the failure that they show, for which the log still offers F', async () => {
	const monitor = await openFleet();
	await failRestart(monitor);
	await monitor.press('enter', 'q').see('3 active');
	await monitor.seeNo('restart failed');
	await monitor.press('5').see(/❯ \S+ ✖ atlas: restart failed/, 'F retry');
	await monitor.press('F').see('Restart atlas?');
});

test('after a request that failed, the row of a computer in error still says why, and its details what helps', async () => {
	const monitor = await openFleet([120, 36]);
	monitor.simulator.world.fail('atlas', 'image pull failed: disk quota exceeded');
	await monitor.pass(20 * second, 5 * second).see(/atlas +✖ Error .*disk quota exceeded/);
	await monitor.press('enter').see('Restart it; if the error comes back');
	await monitor.confirm('s');
	await monitor.pass(3 * second).see('Cannot start', 'Restart it; if the error comes back');
	await monitor.seeNo('The computer cannot do that in its present state');
	await monitor.press('escape');
	monitor.startFault('restart', '503', 1);
	await monitor.confirm('r');
	await monitor.pass(40 * second, 5 * second).see(/atlas +✖ Error .*disk quota exceeded/);
	await monitor.see(/^ ([✖?] )?atlas: restart (failed|outcome unknown): /m);
});

test('“F” retries all operations that failed for the same reason, or only the failed operation of the computer under the cursor', async () => {
	const monitor = await openFleet([120, 40]);
	monitor.startFault('restart', '503', 2);
	for (const name of ['atlas', 'fornax']) {
		await monitor.goTo(name);
		await monitor.confirm('r');
	}
	await monitor.pass(40 * second).see(/atlas .*Restart failed/, /fornax .*Restart failed/);
	await monitor.goTo('gemini');
	await monitor.press('F').see('Restart 2 computers?');
	await monitor.answer('escape');
	await monitor.goTo('atlas');
	await monitor.press('F').see('Restart atlas?');
	await monitor.answer('F', 'y');
	await monitor.pass(40 * second).see('atlas: restarted by you', /fornax .*Restart failed/);
	expect(monitor.operationRequests()).toHaveLength(3);
	await monitor.press('L', 'F').see('y unlocks · n cancels');
	expect(monitor.operationRequests()).toHaveLength(3);
});

test('“F” says what helps where no operation failed, and after a failed publish or creation asks again for the same port or name', async () => {
	const monitor = await openFleet([120, 40]);
	await monitor.press('F').see('No failed request to repeat');
	await monitor.press('/draco', 'enter', 'F');
	await monitor.see(
		'No request of yours failed here; draco is in error: r restarts it; D deletes it',
	);
	await monitor.press('escape', 'g');
	monitor.startFault('publish', '503', 1);
	await monitor.press('p');
	await monitor.answer('9000', 'enter', 'y');
	await monitor.idle();
	await monitor.pass(40 * second).see(/atlas .*Publish failed/);
	await monitor.press('F').see('Publish port 9000 of atlas?');
	await monitor.press('escape', 'escape').seeNo('Publish failed');
	monitor.startFault('create', 'throttle', 1);
	await monitor.goTo('draco');
	await monitor.press('n');
	await monitor.answer('nova', 'enter', 'y');
	await monitor.pass(2 * second).see(/✖ nova: create failed/, 'F retry');
	await monitor.press('F').see('Create nova?', 'crowsnest new --name nova --yes');
});

type Refusal = {
	key: string;
	/** Prepares the platform before the question opens, or changes the platform while the question is open. */
	before?: (monitor: FaultyMonitor) => void | Promise<void>;
	meanwhile?: (monitor: FaultyMonitor) => void;
	/** The warning that the question shows. */
	warning?: string;
	request: string;
	message: string;
	/** The advice about the refusal that the details of the computer show. */
	advice: string;
};

const cases: Readonly<Record<string, Refusal>> = {
	'400 because the platform does not know the version': {
		key: 'u',
		before({ session: { store, account }, clock }) {
			const answer = { version: '98.0.0', changes: [] };
			store.receive([{ type: 'answered', account, at: clock.now(), read: 'release', answer }]);
		},
		request: 'POST /atlas/update 400',
		message: 'Update failed: There is no version 98.0.0',
		advice: 'The platform rejected the request as invalid.',
	},
	'402 because the credits are used up': {
		key: 's',
		async before(monitor) {
			monitor.simulator.world.setCredits(0);
			await monitor.pass(15 * second, 5 * second);
			await monitor.press('R');
		},
		warning: 'The platform reports too few credits to run a computer.',
		request: 'POST /atlas/start 402',
		message: 'Start failed:',
		advice: 'Add a payment method or credits first. See Billing.',
	},
	'403 because the computer belongs to somebody else': {
		key: 'r',
		before({ session: { store, account, watch }, clock }) {
			const computers = [{ id: computerIdOfStranger, name: 'atlas', status: 'active' }];
			watch.stop();
			store.receive([{ type: 'listRead', account, at: clock.now(), computers }]);
		},
		request: `POST /${computerIdOfStranger}/restart 403`,
		message: 'Restart failed: This computer belongs to somebody else',
		advice: 'Check who owns the computer and what the plan allows.',
	},
	'409 because the computer was stopped in the meantime': {
		key: 'r',
		before: monitor => monitor.session.watch.stop(),
		meanwhile: monitor => monitor.simulator.world.sleep('atlas'),
		request: 'POST /atlas/restart 409',
		message: 'Restart failed: Cannot restart while the computer is stopped',
		advice: 'another operation is in progress',
	},
};

describe('a refused operation', () => {
	test.each(Object.entries(cases))(
		'stays on its row until Esc, and is never sent twice, after the refusal “%s”',
		async (_, refusal) => {
			const monitor = await openFleet([140, 34]);
			await refusal.before?.(monitor);
			await monitor.goTo('atlas');
			await monitor.press(refusal.key).see('atlas?');
			if (refusal.warning) await monitor.see(refusal.warning);
			refusal.meanwhile?.(monitor);
			await monitor.answer('y');
			await monitor.pass(5 * second, 5 * second).see(/❯ atlas .* failed: /);
			await monitor.pass(12 * second, 6 * second);
			await monitor.press('k', 'enter').see(refusal.message, refusal.advice);
			await monitor.press('escape').seeNo(refusal.message);
			expect(monitor.operationRequests()).toEqual([refusal.request]);
		},
	);

	test('disappears with its row after a 404', async () => {
		const monitor = await openFleet([140, 34]);
		await monitor.press('x').see('Stop atlas?');
		monitor.simulator.world.remove('atlas');
		await monitor.answer('y');
		await monitor.see(/atlas .*Stop failed: There is no such/);
		await monitor.pass(30 * second).see('atlas is gone');
		await monitor.seeNo('Stop failed');
		expect(monitor.operationRequests()).toHaveLength(1);
	});
});

test('what is under way stands on top of the log until it has ended, and F asks again for what failed', async () => {
	const monitor = await openFleet([120, 36]);
	await monitor.confirm('r');
	// The filter of the log does not hide it.
	await monitor.press('5', '/', 'hydra', 'enter', 'J');
	await monitor.see(/❯ \S+ ◐ atlas: Restarting in 4 s, Esc to cancel/);

	// The quit dialog holds the countdown, which starts again when the dialog is declined.
	await monitor.press('ctrl-c').see(/atlas: Restarting: on hold/);
	await monitor.answer('n');
	await monitor.pass(6 * second, 2 * second).see(/❯ \S+ ◐ atlas: Restarting \d+s/);
	await monitor.pass(20 * second, 5 * second).seeNo('atlas: Restarting');
	await monitor.press('escape').see(/atlas: restarted by you in \d+ s/);

	// A failed batch shows its operations, and F retries those that failed.
	monitor.startFault('restart', '503', 1);
	await monitor.confirm('1', '/', 'status:active', 'enter', 'j', 'space', 'j', 'space', 'r');
	await monitor.press('J').see(/❯ \S+ ◐ Restarting 2 computers in 4 s, Esc to cancel/);
	await monitor.pass(40 * second, 5 * second);
	await monitor.see(/❯ \S+ ✖ you restarted 1 of 2 computers .* 1 failed/);
	await monitor.press('enter').see(/✖ \w+: restart failed/);
	await monitor.press('F').see(/Restart \w+\?/);
	await monitor.answer('y').see(/❯ \S+ ✖ you restarted 1 of 2 computers/);
	await monitor.pass(30 * second, 5 * second);
	const requests = monitor.operationRequests().filter(each => each.includes('restart'));
	expect(requests.map(each => each.slice(-3)).sort()).toEqual(['200', '200', '200', '503']);
});

test('x on a line of the log says why there is nothing to cancel, and Enter on an operation opens its computer', async () => {
	const monitor = await openFleet([120, 36]);
	await monitor.press('5', 'x').see('Nothing to cancel on this line');
	await monitor.press('1');
	await monitor.goTo('fornax');
	await monitor.confirm('r');
	await monitor.pass(5 * second, 5 * second);
	await monitor.press('g', 'J', 'x').see('Already sent: it cannot be cancelled');
	await monitor.press('enter').see(monitor.simulator.world.get('fornax').id);
});

test('the row of an operation stays in a filtered table, and the cursor on it, so that a second key hits no other computer', async () => {
	const monitor = await openFleet([120, 36]);
	await monitor.confirm('/', 'status:active', 'enter', 'x');
	await monitor.pass(60 * second, 5 * second).see(/^┊❯ atlas +○ Stopped/m);
	await monitor.press('x').see('Cannot stop atlas: already stopped');
	await monitor.press('down').seeNo('○ Stopped');
	await monitor.see(/^ ❯ fornax +● Active/m);

	// The rows of a batch stay until a moment after it has ended, and marks on them count as hidden.
	await monitor.confirm('a', 'x');
	await monitor.passUntil(() => monitor.text().includes('you stopped 2'), 30 * second, second);
	await monitor.see(/^┊❯ fornax +○ Stopped/m, /^┊ +gemini +○ Stopped/m);
	await monitor.press('space').see('1 marked (1 hidden)');
	await monitor.press('s').see('The computer is hidden by the filter.');
	await monitor.answer('n');
	await monitor.pass(12 * second, 3 * second).see(/^┊❯ gemini +○ Stopped/m);
	await monitor.seeNo(/fornax +○ Stopped/);
});

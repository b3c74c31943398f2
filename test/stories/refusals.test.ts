import { describe, expect, test } from 'vitest';
import { computerIdOfStranger } from '../../source/simulator/endpoints/routes-computers.ts';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;

const openFleet = () => openFaultyMonitor({ computers: 7, size: [140, 34] });

const foldFact = (
	{ session, clock }: FaultyMonitor,
	fact:
		| { type: 'answered'; read: 'release'; answer: { version: string; changes: [] } }
		| { type: 'listRead'; computers: { id: string; name: string; status: string }[] },
) => session.store.receive([{ account: 'test', at: clock.now(), ...fact }]);

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
		before(monitor) {
			foldFact(monitor, {
				type: 'answered',
				read: 'release',
				answer: { version: '98.0.0', changes: [] },
			});
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
		before(monitor) {
			const stranger = { id: computerIdOfStranger, name: 'atlas', status: 'active' };
			monitor.session.watch.stop();
			foldFact(monitor, { type: 'listRead', computers: [stranger] });
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
			const monitor = await openFleet();
			await refusal.before?.(monitor);
			await monitor.goTo('atlas');
			await monitor.press(refusal.key);
			await monitor.see('atlas?');
			if (refusal.warning) await monitor.see(refusal.warning);
			refusal.meanwhile?.(monitor);
			await monitor.answer('y');
			await monitor.pass(5 * second, 5 * second);
			await monitor.see(/❯ atlas .* failed: /);
			await monitor.pass(12 * second, 6 * second);
			await monitor.press('k', 'enter');
			await monitor.see(refusal.message);
			await monitor.see(refusal.advice);
			await monitor.press('escape');
			await monitor.seeNo(refusal.message);
			expect(monitor.operationRequests()).toEqual([refusal.request]);
		},
	);

	test('disappears with its row after a 404', async () => {
		const monitor = await openFleet();
		await monitor.press('x');
		await monitor.see('Stop atlas?');
		monitor.simulator.world.remove('atlas');
		await monitor.answer('y');
		await monitor.idle();
		await monitor.see(/atlas .*Stop failed: There is no such/);
		await monitor.pass(30 * second);
		await monitor.see('atlas is gone');
		await monitor.seeNo('Stop failed');
		expect(monitor.operationRequests()).toHaveLength(1);
	});
});

import { describe, expect, test } from 'vitest';
import { strangersComputer } from '../../source/simulator/demo-account.ts';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;

const opened = () => openFaultyMonitor({ computers: 7, size: [140, 34] });

const tell = (
	{ session, clock }: FaultyMonitor,
	happening:
		| { type: 'releaseRead'; release: { version: string; changes: [] } }
		| { type: 'listRead'; computers: { id: string; name: string; status: string }[] },
) => session.store.fold({ account: 'test', at: clock.now(), ...happening });

type Story = {
	key: string;
	/** What is so when it is asked, and what becomes so while the question is open. */
	before?: (monitor: FaultyMonitor) => void | Promise<void>;
	meanwhile?: (monitor: FaultyMonitor) => void;
	/** The question warns of it. */
	asked?: string;
	deed: string;
	said: string;
	/** What can be done about it: it stands with the computer in full. */
	advice: string;
};

const stories: Readonly<Record<string, Story>> = {
	'400: the platform does not know that version': {
		key: 'u',
		before(monitor) {
			tell(monitor, { type: 'releaseRead', release: { version: '98.0.0', changes: [] } });
		},
		deed: 'POST /atlas/update 400',
		said: 'Update failed: There is no version 98.0.0',
		advice: 'The platform rejected the request as invalid.',
	},
	'402: nothing runs on what is left': {
		key: 's',
		async before(monitor) {
			monitor.simulator.world.setCredits(0);
			await monitor.pass(15 * second, 5 * second);
			await monitor.press('R');
		},
		asked: 'The platform reports that the credits left are too few to run anything.',
		deed: 'POST /atlas/start 402',
		said: 'Start failed:',
		advice: 'Add a payment method or credits first. See Billing.',
	},
	"403: it is somebody else's": {
		key: 'r',
		before(monitor) {
			const stranger = { id: strangersComputer, name: 'atlas', status: 'active' };
			monitor.session.watch.stop();
			tell(monitor, { type: 'listRead', computers: [stranger] });
		},
		deed: `POST /${strangersComputer}/restart 403`,
		said: 'Restart failed: This computer belongs to somebody else',
		advice: 'Check who owns the computer and what the plan allows.',
	},
	'409: somebody else is at it': {
		key: 'r',
		meanwhile: monitor => monitor.simulator.world.sleep('atlas'),
		deed: 'POST /atlas/restart 409',
		said: 'Restart failed: Another operation is already in progress (stopping)',
		advice: 'another operation is in progress',
	},
};

describe('what is refused stays on its row until it was seen, and is never sent twice', () => {
	test.each(Object.entries(stories))('%s', async (_, story) => {
		const monitor = await opened();
		await story.before?.(monitor);
		await monitor.goTo('atlas');
		await monitor.press(story.key);
		await monitor.see('atlas?');
		if (story.asked) await monitor.see(story.asked);
		story.meanwhile?.(monitor);
		await monitor.answer('y');
		await monitor.idle();
		await monitor.see(/❯ atlas .* failed: /);
		await monitor.pass(12 * second, 6 * second);
		await monitor.press('k', 'enter');
		await monitor.see(story.said);
		await monitor.see(story.advice);
		await monitor.press('escape');
		await monitor.unseen(story.said);
		expect(monitor.operationRequests()).toEqual([story.deed]);
	});

	test('404: it is gone, and its row with it', async () => {
		const monitor = await opened();
		await monitor.press('r');
		await monitor.see('Restart atlas?');
		monitor.simulator.world.remove('atlas');
		await monitor.answer('y');
		await monitor.idle();
		await monitor.see(/atlas .*Restart failed: There is no such/);
		await monitor.pass(30 * second);
		await monitor.see('atlas is gone');
		await monitor.unseen('Restart failed');
		expect(monitor.operationRequests()).toHaveLength(1);
	});

	test('429: it waits for its turn, which is told, and then goes by itself', async () => {
		const monitor = await opened();
		await monitor.press('r');
		monitor.startFault('restart', 'throttle', 1);
		await monitor.answer('y');
		await monitor.idle();
		await monitor.see(/atlas .*Restart queued, sends in /);
		await monitor.see('frozen');
		await monitor.pass(20 * second);
		expect(monitor.operationRequests()).toEqual(['POST /atlas/restart 429']);
		await monitor.pass(70 * second);
		await monitor.see('you restarted atlas');
		expect(monitor.operationRequests()).toEqual([
			'POST /atlas/restart 429',
			'POST /atlas/restart 200',
		]);
	});
});

describe('when no answer comes it is looked up, and a person may ask again', () => {
	const kinds = [
		['500', 'Internal error, and '],
		['hang', 'no answer, and '],
		['reset', 'no answer, and '],
	] as const;

	test.each(kinds)('%s: it was not done', async (kind, why) => {
		const monitor = await opened();
		await monitor.press('r');
		monitor.startFault('restart', kind);
		await monitor.answer('y');
		await monitor.idle();
		await monitor.pass(16 * second, 8 * second);
		await monitor.see(/atlas .*Restart: outcome unknown, checking/);
		await monitor.press('enter');
		await monitor.see('It may have been done, so it is not sent again.');
		await monitor.pass(30 * second, 10 * second);
		await monitor.see(`Restart failed: ${why}`);
		await monitor.see('Ask again if you still want it.');
		expect(monitor.operationRequests()).toHaveLength(1);
		monitor.endFaults();
		await monitor.press('r');
		await monitor.answer('y');
		await monitor.pass(40 * second, 10 * second);
		await monitor.see('you restarted atlas');
		expect(monitor.operationRequests()).toHaveLength(2);
	});

	test('lost after the deed: it was done, and nothing is left of the trouble', async () => {
		const monitor = await opened();
		await monitor.press('r');
		monitor.startFault('restart', 'lost');
		await monitor.answer('y');
		await monitor.idle();
		await monitor.pass(4 * second, 2 * second);
		await monitor.press('enter');
		await monitor.see(/Restarting \ds/);
		expect(monitor.text()).not.toContain('cannot be reached');
		await monitor.pass(20 * second, 5 * second);
		await monitor.see('you restarted atlas');
		expect(monitor.operationRequests()).toHaveLength(1);
	});
});

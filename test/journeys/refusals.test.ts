import { describe, expect, test } from 'vitest';
import { strangersComputer } from '../../source/simulator/demo-account.ts';
import { type MatrixStage, openMatrixStage } from './fault-matrix-stage.ts';

const second = 1_000;

async function opened(): Promise<MatrixStage> {
	const stage = await openMatrixStage({ computers: 7, size: [140, 34] });
	await stage.pass(9 * second, 3 * second);
	return stage;
}

const tell = (
	{ lookout, clock }: MatrixStage,
	happening:
		| { type: 'releaseRead'; release: { version: string; changes: [] } }
		| { type: 'listRead'; computers: { id: string; name: string; status: string }[] },
) => lookout.store.fold({ account: 'test', at: clock.now(), ...happening });

type Story = {
	key: string;
	/** What is so when it is asked, and what becomes so while the question is open. */
	before?: (stage: MatrixStage) => void | Promise<void>;
	meanwhile?: (stage: MatrixStage) => void;
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
		before(stage) {
			tell(stage, { type: 'releaseRead', release: { version: '98.0.0', changes: [] } });
		},
		deed: 'POST /atlas/update 400',
		said: 'Update failed: There is no version 98.0.0',
		advice: 'The platform refused the request as wrong.',
	},
	'402: nothing runs on what is left': {
		key: 's',
		async before(stage) {
			stage.simulator.world.setCredits(0);
			await stage.pass(70 * second);
		},
		asked: 'The platform says that nothing runs on what is left.',
		deed: 'POST /atlas/start 402',
		said: 'Start failed:',
		advice: 'The platform wants a payment method or credits first. See Billing.',
	},
	"403: it is somebody else's": {
		key: 'r',
		before(stage) {
			const stranger = { id: strangersComputer, name: 'atlas', status: 'active' };
			stage.lookout.watch.stop();
			tell(stage, { type: 'listRead', computers: [stranger] });
		},
		deed: `POST /${strangersComputer}/restart 403`,
		said: 'Restart failed: This computer belongs to somebody else',
		advice: 'Check whose computer it is and what the plan allows.',
	},
	'409: somebody else is at it': {
		key: 'r',
		meanwhile: stage => stage.simulator.world.sleep('atlas'),
		deed: 'POST /atlas/restart 409',
		said: 'Restart failed: Another operation is already in progress (stopping)',
		advice: 'something else is under way',
	},
};

describe('what is refused stays on its row until it was seen, and is never sent twice', () => {
	test.each(Object.entries(stories))('%s', async (_, story) => {
		const stage = await opened();
		await story.before?.(stage);
		await stage.goTo('atlas');
		await stage.press(story.key);
		await stage.see('atlas?');
		if (story.asked) await stage.see(story.asked);
		story.meanwhile?.(stage);
		await stage.answer('y');
		await stage.quiet();
		await stage.see(/❯ atlas .* failed: /);
		await stage.pass(30 * second);
		await stage.press('k', 'enter');
		await stage.see(story.said);
		await stage.see(story.advice);
		await stage.press('escape');
		await stage.unseen(story.said);
		expect(stage.deeds()).toEqual([story.deed]);
	});

	test('404: it is gone, and its row with it', async () => {
		const stage = await opened();
		await stage.press('r');
		await stage.see('Restart atlas?');
		stage.simulator.world.remove('atlas');
		await stage.answer('y');
		await stage.quiet();
		await stage.see(/atlas .*Restart failed: There is no such/);
		await stage.pass(30 * second);
		await stage.see('atlas is gone');
		await stage.unseen('Restart failed');
		expect(stage.deeds()).toHaveLength(1);
	});

	test('429: it waits for its turn, which is told, and then goes by itself', async () => {
		const stage = await opened();
		await stage.press('r');
		stage.begin('restart', 'throttle', 1);
		await stage.answer('y');
		await stage.quiet();
		await stage.see(/atlas .*Restarting: waits for its turn, /);
		await stage.see('frozen');
		await stage.pass(20 * second);
		expect(stage.deeds()).toEqual(['POST /atlas/restart 429']);
		await stage.pass(70 * second);
		await stage.see('you restarted atlas');
		expect(stage.deeds()).toEqual(['POST /atlas/restart 429', 'POST /atlas/restart 200']);
	});
});

describe('when no answer comes it is looked up, and a person may ask again', () => {
	const kinds = [
		['500', 'Internal error, and '],
		['hang', 'no answer came, and '],
		['reset', 'no answer came, and '],
	] as const;

	test.each(kinds)('%s: it was not done', async (kind, why) => {
		const stage = await opened();
		await stage.press('r');
		stage.begin('restart', kind);
		await stage.answer('y');
		await stage.quiet();
		await stage.pass(16 * second, 2 * second);
		await stage.see(/atlas .*Restart: outcome unknown, looking it up/);
		await stage.press('enter');
		await stage.see('It may have been done, so nothing is sent again.');
		await stage.pass(30 * second, 5 * second);
		await stage.see(`Restart failed: ${why}`);
		await stage.see('Ask again if it is still wanted.');
		expect(stage.deeds()).toHaveLength(1);
		stage.end();
		await stage.press('r');
		await stage.answer('y');
		await stage.pass(40 * second, 5 * second);
		await stage.see('you restarted atlas');
		expect(stage.deeds()).toHaveLength(2);
	});

	test('lost after the deed: it was done, and nothing is left of the trouble', async () => {
		const stage = await opened();
		await stage.press('r');
		stage.begin('restart', 'lost');
		await stage.answer('y');
		await stage.quiet();
		await stage.pass(4 * second, 2 * second);
		await stage.press('enter');
		await stage.see(/Restarting \ds/);
		expect(stage.text()).not.toContain('cannot be reached');
		await stage.pass(20 * second, 5 * second);
		await stage.see('you restarted atlas');
		expect(stage.deeds()).toHaveLength(1);
	});
});

import { describe, expect, test } from 'vitest';
import { type MatrixStage, openMatrixStage } from './fault-matrix-stage.ts';

const second = 1_000;
const minute = 60 * second;

async function opened(): Promise<MatrixStage> {
	const stage = await openMatrixStage({ computers: 7, size: [120, 34] });
	await stage.pass(9 * second, 3 * second);
	return stage;
}

/** A stop of atlas was answered, and counts down. */
async function countingDown(): Promise<MatrixStage> {
	const stage = await opened();
	await stage.press('x');
	await stage.answer('y');
	await stage.see(/atlas .*Stopping in 4 s, Esc to keep it/);
	return stage;
}

/** Whatever comes: nothing of it reaches the platform any more. */
async function nothingIsSent(stage: MatrixStage) {
	await stage.pass(30 * second);
	expect(stage.deeds()).toEqual([]);
}

describe('a question', () => {
	test.each(['n', 'escape'])('is put away by %s', async key => {
		const stage = await opened();
		await stage.press('x');
		await stage.answer(key);
		await stage.see('Question closed.');
		await nothingIsSent(stage);
	});

	test('stays about its computer when that is removed, says so, and nothing is sent', async () => {
		const stage = await opened();
		await stage.press('x');
		stage.simulator.world.remove('atlas');
		await stage.pass(10 * second);
		await stage.see('Meanwhile atlas is gone.');
		expect(stage.text()).toContain('❯ borealis');
		await stage.press('y');
		await stage.pass(10 * second);
		await stage.see('could not stop atlas: it is not there any more');
		await nothingIsSent(stage);
	});

	test('is gone when the monitor has locked itself, and so is the chance to answer it', async () => {
		const stage = await opened();
		await stage.press('x');
		await stage.pass(10 * minute, minute);
		await stage.press('y');
		expect(stage.text()).not.toContain('Stop atlas?');
		await stage.press('x');
		await stage.see('Unlock? y / n');
		await stage.answer('n', 'y');
		await nothingIsSent(stage);
	});

	test('is not answered where it cannot be read, and is deaf when it comes back', async () => {
		const stage = await opened();
		await stage.press('x');
		stage.clock.move(300);
		stage.resize(20, 5);
		await stage.see('crowsnest needs 30x6');
		await stage.press('y');
		stage.clock.move(1 * second);
		stage.resize(120, 34);
		await stage.see('Stop atlas?');
		await stage.press('y');
		await stage.see('Stop atlas?');
		await stage.answer('n');
		await nothingIsSent(stage);
	});

	test('is not answered by the end of a pasted line', async () => {
		const stage = await opened();
		await stage.press('D');
		stage.clock.move(300);
		await stage.press('\x1b[200~atlas\r\x1b[201~');
		await stage.see('Type atlas by hand: pasting does not confirm.');
		await stage.press('enter');
		await stage.see('that is not atlas');
		await stage.press('escape');
		await nothingIsSent(stage);
	});
});

describe('a countdown', () => {
	const places: readonly (readonly [where: string, keys: readonly string[], sign: string])[] = [
		['the table', [], 'SEEN'],
		['the computer in full', ['enter'], 'Provider'],
		['another view', ['5'], 'Log'],
		['help', ['?'], 'turn the order round'],
		['the palette', [':', 's'], '❯ '],
		['the filter', ['/', 'a'], '/a▏'],
	];

	test.each(places)('is ended by Esc in %s', async (_, keys, sign) => {
		const stage = await countingDown();
		await stage.press(...keys);
		await stage.see(sign);
		await stage.see('Esc to keep it');
		await stage.press('escape');
		await stage.unseen('Esc to keep it');
		await nothingIsSent(stage);
		await stage.press('escape', 'escape', '1');
		await stage.see('you called off: stop atlas');
	});

	test('of a delete is longer, and ended as well', async () => {
		const stage = await opened();
		await stage.press('D');
		await stage.answer(...'atlas', 'enter');
		await stage.see('Deleting atlas in 5 s, Esc to keep it');
		await stage.pass(4 * second, second);
		await stage.see(/Deleting atlas in [12] s, Esc to keep it/);
		await stage.press('escape');
		await stage.see('Cancelled: atlas was not deleted');
		await nothingIsSent(stage);
	});

	test('of many is ended at once', async () => {
		const stage = await opened();
		await stage.press('/status:active', 'enter', 'a', 'x');
		await stage.answer(...'stop 3', 'enter');
		await stage.see(/gemini .*Stopping in 4 s, Esc to keep it/);
		await stage.press('escape');
		await stage.see('Cancelled: 3 operations were not sent');
		await stage.see('Stopped 0 of 3, 3 called off');
		await nothingIsSent(stage);
	});

	test.each(['q', 'ctrl-c'])(
		'is left with %s only after a question, which says what it drops',
		async key => {
			const stage = await countingDown();
			await stage.goTo('fornax');
			await stage.press('r');
			await stage.answer('y');
			await stage.quiet();
			await stage.press(key);
			await stage.see('Goes on without this program:');
			await stage.see('restart fornax');
			await stage.see('Quitting cancels');
			await stage.see('stop atlas');
			expect(stage.said.endings).toEqual([]);
			await stage.answer('y');
			expect(stage.said.endings).toEqual([{ kind: 'quit' }]);
			await stage.lookout.close();
			await stage.pass(30 * second);
			expect(stage.deeds()).toEqual(['POST /fornax/restart 200']);
		},
	);

	test('goes on when one stays after all', async () => {
		const stage = await countingDown();
		await stage.press('q');
		await stage.answer('n');
		await stage.pass(5 * second, second);
		expect(stage.said.endings).toEqual([]);
		expect(stage.deeds()).toEqual(['POST /atlas/stop 200']);
	});

	test('begins anew for whoever comes back, and nothing is sent before', async () => {
		const stage = await countingDown();
		await stage.pass(3 * second, second);
		await stage.see(/atlas .*Stopping in [12] s/);
		await stage.press('ctrl-z');
		await stage.pass(9 * second, second);
		expect(stage.deeds()).toEqual([]);
		stage.resume();
		await stage.see(/atlas .*Stopping in 4 s, Esc to keep it/);
		await stage.pass(3 * second, second);
		expect(stage.deeds()).toEqual([]);
		await stage.pass(2 * second, second);
		expect(stage.deeds()).toEqual(['POST /atlas/stop 200']);
	});

	test('ends with the program, however that ends', async () => {
		const stage = await countingDown();
		await stage.lookout.close();
		await nothingIsSent(stage);
	});
});

describe('what waits for its turn', () => {
	async function frozen() {
		const stage = await opened();
		await stage.press('r');
		stage.begin('restart', 'throttle');
		await stage.answer('y');
		await stage.quiet();
		await stage.see(/atlas .*Restarting: waits for its turn/);
		await stage.goTo('fornax');
		await stage.press('u');
		await stage.answer('y');
		await stage.see(/fornax .*Updating: waits for its turn/);
		return stage;
	}

	test('is called off by Esc, all of it', async () => {
		const stage = await frozen();
		await stage.press('escape');
		await stage.see('Cancelled: 2 operations were not sent');
		stage.end();
		await stage.pass(80 * second);
		expect(stage.deeds()).toEqual(['POST /atlas/restart 429']);
	});

	test('is dropped by quitting, which says so', async () => {
		const stage = await frozen();
		await stage.press('q');
		await stage.see('Quitting cancels');
		await stage.see(/restart atlas, update fornax|update fornax, restart atlas/);
		await stage.answer('y');
		await stage.lookout.close();
		stage.end();
		await stage.pass(80 * second);
		expect(stage.deeds()).toEqual(['POST /atlas/restart 429']);
	});

	test('waits for whoever unlocks it, and goes no sooner', async () => {
		const stage = await frozen();
		await stage.press('L');
		stage.end();
		await stage.pass(80 * second);
		await stage.see(/atlas .*Restarting: waits for unlock/);
		expect(stage.deeds()).toEqual(['POST /atlas/restart 429']);
		await stage.press('x');
		await stage.see('Waits for that, and is sent then:');
		await stage.answer('y');
		await stage.pass(20 * second, 2 * second);
		expect([...stage.deeds()].sort()).toEqual([
			'POST /atlas/restart 200',
			'POST /atlas/restart 429',
			'POST /fornax/update 200',
		]);
	});
});

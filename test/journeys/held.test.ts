import { describe, expect, test } from 'vitest';
import { type MatrixStage, openMatrixStage } from './fault-matrix-stage.ts';
import { answer, deedsOf, goTo } from './person.ts';

const second = 1_000;
const minute = 60 * second;

/** A stop of atlas was answered two seconds ago, and counts down. */
async function countingDown(wish: Parameters<typeof openMatrixStage>[0] = {}) {
	const stage = await openMatrixStage({ computers: 7, size: [120, 34], ...wish });
	await stage.pass(9 * second, 3 * second);
	await stage.press('x');
	await answer(stage, 'y');
	await stage.see(/atlas .*Stopping in 4 s, Esc to keep it/);
	await stage.pass(2 * second, second);
	return stage;
}

/** It ran out of sight for a while: it takes the full four seconds from now on. */
async function startsFromItsFullTime(stage: MatrixStage) {
	await stage.see(/atlas .*Stopping in 4 s, Esc to keep it/);
	await stage.pass(3 * second, second);
	expect(deedsOf(stage)).toEqual([]);
	await stage.pass(2 * second, second);
	expect(deedsOf(stage)).toEqual(['POST /atlas/stop 200']);
}

describe('a dialog over a countdown', () => {
	const dialogs: readonly (readonly [what: string, keys: readonly string[], sign: string])[] = [
		['a question', ['G', 'x'], 'Stop gemini?'],
		['a typed confirmation', ['G', 'D'], 'Delete gemini?'],
		['the quit dialog', ['q'], 'Quit now?'],
		['the quit dialog, by Ctrl-C', ['ctrl-c'], 'Quit now?'],
		['a payment question', ['2', 'o'], 'Open a payment page?'],
	];

	test.each(dialogs)('holds it, says so, and nothing is sent: %s', async (_, keys, sign) => {
		const stage = await countingDown();
		await stage.press(...keys);
		await stage.see(sign);
		await stage.see('held at 2 s');
		expect(stage.text()).not.toContain('Esc to keep it');
		await stage.pass(minute);
		expect(stage.text()).toContain(sign);
		expect(deedsOf(stage)).toEqual([]);
	});

	test.each(dialogs)(
		'is closed by the first Esc, and the next one cancels: %s',
		async (_, keys) => {
			const stage = await countingDown();
			await stage.press(...keys);
			await stage.see('held at 2 s');
			await answer(stage, 'escape');
			await stage.see('Question closed.');
			await stage.see('Stopping atlas in 4 s, Esc to keep it');
			await stage.press('escape');
			await stage.see('Cancelled: atlas was not stopped');
			await stage.pass(minute);
			expect(deedsOf(stage)).toEqual([]);
		},
	);

	test('starts it again from its full time when it closes', async () => {
		const stage = await countingDown();
		await stage.press('G', 'x');
		await stage.see('held at 2 s');
		await stage.pass(20 * second);
		await stage.press('n', 'g');
		await startsFromItsFullTime(stage);
	});

	test('lets the countdown that it begins run together with the one it held', async () => {
		const stage = await countingDown();
		await stage.press('G', 'x');
		await stage.see('Stop gemini?');
		await answer(stage, 'y');
		await stage.see('in 4 s, then 1 more, Esc keeps both');
		await stage.pass(5 * second, second);
		expect([...deedsOf(stage)].sort()).toEqual(['POST /atlas/stop 200', 'POST /gemini/stop 200']);
	});

	test('holds a countdown of many in their own line', async () => {
		const stage = await openMatrixStage({ computers: 7, size: [120, 34] });
		await stage.pass(9 * second, 3 * second);
		await stage.press('/status:active', 'enter', 'a', 'x');
		await answer(stage, ...'stop 3', 'enter');
		await stage.see('Stopping 3 in 4 s, Esc keeps them');
		await stage.press('q');
		await stage.see('Stopping 3: held at 4 s');
		await stage.see('Quitting cancels (held at 4 s):');
		await stage.pass(minute);
		expect(deedsOf(stage)).toEqual([]);
	});

	test.each([
		['help', ['?']],
		['the palette', [':']],
		['the filter', ['/']],
		['the choice of columns', ['C']],
	])('is not meant where the countdown stays in sight: %s', async (_, keys) => {
		const stage = await countingDown();
		await stage.press(...keys);
		await stage.pass(3 * second, second);
		expect(deedsOf(stage)).toEqual(['POST /atlas/stop 200']);
	});
});

describe('the quit dialog', () => {
	test('says what quitting cancels, and cancels it', async () => {
		const stage = await countingDown();
		await stage.press('q');
		await stage.see('Quitting cancels (held at 2 s):');
		await stage.see('stop atlas');
		await stage.see('Quit y, stay n');
		await answer(stage, 'y');
		expect(stage.said.endings).toEqual([{ kind: 'quit' }]);
		await stage.pass(minute);
		expect(deedsOf(stage)).toEqual([]);
	});

	test('holds what waits for its turn, and lets it go when one stays', async () => {
		const stage = await openMatrixStage({ computers: 7, size: [120, 34] });
		await stage.pass(9 * second, 3 * second);
		await stage.press('r');
		stage.begin('restart', 'throttle');
		await answer(stage, 'y');
		await stage.quiet();
		await stage.see(/atlas .*Restarting: waits for its turn/);
		await stage.press('q');
		await stage.see('Quitting cancels:');
		await stage.see(/atlas .*Restarting: held/);
		stage.end();
		await stage.pass(80 * second, 20 * second);
		expect(deedsOf(stage)).toEqual(['POST /atlas/restart 429']);
		await stage.press('n');
		await stage.pass(10 * second, second);
		expect(deedsOf(stage)).toEqual(['POST /atlas/restart 429', 'POST /atlas/restart 200']);
	});

	test('holds what waits for its turn while the program is suspended, too', async () => {
		const stage = await openMatrixStage({ computers: 7, size: [120, 34] });
		await stage.pass(9 * second, 3 * second);
		await stage.press('r');
		stage.begin('restart', 'throttle');
		await answer(stage, 'y');
		await stage.quiet();
		await stage.press('q', 'ctrl-z');
		stage.end();
		await stage.pass(80 * second, 20 * second);
		expect(deedsOf(stage)).toEqual(['POST /atlas/restart 429']);
		stage.resume();
		await stage.see('Quit now?');
	});

	test('closes by itself when nothing of what it says is left', async () => {
		const stage = await openMatrixStage({ computers: 7, size: [120, 34] });
		await stage.pass(9 * second, 3 * second);
		await goTo(stage, 'fornax');
		await stage.press('r');
		await answer(stage, 'y');
		await stage.quiet();
		await stage.press('q');
		await stage.see('Goes on without this program:');
		await stage.see('restart fornax');
		expect(stage.text()).not.toContain('Quitting cancels');
		await stage.pass(30 * second, 3 * second);
		expect(stage.text()).not.toContain('Quit now?');
		await stage.press('q');
		expect(stage.said.endings).toEqual([{ kind: 'quit' }]);
	});
});

describe('a countdown out of sight', () => {
	test('is held in a terminal that is too small, and starts again in a larger one', async () => {
		const stage = await countingDown();
		stage.resize(25, 5);
		await stage.see('crowsnest needs 30x6');
		await stage.pass(minute);
		expect(deedsOf(stage)).toEqual([]);
		stage.resize(60, 15);
		await stage.see('Stopping atlas in 4 s');
		stage.resize(120, 34);
		await startsFromItsFullTime(stage);
	});

	test('stays held by a dialog when the program goes on after Ctrl-Z', async () => {
		const stage = await countingDown();
		await stage.press('q', 'ctrl-z');
		await stage.pass(minute);
		stage.resume();
		await stage.see('held at 2 s');
		await stage.pass(minute);
		expect(deedsOf(stage)).toEqual([]);
		await stage.press('n');
		await startsFromItsFullTime(stage);
	});

	test('is not sent by the lock that closes an unanswered question', async () => {
		const stage = await countingDown();
		await stage.press('G', 'x');
		await stage.pass(15 * minute, minute);
		expect(stage.text()).not.toContain('Stop gemini?');
		await stage.pass(minute, second);
		expect(deedsOf(stage)).toEqual([]);
	});
});

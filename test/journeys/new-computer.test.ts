import { expect, test } from 'vitest';
import type { Change } from '../../source/fleet/change.ts';
import { type MatrixStage, openMatrixStage } from './fault-matrix-stage.ts';

const second = 1_000;
const minute = 60 * second;

async function ordered(stage: MatrixStage, name = '') {
	await stage.press('n');
	await stage.see('New computer?');
	await stage.answer(...name, 'enter', 'enter', 'y');
	await stage.quiet();
}

const opened = async () => {
	const stage = await openMatrixStage({ computers: 7, size: [120, 30] });
	await stage.pass(9 * second, 3 * second);
	return stage;
};

test('a new computer is asked for, and followed through its stages until it is ready', async () => {
	const stage = await opened();
	await stage.press('n');
	await stage.see('5 of the 5 creates of this hour are left.');
	await stage.see('idle for 30 min (Pro)');
	await stage.see(/\d+\.\d\d credits are left/);
	await stage.answer(...'nova', 'enter');
	await stage.see('Provider: opensandbox');
	await stage.see('crowsnest new --name nova --yes');
	await stage.press('enter', 'enter');
	expect(stage.deeds(), 'Enter alone').toEqual([]);
	await stage.see('New? y / n');
	await stage.press('y');
	await stage.quiet();
	await stage.pass(4 * second, second);
	await stage.see(/nova +◐ Creating +creating .* \d+%/);
	await stage.pass(12 * second, second);
	await stage.see(/nova +◐ Creating +loading_image .* \d\d%/);
	await stage.passUntil(() => /nova +● Active/.test(stage.text()), 3 * minute);
	await stage.see('you created nova');
	expect(stage.deeds()).toEqual(['POST  200']);
});

test('Esc goes back through what a new computer is asked for, and then out', async () => {
	const stage = await opened();
	await stage.press('n');
	await stage.answer(...'nova', 'enter', 'enter', 'escape');
	await stage.see('Provider: opensandbox');
	await stage.press('escape');
	await stage.see('Name (may be left empty): nova');
	await stage.press('escape');
	await stage.see('Question closed.');
	expect(stage.deeds()).toEqual([]);
});

test('the question counts the creates of this hour, the sixth waits, and Esc calls it off', async () => {
	const stage = await opened();
	for (const name of ['one', 'two', 'three', 'four', 'five']) await ordered(stage, name);
	await stage.see('five');
	await stage.press('n');
	await stage.see(/None of the 5 creates of this hour is left: it waits for 1 h/);
	await stage.answer('enter', 'enter', 'y');
	await stage.see(/Creating: waits for its turn, 1h/);
	await stage.pass(5 * minute);
	expect(stage.deeds()).toHaveLength(5);
	await stage.press('q');
	await stage.see('Quitting cancels');
	await stage.answer('n', 'escape');
	await stage.see('Cancelled: the computer was not created');
	await stage.pass(2 * 60 * minute, 10 * minute);
	expect(stage.deeds()).toHaveLength(5);
});

test('one that waited until nobody was there goes when that was unlocked, which says so', async () => {
	const stage = await opened();
	for (const name of ['one', 'two', 'three', 'four', 'five']) await ordered(stage, name);
	await ordered(stage, 'six');
	await stage.pass(70 * minute, 10 * minute);
	await stage.see('six: Creating: waits for unlock');
	expect(stage.deeds()).toHaveLength(5);
	await stage.press('x');
	await stage.see('Waits for that, and is sent then:');
	await stage.see('create six');
	await stage.answer('y');
	await stage.pass(5 * second, second);
	await stage.see(/six +◐ Creating/);
	expect(stage.deeds()).toHaveLength(6);
});

test('a create that takes longer than creates took here before says so', async () => {
	const stage = await opened();
	const at = stage.clock.now() - 3 * 60 * minute;
	const changes = ['a', 'b', 'c'].flatMap((key): Change[] => {
		const move = { type: 'operationMoved', wish: { key, operation: 'create' } } as const;
		return [
			{ ...move, at, to: 'sent', took: 0 },
			{ ...move, at: at + 10 * second, to: 'settled', took: 10 * second },
		];
	});
	stage.lookout.store.fold({
		account: 'test',
		at: stage.clock.now(),
		type: 'pastRecalled',
		changes,
		samples: [],
	});
	await stage.press('n');
	await stage.see('Here it usually takes 10 s to be ready.');
	await stage.answer(...'nova', 'enter', 'enter', 'y');
	await stage.quiet();
	await stage.pass(8 * second, second);
	expect(stage.text()).not.toContain('usually');
	await stage.pass(12 * second, second);
	await stage.see(/nova +◐ Creating +\d\ds, usually 10s .*\d\d%/);
});

test('a create that went wrong on the platform tells on its row why, until that was seen', async () => {
	const stage = await opened();
	await ordered(stage, 'nova');
	await stage.pass(4 * second, second);
	stage.simulator.world.fail('nova', 'no capacity left');
	await stage.pass(8 * second, second);
	await stage.see(/nova +✖ Error +New failed: no capacity left/);
	await stage.press('G', 'escape');
	await stage.see(/nova +✖ Error +no capacity left/);
	expect(stage.deeds()).toHaveLength(1);
});

test('a create that is refused has no row, and stays in the footer until it was seen', async () => {
	const stage = await opened();
	stage.simulator.setFaults([{ where: 'create', kind: 'reset' }]);
	await ordered(stage, 'nova');
	await stage.see('nova: New: outcome unknown, looking it up');
	await stage.pass(40 * second);
	await stage.press('j');
	await stage.see('nova: New failed: no answer came, and the list shows no new computer');
	await stage.press('escape');
	await stage.unseen('New failed');
	stage.simulator.setFaults([]);
	await ordered(stage, 'nova');
	await stage.pass(5 * second, second);
	await stage.see(/nova +◐ Creating/);
	expect(stage.deeds()).toHaveLength(2);
});

import { expect, test } from 'vitest';
import { type MatrixStage, openMatrixStage } from './fault-matrix-stage.ts';

const second = 1_000;

/** Restarts were asked for of these, one by one, and it was found that none was done. */
async function failed(...names: readonly string[]): Promise<MatrixStage> {
	const stage = await openMatrixStage({ computers: 7, size: [120, 40] });
	await stage.pass(9 * second, 3 * second);
	stage.simulator.setFaults([{ where: 'restart', kind: '503', count: names.length }]);
	for (const name of names) {
		await stage.goTo(name);
		await stage.press('r');
		await stage.answer('y');
		await stage.quiet();
	}
	await stage.pass(40 * second, 5 * second);
	for (const name of names) await stage.see(new RegExp(`${name} .*Restart failed`));
	return stage;
}

test('what failed alone is asked about again where the cursor is on it', async () => {
	const stage = await failed('atlas', 'fornax');
	await stage.goTo('atlas');
	await stage.press('F');
	await stage.see('Restart atlas?');
	await stage.answer('F', 'y');
	await stage.pass(40 * second, 5 * second);
	await stage.see('you restarted atlas');
	await stage.see(/fornax .*Restart failed/);
	expect(stage.deeds()).toHaveLength(3);
});

test('elsewhere, all that failed alike', async () => {
	const stage = await failed('atlas', 'fornax');
	await stage.goTo('gemini');
	await stage.press('F');
	await stage.see('Restart 2 computers?');
	await stage.answer('escape');
	await stage.press('L', 'F');
	await stage.see('Unlock? y / n');
	expect(stage.deeds()).toHaveLength(2);
});

test('a port that was not published is asked about with its number', async () => {
	const stage = await openMatrixStage({ computers: 7, size: [120, 40] });
	await stage.pass(9 * second, 3 * second);
	stage.simulator.setFaults([{ where: 'publish', kind: '503', count: 1 }]);
	await stage.press('p');
	await stage.answer(...'9000', 'enter');
	await stage.quiet();
	await stage.pass(40 * second, 5 * second);
	await stage.see(/atlas .*Publish failed/);
	await stage.press('F');
	await stage.see('Publish port 9000 of atlas?');
});

test('where nothing failed, that is said', async () => {
	const stage = await openMatrixStage({ computers: 7 });
	await stage.pass(9 * second, 3 * second);
	await stage.press('F');
	await stage.see('nothing has failed');
});

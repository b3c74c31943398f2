import { expect, test } from 'vitest';
import { openMatrixStage } from './fault-matrix-stage.ts';
import { answer } from './person.ts';

async function opened(size: readonly [number, number] = [120, 34]) {
	const stage = await openMatrixStage({ computers: 7, size });
	await stage.pass(6_000, 3_000);
	await stage.see('atlas');
	return stage;
}

test('Enter refuses a field that does not exist, names the nearest, and keeps the line open', async () => {
	const stage = await opened();
	await stage.press(...'/statu:error', 'enter');
	await stage.see('No field “statu”. Did you mean status?');
	await stage.see('/statu:error▏');
	await stage.press('a');
	await stage.see('/statu:errora▏');
	expect(stage.text()).not.toContain('marked');
});

test('Enter refuses a status that no computer can have', async () => {
	const stage = await opened();
	await stage.press(...'/status:eror', 'enter');
	await stage.see('No status “eror”. Did you mean error?');
	await stage.see('/status:eror▏');
	await stage.press('backspace', 'backspace', 'backspace', ...'rror', 'enter');
	await stage.see('/status:error');
	await stage.see('draco');
	expect(stage.text()).not.toContain('▏');
	expect(stage.text()).not.toContain('atlas');
});

test('Esc leaves a line that Enter refuses', async () => {
	const stage = await opened();
	await stage.press(...'/statu:error', 'enter', 'escape');
	await stage.see('atlas');
	expect(stage.text()).not.toContain('statu:');
});

test('a marked computer that the filter hides is counted in the footer, and a question says so first', async () => {
	const stage = await opened();
	await stage.press('g', ' ', ...'/gemini', 'enter');
	await stage.see('1 marked (1 hidden)');
	await stage.press('x');
	await stage.see('Stop atlas?');
	const lines = stage.text().split('\n');
	const top = lines.findIndex(line => line.includes('╭ Stop atlas?'));
	expect(lines[top + 1]).toContain('It is not in view: the filter hides it.');
	await answer(stage, 'escape');
});

test('F on a computer in error says what can be done, when no request failed here', async () => {
	const stage = await opened();
	await stage.press(...'/draco', 'enter', 'F');
	await stage.see(
		'No request of yours failed here; draco is in error: r restarts it, D deletes it',
	);
});

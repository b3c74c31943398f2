import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('marks outlive a filter, and a question says what it is about and not in view', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('/status:active', 'enter', 'a');
	await stage.see('3 marked');
	await stage.press('/', 'ctrl-u', ...'status:stopped', 'enter', 'x');
	await stage.see('Stop 3 computers?');
	await stage.see('None of these is in view: the filter hides them.');
	await stage.answer('escape');
	await stage.see('Question closed.');
	await stage.see('3 marked');
});

test('what was called off before it was sent is marked as before', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('/status:active', 'enter', 'a', 'x');
	await stage.answer(...'stop 3', 'enter');
	await stage.see(/gemini .*Stopping in 4 s/);
	await stage.unseen('3 marked');
	await stage.press('escape');
	await stage.see('Cancelled: 3 operations were not sent');
	await stage.press('x');
	await stage.see('Stop 3 computers?');
	expect(stage.deeds()).toEqual([]);
});

test('marks that were not meant stay', async () => {
	const stage = await openMonitor();
	await stage.see('update to 1.4.2 available');
	await stage.press('space', 'space', '4', 'u');
	await stage.see('Update fornax?');
	await stage.answer('y');
	await stage.press('1');
	await stage.see('2 marked');
});

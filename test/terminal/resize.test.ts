import { expect, test } from 'vitest';
import { sessionsOf } from './session.ts';

const { open } = sessionsOf();

test('Ctrl-L redraws a screen that other programs wrote on, and a resize draws what Ctrl-L draws', async () => {
	const session = open({ flags: ['--calm'] });
	await session.sees('q quit');
	await session.press('k');
	const before = session.text();
	session.terminal.write('\u001B[5;5Hnoise\u001B[9;1Hnoise');
	await session.sees('noise');
	await session.press('\u000C');
	expect(session.text()).toBe(before);

	for (const [columns, rows] of [
		[60, 10],
		[140, 30],
		[20, 7],
		[100, 24],
	] as const) {
		session.resize(columns, rows);
		const rule = '─'.repeat(columns);
		await session.until(`${columns}×${rows}`, () => session.text().split('\n')[2] === rule);
		// The resize alone may still be drawing.
		await session.press('k');
		const resized = session.text();
		await session.press('\u000C');
		expect(session.text()).toBe(resized);
	}
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program, sessionsOf } from './session.ts';

const { open, folder } = sessionsOf();

const monitor = (env: Record<string, string> = {}, options = '') =>
	open({
		columns: 120,
		rows: 36,
		line: `exec ${process.execPath} ${program} --demo ${options}`,
		env: { CROWSNEST_STATE_DIR: join(folder(), 'state'), ...env },
	});

test('after a key the idle mark follows the frame that shows the effect of the key', async () => {
	const session = monitor();
	await session.sees('24 computers');
	for (let row = 1; row < 10; row += 1) {
		await session.press('j');
		expect(session.text().split('\n')[4 + row]).toContain('❯');
	}
	await session.press('?');
	expect(session.text()).toContain('action name for [keys]');
	await session.press('\x1b');
	expect(session.text()).not.toContain('action name for [keys]');
	await session.press('/vega');
	expect(session.text()).toContain('1 shown');
});

test('the spoken monitor writes an idle mark after each key', async () => {
	const session = monitor({}, '--screen-reader');
	await session.sees('24 computers');
	await session.press('j');
	expect(session.text()).toContain('borealis');
});

test('the monitor writes no idle marks outside of tests', async () => {
	const session = monitor({ CROWSNEST_IDLE_MARKS: '' });
	await session.sees('24 computers');
	session.press('jjj');
	await session.until('the fourth row', () => session.text().split('\n')[7]?.includes('❯'));
	expect(session.receivedWithMarks()).not.toContain('\x1b]7717');
	session.press('q');
	await session.ended();
});

import { expect, test } from 'vitest';
import { openMonitor } from '../../driver/monitor.ts';
import { openTerminal } from '../open-terminal.ts';

test('the screen is drawn in Unicode on a terminal that shows each glyph in one cell', async () => {
	const { terminal, device } = await openTerminal();
	expect(device.written()).toContain('\u001B[6n');
	expect(terminal.state()).toMatchObject({ hasUnicode: true });
	expect(device.lines().join('')).not.toContain('✖');
});

test.each(['\u001B[2;9R', '\u001B[2;13R'])(
	'the screen is drawn only in ASCII when the terminal reports an unexpected glyph width with the reply %j',
	async cursorReply => {
		const { terminal } = await openTerminal({ cursorReply });
		expect(terminal.state()).toMatchObject({ hasUnicode: false });
	},
);

test('every cell is drawn again in ASCII after the terminal reported an unexpected glyph width', async () => {
	const env = { TERM: 'xterm-256color', LANG: 'C.UTF-8' };
	const system = { env, cursorReply: '\u001B[2;9R' };
	const { see, pass, text, device } = await openMonitor({ system });
	await see('> atlas');
	const before = device.written().length;
	await pass(100);
	expect(device.written().slice(before)).toContain('\u001B[J');
	expect(text()).not.toMatch(/[^\x00-\x7f]/);
});

test('the first frame does not wait for the reply about glyph widths', async () => {
	const { terminal } = await openTerminal({ cursorReply: '' });
	expect(terminal.state()).toMatchObject({ hasUnicode: true });
});

test('the terminal is not asked for glyph widths when the person has chosen Unicode', async () => {
	const { terminal, device } = await openTerminal({ preferences: { hasUnicode: true } });
	expect(device.written()).not.toContain('\u001B[6n');
	expect(terminal.state()).toMatchObject({ hasUnicode: true });
});

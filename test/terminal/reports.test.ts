import { expect, test } from 'vitest';
import { sessionsOf } from './session.ts';

const { open } = sessionsOf();

test('the terminal’s reports change its state and are never keys', async () => {
	const session = open();
	await session.sees('q quit');
	session.press('\u001B]11;rgb:ffff/fafa/eeee\u001B\\\u001BP>|kitty(0.39.1)\u001B\\\u001B[O');
	session.press('I');
	const told = await session.until('the title', () => /\{.*\}/.exec(session.title())?.[0]);
	expect(JSON.parse(told)).toMatchObject({
		isFocused: false,
		background: 'light',
		name: 'kitty(0.39.1)',
		hasUnicode: true,
		isLowBandwidth: false,
	});
	await session.until('the key alone', () => /typed I *\n/.test(session.text()));
});

test('sets Kitty’s keys where the terminal knows them, and resets them at exit', async () => {
	const session = open();
	await session.sees('q quit');
	session.press('\u001B[?0u');
	await session.until('the request', () => session.received().includes('\u001B[>1u'));
	session.press('\u001B[106u');
	await session.sees('❯ borealis-0001');
	session.press('q');
	await session.ended();
	expect(session.received()).toContain('\u001B[<u');
});

test('reports wheel and clicks when the program wants the mouse', async () => {
	const session = open({ flags: ['--mouse'] });
	await session.sees('q quit');
	session.press('\u001B[<0;8;7M\u001B[<0;8;7m');
	await session.until('the click', () => session.title() === 'press 7 6');
	session.press('\u001B[<65;3;4M');
	await session.until('the wheel', () => session.title() === 'wheelDown 2 3');
});

test('leaves the mouse to the terminal unless the program wants it', async () => {
	const session = open();
	await session.sees('q quit');
	expect(session.modes().mouseTrackingMode).toBe('none');
});

test('notifications ring the bell, and copied text goes to the clipboard', async () => {
	const session = open();
	await session.sees('q quit');
	session.press('N');
	await session.until('the bell', () => session.bells() === 1);
	expect(session.received()).toContain('\u001B]9;a computer failed\u0007');
	session.press('C');
	const sequence = `\u001B]52;c;${Buffer.from('sb_atlas01').toString('base64')}\u0007`;
	await session.until('the copy', () => session.received().includes(sequence));
});

test('sends the Linux console only sequences that it knows', async () => {
	const session = open({ env: { TERM: 'linux' } });
	await session.sees('q quit');
	session.press('NCj');
	// The stand-in has no ASCII wording, so its cursor is a glyph that the console lacks.
	await session.sees('? borealis-0001');
	session.press('q');
	await session.ended();
	expect(session.received()).not.toMatch(/\u001B[\]P_]|\u001B\[>|\u001B\[\?(1004|2004)/);
});

test('Ctrl-L redraws a screen that other programs wrote on', async () => {
	const session = open({ flags: ['--calm'] });
	await session.sees('q quit');
	const before = session.text();
	session.terminal.write('\u001B[5;5Hnoise\u001B[9;1Hnoise');
	await session.sees('noise');
	session.press('\u000C');
	await session.until('the picture', () => session.text() === before);
});

test('draws every size right, even the smallest', async () => {
	const session = open({ flags: ['--calm'] });
	await session.sees('q quit');
	for (const [columns, rows] of [
		[60, 10],
		[140, 30],
		[20, 7],
		[2, 1],
		[100, 24],
	] as const) {
		session.resize(columns, rows);
		const fresh = open({ flags: ['--calm'], columns, rows });
		await fresh.until('a picture', () => fresh.text().trim() !== '');
		await session.until('the same picture', () => session.text() === fresh.text());
		fresh.close();
	}
});

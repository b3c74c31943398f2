import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program, sessionsOf } from './session.ts';

const { open, folder } = sessionsOf();

const demoFleet = [
	...['atlas', 'borealis', 'cygnus', 'draco', 'eridanus', 'fornax', 'gemini', 'hydra', 'indus'],
	...['jabbah', 'kochab', 'lyra', 'mira', 'norma', 'orion', 'pavo', 'quaoar', 'rigel', 'sirius'],
	...['tucana', 'unuk', 'vega', 'wezen', 'xuange'],
];

const monitor = (more: Partial<Parameters<typeof open>[0]> & { options?: string } = {}) =>
	open({
		columns: 120,
		rows: 36,
		line: `exec ${process.execPath} ${program} --demo ${more.options ?? ''}`,
		...more,
		env: { CROWSNEST_STATE_DIR: join(folder(), 'state'), ...more.env },
	});

test('the monitor shows every computer of the demo fleet and gives the screen back', async () => {
	const session = monitor();
	await session.until('the fleet', () => session.text().includes('24 computers'));
	for (const name of demoFleet) await session.sees(name);
	expect(session.terminal.buffer.active.type).toBe('alternate');
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
	expect(session.terminal.buffer.active.type).toBe('normal');
});

test('the monitor draws everything again after a resize, at any size', async () => {
	const session = monitor();
	await session.until('the fleet', () => session.text().includes('xuange'));
	for (const [columns, rows] of [
		[60, 15],
		[200, 50],
		[20, 4],
		[80, 24],
	] as const) {
		session.resize(columns, rows);
		const wanted = columns < 30 ? 'crowsnest needs 30x6' : '❯ atlas';
		await session.until(`${columns}×${rows}`, () => session.text().includes(wanted));
		const lines = session.text().split('\n');
		expect(lines.findLastIndex(line => line !== '')).toBeLessThan(rows);
		if (rows > 6) await session.until('the keys', () => session.text().includes('? help'));
	}
});

test('fast typing loses no key, and the effect of the last key appears without a further key', async () => {
	const session = monitor({ options: '--computers 1000' });
	await session.until('the fleet', () => session.text().includes('1000 computers'));
	session.press('j'.repeat(40));
	for (let count = 0; count < 20; count += 1) session.press('\x1b[B');
	await session.until(
		'a row far down',
		() => session.text().split('\n')[4]?.includes('❯') === false,
	);
	session.press('g');
	await session.until('the first row', () => session.text().split('\n')[4]?.includes('❯'));
	let typed = '';
	for (const key of '/zzz') {
		session.press(key);
		typed += key;
		await session.sees(typed);
	}
	await session.until('no rows', () => session.text().includes('0 shown'));
});

test('the monitor draws without colours when NO_COLOR is set, and in ASCII where Unicode is switched off', async () => {
	const session = monitor({ env: { NO_COLOR: '1', LANG: 'C', LC_ALL: 'C' } });
	await session.until('the fleet', () => session.text().includes('24 computers'));
	expect(session.text()).toMatch(/> atlas +\* Active/);
	expect(session.text()).not.toMatch(/[^\x00-\x7f]/);
	const styles = [...session.received().matchAll(/\x1b\[([\d;]*)m/g)].map(([, codes]) => codes);
	expect(styles.join(';')).not.toMatch(/\b(3[0-8]|4[0-8]|9[0-7])\b/);
});

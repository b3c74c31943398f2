import { beforeAll, describe, expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { registerSessions, type Session } from './session.ts';

const { open, openShared } = registerSessions();
const { simulator, signedIn } = registerLiveAccount({ computers: 12 });

const opening = (options: string, more: Record<string, string> = {}) => ({
	columns: 120,
	rows: 36,
	words: options,
	env: { ...signedIn(), ...more },
});

const firstRow = 4;

const lineOf = (session: Session, text: string) =>
	session
		.text()
		.split('\n')
		.findIndex(line => line.includes(text));

describe('the monitor with the mouse', () => {
	let session: Session;
	beforeAll(async () => {
		session = openShared(opening('--mouse'));
		await session.sees('12 computers');
		await session.press('o');
		await session.press('n');
		await session.press('g');
	});

	test('shows every computer of the fleet', () => {
		const names = simulator()
			.world.computers()
			.map(({ name }) => name);
		expect(names).toHaveLength(12);
		for (const name of names) expect(session.text()).toContain(name);
		expect(session.modes().screen).toBe('alternate');
	});

	test('writes the idle mark after the frame that shows the effect of a key', async () => {
		for (let row = 1; row < 5; row += 1) {
			await session.press('j');
			expect(lineOf(session, '❯')).toBe(firstRow + row);
		}
		await session.press('?');
		expect(session.text()).toContain('names actions');
		await session.press('\x1b');
		expect(session.text()).not.toContain('names actions');
		await session.press('g');
	});

	test('loses no key of fast typing, and shows the effect of the last key without a further key', async () => {
		session.press('j'.repeat(6));
		for (let count = 0; count < 3; count += 1) session.press('\x1b[B');
		await session.press('\x1b[B');
		expect(lineOf(session, '❯')).toBe(firstRow + 10);
		await session.press('g');
		let typed = '';
		for (const key of '/zzz') {
			typed += key;
			await session.press(key);
			expect(session.text()).toContain(typed);
		}
		expect(session.text()).toMatch(/ 0 of \d/);
		await session.press('\x1b');
		expect(session.text()).not.toMatch(/ 0 of \d/);
		await session.press('g');
	});

	test('moves the cursor with clicks and the wheel', async () => {
		expect(session.modes().mouseTrackingMode).toBe('vt200');
		const row = lineOf(session, 'draco');
		// The button goes down and up again.
		await session.press(`\x1b[<0;8;${row + 1}M\x1b[<0;8;${row + 1}m`);
		expect(session.text()).toContain('❯ draco');
		await session.press('\x1b[<65;8;9M');
		expect(session.text()).toContain('❯ gemini');
	});

	test('draws everything again after a resize, at any size', async () => {
		for (const [columns, rows] of [
			[60, 15],
			[20, 4],
			[200, 50],
		] as const) {
			session.resize(columns, rows);
			const wanted = columns < 30 ? 'crowsnest needs 30x6' : '❯ gemini';
			await session.until(`${columns}×${rows}`, () => session.text().includes(wanted));
			const lines = session.text().split('\n');
			expect(lines.findLastIndex(line => line !== '')).toBeLessThan(rows);
			if (rows > 6) await session.until('the keys', () => session.text().includes('? help'));
		}
	});

	test('gives the screen and the mouse back when the key “q” is pressed', async () => {
		session.press('q');
		expect((await session.ended()).exitCode).toBe(0);
		expect(session.modes()).toMatchObject({ screen: 'normal', mouseTrackingMode: 'none' });
	});
});

test('the monitor draws without colours when `NO_COLOR` is set, in ASCII where Unicode is switched off, and writes no idle marks outside of tests', async () => {
	const plain = { NO_COLOR: '1', LANG: 'C', LC_ALL: 'C', CROWSNEST_IDLE_MARKS: '' };
	const session = open(opening('', plain));
	await session.sees('12 computers');
	// The order that was chosen in the monitor above is saved.
	expect(session.text()).toMatch(/> atlas +\* Active/);
	expect(session.text()).not.toMatch(/[^\x00-\x7f]/);
	// By then, the program has been idle, and has drawn again.
	for (const age of ['live, 1 s ago', 'live, 2 s ago']) await session.sees(age);
	process.kill(session.pty.pid, 'SIGTERM');
	await session.ended();
	const received = session.receivedWithMarks();
	const styles = [...received.matchAll(/\x1b\[([\d;]*)m/g)].map(([, codes]) => codes);
	expect(styles.join(';')).not.toMatch(/\b(3[0-8]|4[0-8]|9[0-7])\b/);
	expect(received).not.toMatch(/\x1b\[\?100[0236]h/);
	expect(received).not.toContain('\x1b]7717');
});

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../../source/simulator/simulator.ts';
import { liveClock } from '../live-clock.ts';
import { pressUntil } from './deaf.ts';
import { terminals } from './matrix-facts.ts';
import { askedOf, coloursIn } from './matrix-sequences.ts';
import { program, type Session, sessionsOf } from './session.ts';

const { open, folder } = sessionsOf();

let account: Record<string, string>;
let simulator: Simulator;

/** One platform for all of the terminals: what is on trial does not depend on it. */
beforeAll(async () => {
	simulator = await createSimulator({ clock: liveClock, limits: { other: 1000, status: 1000 } });
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	account = {
		CROWSNEST_URL: baseUrl,
		CROWSNEST_AUTH_URL: authUrl,
		CROWSNEST_ANON_KEY: anonKey,
		CROWSNEST_EMAIL: email,
		CROWSNEST_PASSWORD: password,
	};
});
afterAll(() => simulator.close());

const widths = [60, 80, 100, 120, 160, 200];

const unchanged = {
	...{ screen: 'normal', isCursorHidden: false, bracketedPasteMode: false },
	...{ sendFocusMode: false, mouseTrackingMode: 'none', synchronizedOutputMode: false },
	wraparoundMode: true,
};

/** Every row of the picture lies where it belongs: nothing was wrapped, and nothing scrolled away. */
async function expectToFit({ terminal, text, until }: Session, last: string) {
	await until('a whole picture', () => {
		const lines = text().split('\n');
		return lines[0]?.includes('crowsnest') && lines.at(-1)?.includes(last);
	});
	const { active } = terminal.buffer;
	for (let y = 0; y < terminal.rows; y += 1) {
		expect(active.getLine(active.baseY + y)?.isWrapped).toBe(false);
	}
}

test.each(Object.entries(terminals))('%s', async (_, facts) => {
	const { env, knows, colours, hasUnicode, hasTitle, clipboard } = facts;
	const session = open({
		line: `exec ${process.execPath} ${program}`,
		columns: 90,
		rows: 20,
		env: { ...account, CROWSNEST_STATE_DIR: mkdtempSync(join(folder(), 'state-')), ...env },
	});
	const cursor = hasUnicode ? '❯ atlas' : '> atlas';
	await session.sees(cursor);
	await session.press('jk');
	for (const width of widths) {
		session.resize(width, 20);
		await session.until(`${width} columns`, () => {
			const rule = (hasUnicode ? '─' : '-').repeat(width);
			return session.text().includes(rule) && session.text().includes(cursor);
		});
		await expectToFit(session, '? help');
	}
	for (const key of ['j', 'G', '\x1b[5~', 'g', '\r']) await session.press(key);
	await session.sees('10.0.0.1');
	await session.press('\x1b');
	expect(session.text()).not.toContain('10.0.0.1');
	await session.press('x');
	expect(session.text()).toContain('Stop atlas?');
	await expectToFit(session, '');
	await pressUntil(session, 'n', () => session.text().includes('Question closed.'));
	await session.press('y');
	await session.sees(clipboard ? 'copied' : 'no clipboard');
	if (hasTitle) await session.until('a title', () => session.title().includes('crowsnest'));

	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
	const received = session.received();
	expect([...askedOf(received)].filter(each => !knows.some(known => known === each))).toEqual([]);
	expect(coloursIn(received)).toBe(colours);
	if (!hasUnicode) expect(received).not.toMatch(/[^\x00-\x7f]/);
	expect(/\x1b\][02];/.test(received)).toBe(hasTitle);
	if (clipboard) expect(received).toMatch(clipboard);
	else expect(received).not.toContain('\x1b]');
	expect(session.modes()).toMatchObject(unchanged);
	expect(session.title()).toBe('');
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program, type Session, sessionsOf } from './session.ts';

const { open, folder } = sessionsOf();

async function openMonitor(flags: string): Promise<Session> {
	const line = `${process.execPath} ${program} --demo ${flags}; echo "status $?"`;
	const env = { CROWSNEST_STATE_DIR: join(folder(), 'state') };
	const session = open({ line, env, columns: 120, rows: 36 });
	await session.until('the fleet', () => session.text().includes('xuange'));
	return session;
}

/** The two reports of a click: the button goes down and up again. */
function click(session: Session, text: string) {
	const y = session
		.text()
		.split('\n')
		.findIndex(line => line.includes(text));
	session.press(`\x1b[<0;8;${y + 1}M\x1b[<0;8;${y + 1}m`);
}

const wheelDown = '\x1b[<65;8;9M';

test('clicks and the wheel move the cursor, and the monitor switches mouse reports off at exit', async () => {
	const session = await openMonitor('--mouse');
	expect(session.modes().mouseTrackingMode).toBe('vt200');
	click(session, 'draco');
	await session.sees('❯ draco');
	session.press(wheelDown);
	await session.sees('❯ gemini');
	click(session, 'gemini');
	await session.sees('gemini  sb_');
	session.press('q');
	await session.sees('status 0');
	expect(session.modes().mouseTrackingMode).toBe('none');
});

test('without --mouse the monitor requests no mouse reports', async () => {
	const session = await openMonitor('');
	expect(session.modes().mouseTrackingMode).toBe('none');
	expect(session.received()).not.toMatch(/\x1b\[\?100[0236]h/);
});

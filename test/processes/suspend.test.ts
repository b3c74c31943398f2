import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerSessions, type Session } from './session.ts';

const { openShared, folder } = registerSessions();

const ctrlZ = '\u001A';

/** The sequences that a crashed program left behind. */
const leftOn = (sequences: string) => `printf '${sequences}'`;

/** Node loads this before the program. It warns when the terminal is resized. */
function warningOnResize() {
	const file = join(folder(), 'warn.cjs');
	const print =
		"process.emitWarning('the sky is falling'); console.log('a log line'); console.error('an error line');";
	writeFileSync(file, `process.on('SIGWINCH', () => { ${print} });`);
	return { NODE_OPTIONS: `--require ${file}` };
}

describe('the monitor under a shell with job control', () => {
	let session: Session;
	let suspensions = 0;

	beforeAll(async () => {
		const env = { ...warningOnResize(), ENV: '/dev/null', HISTFILE: '/dev/null' };
		session = openShared({ shell: ['-i'], env });
		await session.sees('prompt>');
		const modes = leftOn('\\033[?1h\\033=\\033[?1002h\\033[?1006h');
		// A person starts the program directly, or as a child of another program such as npm or npx.
		session.pressInShell(`${modes}; sh -c "$PROGRAM --calm; true"\r`);
		await session.sees('q quit');
	});

	async function suspend() {
		suspensions += 1;
		session.press(ctrlZ);
		const stops = () => session.received().split('] + Stopped').length - 1;
		await session.until(
			'the stopped job',
			() => stops() >= suspensions && session.modes().screen === 'normal',
		);
		const answer = 40 + suspensions;
		session.pressInShell(`echo still $((40 + ${suspensions}))\r`);
		await session.sees(`still ${answer}`);
		expect(session.modes()).toMatchObject({ isCursorHidden: false, bracketedPasteMode: false });
	}

	test('switches off the modes that another program left on before its start', () => {
		expect(session.modes()).toMatchObject({
			mouseTrackingMode: 'none',
			applicationCursorKeysMode: false,
			applicationKeypadMode: false,
		});
	});

	test('prints warnings of Node and console output of dependencies only after Ctrl-Z has handed the screen to the shell, and draws the same screen again after `fg`', async () => {
		session.resize(120, 20);
		await session.until('the new size', () => session.text().split('\n')[2]?.length === 120);
		await session.press('j');
		const shown = session.text();
		expect(shown).toContain('❯ borealis-0001');
		await session.press('\x0c');
		expect(session.text()).toBe(shown);
		expect(session.received()).not.toMatch(/falling|(log|error) line/);
		await suspend();
		expect(session.text()).toContain('Warning: the sky is falling');
		expect(session.text()).toMatch(/a log line\s+an error line/);
		session.pressInShell('fg\r');
		await session.until('the picture', () => session.text() === shown);
		expect(session.modes()).toMatchObject({ screen: 'alternate', isCursorHidden: true });
		await session.press('H');
		expect(session.title()).toMatch(/^suspended resumed/);
	});

	test('draws the screen in the new size after a resize while it was stopped, and switches off the modes that another program left on', async () => {
		await suspend();
		session.resize(80, 12);
		session.pressInShell(`${leftOn('\\033[?1003h')}; fg\r`);
		await session.sees('command  ?…');
		await session.until('no mouse', () => session.modes().mouseTrackingMode === 'none');
		await session.press('j');
		const resized = session.text();
		expect(resized).toContain('❯ cygnus-0002');
		await session.press('\x0c');
		expect(session.text()).toBe(resized);
	});

	test('draws the screen correctly after another process stopped and continued it', async () => {
		const before = session.text();
		await suspend();
		session.pressInShell('kill -CONT %1; sleep 0.3; fg\r');
		await session.until('the picture', () => session.text() === before);
		await session.press('j');
		expect(session.text()).toContain('❯ draco-0003');
	});
});

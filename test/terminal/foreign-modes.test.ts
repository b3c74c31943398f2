import { expect, test } from 'vitest';
import { sessionsOf } from './session.ts';

const { open } = sessionsOf();

/** The sequences that a crashed program left behind. */
const leftOn = (sequences: string) => `printf '${sequences}'`;

test('the monitor switches off terminal modes that other programs left on before its start and during a suspension', async () => {
	const session = open({ shell: ['-i'], env: { ENV: '/dev/null', HISTFILE: '/dev/null' } });
	await session.sees('prompt>');
	const sequences = '\\033[?1h\\033=\\033[?1002h\\033[?1006h';
	session.pressInShell(`${leftOn(sequences)}; sh -c "$PROGRAM --calm; true"\r`);
	await session.sees('q quit');
	expect(session.modes()).toMatchObject({
		mouseTrackingMode: 'none',
		applicationCursorKeysMode: false,
		applicationKeypadMode: false,
	});
	session.press('\x1a');
	await session.until('the prompt', () => /Stopped.*\n(.*\n)*prompt>/.test(session.text()));
	session.pressInShell(`${leftOn('\\033[?1003h')}; fg\r`);
	await session.sees('q quit');
	await session.until('no mouse', () => session.modes().mouseTrackingMode === 'none');
});

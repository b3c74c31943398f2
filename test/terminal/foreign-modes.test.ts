import { expect, test } from 'vitest';
import { environmentFrom } from '../../source/terminal/environment.ts';
import {
	disableModesSequence,
	enableModesSequence,
	modesFor,
} from '../../source/terminal/modes.ts';
import { sessionsOf } from './session.ts';

const { open } = sessionsOf();

/** The sequences that a crashed program left behind. */
const leftOn = (sequences: string) => `printf '${sequences}'`;

test.each([
	['the mouse’s moves', '\\033[?1003h'],
	['the oldest clicks', '\\033[?9h'],
	['clicks and drags', '\\033[?1002h\\033[?1006h'],
])('switches off %s that a crashed program left on', async (_, sequences) => {
	const session = open({ line: `${leftOn(sequences)}; exec $PROGRAM` });
	await session.sees('q quit');
	expect(session.modes().mouseTrackingMode).toBe('none');
});

test('resets cursor keys and keypad to the form that a shell has', async () => {
	const session = open({ line: `${leftOn('\\033[?1h\\033=')}; exec $PROGRAM` });
	await session.sees('q quit');
	expect(session.modes()).toMatchObject({
		applicationCursorKeysMode: false,
		applicationKeypadMode: false,
	});
});

test('switches off modes that another program left on during a suspension', async () => {
	const session = open({ shell: ['-i'], env: { ENV: '/dev/null', HISTFILE: '/dev/null' } });
	await session.sees('prompt>');
	session.pressInShell('sh -c "$PROGRAM --calm; true"\r');
	await session.sees('q quit');
	session.press('\x1a');
	await session.until('the prompt', () => /Stopped.*\n(.*\n)*prompt>/.test(session.text()));
	session.pressInShell(`${leftOn('\\033[?1003h')}; fg\r`);
	await session.sees('q quit');
	await session.until('no mouse', () => session.modes().mouseTrackingMode === 'none');
});

test('switches foreign modes off before it switches its own on', () => {
	const set = enableModesSequence(modesFor(environmentFrom({ TERM: 'xterm' }), true));
	expect(set.lastIndexOf('1000;1001')).toBeLessThan(set.indexOf('\x1b[?1049h'));
	expect(set.indexOf('\x1b[>4m')).toBeLessThan(set.indexOf('\x1b[m'));
	expect(set.indexOf('\x1b[>0u')).toBeGreaterThan(set.indexOf('\x1b[?1049h'));
	expect(set).toMatch(/\x1b\[\?1000h\x1b\[\?1006h$/);
});

test('does not restore the modes of another program', () => {
	const reset = disableModesSequence(modesFor(environmentFrom({ TERM: 'xterm' }), false));
	expect(reset).not.toMatch(/1;9;|\?1000|\?1h|>4/);
});

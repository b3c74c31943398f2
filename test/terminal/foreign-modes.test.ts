import { expect, test } from 'vitest';
import { environmentFrom } from '../../source/terminal/environment.ts';
import { modesFor, resetSequence, setSequence } from '../../source/terminal/modes.ts';
import { sessionsOf } from './session.ts';

const { open } = sessionsOf();

/** Printed by something that never cleaned up after itself. */
const leftOn = (sequences: string) => `printf '${sequences}'`;

test.each([
	['the mouse’s moves', '\\033[?1003h'],
	['the oldest clicks', '\\033[?9h'],
	['clicks and drags', '\\033[?1002h\\033[?1006h'],
])('%s that a crashed program left on are switched off', async (_, sequences) => {
	const session = open({ line: `${leftOn(sequences)}; exec $PROGRAM` });
	await session.sees('q quit');
	expect(session.modes().mouseTrackingMode).toBe('none');
});

test('cursor keys and keypad come as in a shell, whatever they were left as', async () => {
	const session = open({ line: `${leftOn('\\033[?1h\\033=')}; exec $PROGRAM` });
	await session.sees('q quit');
	expect(session.modes()).toMatchObject({
		applicationCursorKeysMode: false,
		applicationKeypadMode: false,
	});
});

test('modes that something else left on while it was suspended are switched off as well', async () => {
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

test('what is left on is switched off before anything is switched on', () => {
	const set = setSequence(modesFor(environmentFrom({ TERM: 'xterm' }), true));
	expect(set.lastIndexOf('1000;1001')).toBeLessThan(set.indexOf('\x1b[?1049h'));
	expect(set.indexOf('\x1b[>4m')).toBeLessThan(set.indexOf('\x1b[m'));
	expect(set.indexOf('\x1b[>0u')).toBeGreaterThan(set.indexOf('\x1b[?1049h'));
	expect(set).toMatch(/\x1b\[\?1000h\x1b\[\?1006h$/);
});

test('nothing that another program left on is switched on again', () => {
	const reset = resetSequence(modesFor(environmentFrom({ TERM: 'xterm' }), false));
	expect(reset).not.toMatch(/1;9;|\?1000|\?1h|>4/);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionsOf } from './session.ts';

const { open, folder } = sessionsOf();

/** Node loads this before the program. It warns when the terminal is resized. */
function warningOnResize() {
	const file = join(folder(), 'warn.cjs');
	const print =
		"process.emitWarning('the sky is falling'); console.log('a log line'); console.error('an error line');";
	writeFileSync(file, `process.on('SIGWINCH', () => { ${print} });`);
	return { NODE_OPTIONS: `--require ${file}` };
}

test('warnings of Node and console output of dependencies are printed only after the screen was given back', async () => {
	const env = { ...warningOnResize(), ENV: '/dev/null', HISTFILE: '/dev/null' };
	const session = open({ shell: ['-i'], env });
	await session.sees('prompt>');
	session.pressInShell('sh -c "$PROGRAM --calm; true"\r');
	await session.sees('q quit');
	session.resize(120, 20);
	await session.until('the new size', () => session.text().split('\n')[2]?.length === 120);
	await session.press('j');
	const shown = session.text();
	expect(shown).toContain('❯ borealis-0001');
	await session.press('\x0c');
	expect(session.text()).toBe(shown);
	expect(session.received()).not.toMatch(/falling|(log|error) line/);
	session.press('\x1a');
	await session.sees('Warning: the sky is falling');
	expect(session.text()).toMatch(/a log line\s+an error line/);
	expect(session.modes().screen).toBe('normal');
});

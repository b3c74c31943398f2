import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHeldConsole, createHeldWarnings } from '../../source/terminal/held-warnings.ts';
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

test('neither a warning of Node nor the console of a dependency reaches the screen before it is left', async () => {
	const session = open({
		line: 'echo before; $PROGRAM',
		flags: ['--calm'],
		env: warningOnResize(),
	});
	await session.sees('q quit');
	session.resize(120, 20);
	const fresh = open({ flags: ['--calm'], columns: 120, rows: 20 });
	await fresh.sees('q quit');
	await session.until('the same picture', () => session.text() === fresh.text());
	session.press('j');
	await session.sees('❯ borealis-0001');
	expect(session.text()).not.toContain('falling');
	expect(session.received()).not.toMatch(/falling|(log|error) line/);
	session.press('q');
	await session.ended();
	expect(session.text()).toMatch(/^before\n.*Warning: the sky is falling/s);
	expect(session.text()).toMatch(/a log line\s+an error line/);
});

test('prints warnings as usual while the terminal is lent to a shell', async () => {
	const env = { ...warningOnResize(), ENV: '/dev/null', HISTFILE: '/dev/null' };
	const session = open({ shell: ['-i'], env });
	await session.sees('prompt>');
	session.pressInShell('sh -c "$PROGRAM --calm; true"\r');
	await session.sees('q quit');
	session.resize(120, 20);
	await session.until('the new size', () => session.text().split('\n')[2]?.length === 120);
	session.press('\x1a');
	await session.sees('the sky is falling');
	expect(session.modes().screen).toBe('normal');
});

function openWarnings() {
	const program = new EventEmitter() as EventEmitter & Pick<NodeJS.Process, 'listeners'>;
	const printed: string[] = [];
	const print = ({ message }: Error) => printed.push(message);
	program.on('warning', print);
	const warnings = createHeldWarnings(program as unknown as NodeJS.Process);
	return {
		program,
		printed,
		warnings,
		warn: (text: string) => program.emit('warning', new Error(text)),
	};
}

test('prints held warnings once and in order when they are released', () => {
	const { printed, warnings, warn } = openWarnings();
	warnings.hold();
	warnings.hold();
	warn('one');
	warn('two');
	expect(printed).toEqual([]);
	warnings.release();
	warnings.release();
	expect(printed).toEqual(['one', 'two']);
	warn('three');
	expect(printed).toEqual(['one', 'two', 'three']);
});

test('keeps only a few of endless warnings', () => {
	const { printed, warnings, warn } = openWarnings();
	warnings.hold();
	for (let count = 0; count < 1000; count += 1) warn(String(count));
	warnings.release();
	expect(printed).toHaveLength(50);
});

test('a held console prints in its order when it is released, and to a file at once', () => {
	const printed: unknown[] = [];
	const console = Object.fromEntries(
		['log', 'info', 'debug', 'warn', 'error', 'trace'].map(method => [
			method,
			(text: unknown) => printed.push(text),
		]),
	) as unknown as Console;
	const held = createHeldConsole(console, true);
	held.hold();
	held.hold();
	console.log('one');
	console.error('two');
	expect(printed).toEqual([]);
	held.release();
	held.release();
	console.warn('three');
	expect(printed).toEqual(['one', 'two', 'three']);
	createHeldConsole(console, false).hold();
	console.error('to a file');
	console.log('to the screen');
	expect(printed.at(-1)).toBe('to a file');
});

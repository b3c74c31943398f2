import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createShutdown, type Ending } from '../../source/terminal/process/shutdown.ts';
import { createInputEvents, createWarningBuffer } from '../../source/terminal/process/streams.ts';
import { createTty, createUtf8Decoder } from '../../source/terminal/process/tty.ts';
import type { Program } from '../../source/terminal/terminal.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { createHeldClock } from '../held-clock.ts';

/** A program whose process is imitated: exits and signals are recorded. */
function openProgram() {
	const ended: unknown[] = [];
	const stream = () => Object.assign(new EventEmitter(), { isTTY: true });
	const program = Object.assign(new EventEmitter(), {
		stdin: stream(),
		stdout: stream(),
		pid: 1,
		kill: (_: number, signal: string) => ended.push(signal),
		exit: (code: number) => ended.push(code),
	});
	const givenBack: (Ending | undefined)[] = [];
	const clock = createHeldClock();
	createShutdown({
		program: program as unknown as Program,
		clock,
		giveBackTerminal: ending => givenBack.push(ending),
		beforeExit: undefined,
		atExit: () => ended.push('atExit'),
	}).install();
	return { program, clock, ended, givenBack };
}

const turn = () => new Promise(setImmediate);

test.each([
	['SIGTERM', 'by that signal', 'SIGTERM'],
	['SIGINT', 'by that signal', 'SIGINT'],
	// SIGQUIT without a handler would leave a core dump, so the program exits with a code.
	['SIGQUIT', 'with the exit code 131', 131],
	['SIGABRT', 'with the exit code 134', 134],
	['SIGUSR2', 'by that signal', 'SIGUSR2'],
])('the signal %s gives the screen back, and the program ends %s', async (signal, _, end) => {
	const { program, ended, givenBack } = openProgram();
	program.emit(signal, signal);
	expect(givenBack).toEqual([{ kind: 'signal', signal }]);
	await turn();
	expect(ended).toEqual(['atExit', end]);
	expect(program.listenerCount('SIGTERM') === 0).toBe(typeof end === 'string');
});

test.each(['uncaughtException', 'unhandledRejection'])(
	'the event `%s` gives the screen back, and the program exits with the code 1',
	async event => {
		const { program, ended, givenBack } = openProgram();
		const error = new Error('on purpose');
		program.emit(event, error);
		expect(givenBack).toEqual([{ kind: 'bug', error }]);
		await turn();
		expect(ended).toEqual(['atExit', 1]);
	},
);

test('a second signal ends the program without waiting for its cleanup', () => {
	const { program, ended } = openProgram();
	program.emit('SIGTERM', 'SIGTERM');
	expect(ended).toEqual([]);
	program.emit('SIGTERM', 'SIGTERM');
	expect(ended).toEqual(['atExit', 'SIGTERM']);
});

test.each(['EIO', 'EPIPE'])(
	'the error %s from the terminal ends the program by SIGHUP',
	async code => {
		const { program, clock, ended } = openProgram();
		program.stdout.emit('error', Object.assign(new Error(code), { code }));
		await turn();
		expect(ended).toEqual(['atExit', 'SIGHUP']);
		clock.move(100);
		expect(ended).toEqual(['atExit', 'SIGHUP', 'SIGKILL']);
	},
);

test('while the program ends, a terminal that cannot be given back does not cut its cleanup short', async () => {
	const { program, ended } = openProgram();
	program.emit('SIGHUP');
	program.stdin.emit('error', Object.assign(new Error('EIO'), { code: 'EIO' }));
	expect(ended).toEqual([]);
	await turn();
	expect(ended).toEqual(['atExit', 'SIGHUP']);
});

test('a key reaches its listener in the turn of the event loop in which it was pressed', () => {
	const inputs = createInputEvents();
	const received: unknown[] = [];
	inputs.subscribe(input => received.push(input));
	inputs.notify({ key: 'j' });
	inputs.notify({ paste: 'k' });
	expect(received).toEqual([{ key: 'j' }, { paste: 'k' }]);
});

test('keys that were pressed before anyone listened are handed to the first listener', async () => {
	const inputs = createInputEvents();
	const received: unknown[] = [];
	inputs.notify({ key: 'j' });
	inputs.subscribe(input => received.push(input));
	await Promise.resolve();
	expect(received).toEqual([{ key: 'j' }]);
});

test('only the first 50 of endless warnings are kept', () => {
	const program = new EventEmitter();
	const printed: string[] = [];
	program.on('warning', ({ message }: Error) => printed.push(message));
	const warnings = createWarningBuffer(program as unknown as NodeJS.Process);
	warnings.hold();
	for (let count = 0; count < 1000; count += 1) program.emit('warning', new Error(String(count)));
	warnings.release();
	expect(printed).toHaveLength(50);
});

test.each([
	[[65_535, 24], { columns: 1_000, rows: 24 }],
	[[10_000, 10_000], { columns: 1_000, rows: 500 }],
	[[0, 0], { columns: 80, rows: 24 }],
])('a terminal that claims the size %j gets a screen of %j', (claimed, size) => {
	const stdout = { getWindowSize: () => claimed };
	const program = { stdin: {}, stdout, stderr: {} } as unknown as Program;
	expect(createTty(program, () => {}).size()).toEqual(size);
});

test('UTF-8 is decoded to the same text however its bytes are split into pieces', () => {
	const text = fc.string({ unit: anyCharacter });
	fc.assert(
		fc.property(text, fc.array(fc.nat(40)), (text, cuts) => {
			const decode = createUtf8Decoder();
			const bytes = new TextEncoder().encode(text);
			const ends = [...cuts.sort((a, b) => a - b), bytes.length];
			const pieces = ends.map((end, at) => decode(bytes.slice(ends[at - 1] ?? 0, end)));
			expect(pieces.join('')).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
		}),
		{ numRuns: 300 },
	);
});

test.each([
	['an 8-bit introducer', [0x9b, 0x78], '\u009Bx'],
	['a letter of Latin-1', [0xe9, 0x78], '\uFFFDx'],
	['a character that is cut off by an escape', [0xe2, 0x94, 0x1b], '\uFFFD\u001B'],
	['a slash with more bytes than it needs', [0xe0, 0x80, 0xaf], '\uFFFD'],
	['half of a surrogate pair', [0xed, 0xa0, 0x80], '\uFFFD'],
	['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80], '\uFFFD'],
	['a byte that begins nothing', [0xff, 0xc0, 0x41], '\uFFFD\uFFFDA'],
])('%s is decoded to characters that are never read as keys', (_, bytes, text) => {
	expect(createUtf8Decoder()(Uint8Array.from(bytes))).toBe(text);
});

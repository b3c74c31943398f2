import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createUtf8Decoder } from '../../source/terminal/input/input.ts';
import { createTerminalLife, type Program } from '../../source/terminal/process/life.ts';
import { createErrorStream } from '../../source/terminal/process/streams.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { createHeldClock } from '../held-clock.ts';

/** Opens the life of a program whose process is imitated: what it does at its end is recorded. */
function openProgram({ size = [80, 24], beforeExit = async () => {} } = {}) {
	const ended: unknown[] = [];
	const stream = () => {
		const more = { isTTY: true, fd: -1, setRawMode() {}, resume() {}, pause() {} };
		return Object.assign(new EventEmitter(), { ...more, getWindowSize: () => size });
	};
	const program = Object.assign(new EventEmitter(), {
		stdin: stream(),
		stdout: stream(),
		stderr: stream(),
		env: {},
		pid: 1,
		kill: (_: number, signal: string) => ended.push(signal),
		exit: (code: number) => ended.push(code),
	});
	const clock = createHeldClock();
	const life = createTerminalLife(
		{
			program: program as unknown as Program,
			clock,
			crashReportFolder: '/dev/null/reports',
			programInfo: 'the tests',
			beforeExit,
			atExit: () => ended.push('atExit'),
		},
		{
			onTaken: () => ended.push('taken'),
			onGivenBack() {
				ended.push('given back');
				return '';
			},
			hasPasteMarks: true,
			leftoverResets: '',
		},
	);
	life.open();
	ended.length = 0;
	return { program, clock, ended, life };
}

const turn = () => new Promise(setImmediate);

test.each([
	['SIGTERM', 'SIGTERM'],
	['SIGINT', 'SIGINT'],
	['SIGUSR2', 'SIGUSR2'],
	// Without a handler these two would leave a core dump, so the program exits with a code.
	['SIGQUIT', 131],
	['SIGABRT', 134],
	['uncaughtException', 1],
	['unhandledRejection', 1],
])('after %s the terminal is given back, and the program ends by %s', async (event, end) => {
	const { program, ended } = openProgram();
	program.emit(event, event.startsWith('SIG') ? event : new Error('on purpose'));
	expect(ended).toEqual(['given back']);
	await turn();
	expect(ended).toEqual(['given back', 'atExit', end]);
});

test.each(['EIO', 'EPIPE'])(
	'the error %s of the terminal ends the program by SIGHUP',
	async code => {
		const { program, clock, ended } = openProgram();
		program.stdout.emit('error', Object.assign(new Error(code), { code }));
		await turn();
		clock.move(100);
		expect(ended.slice(1)).toEqual(['atExit', 'SIGHUP', 'SIGKILL']);
	},
);

test('the cleanup has a second, which a second signal cuts short, but not a terminal that is gone', async () => {
	const beforeExit = () => new Promise<void>(() => {});
	const slow = openProgram({ beforeExit });
	slow.program.emit('SIGHUP');
	slow.program.stdin.emit('error', Object.assign(new Error('EIO'), { code: 'EIO' }));
	await turn();
	slow.clock.move(999);
	expect(slow.ended).toEqual(['given back']);
	slow.clock.move(1);
	expect(slow.ended).toContain('SIGHUP');
	const hasty = openProgram({ beforeExit });
	for (const _ of [1, 2]) hasty.program.emit('SIGTERM', 'SIGTERM');
	expect(hasty.ended).toEqual(['given back', 'atExit', 'SIGTERM']);
});

test('a stopped program takes the terminal again when it continues, once', () => {
	const { program, clock, ended, life } = openProgram();
	const told: string[] = [];
	life.onSuspend(() => told.push('suspended'));
	life.onResume(() => told.push('resumed'));
	life.suspend();
	expect(ended).toEqual(['given back', 'SIGTSTP']);
	program.emit('SIGCONT');
	clock.move(1000);
	expect(ended).toEqual(['given back', 'SIGTSTP', 'taken', 'SIGWINCH']);
	expect(told).toEqual(['suspended', 'resumed']);
});

test.each([
	[[65_535, 24], { columns: 1_000, rows: 24 }],
	[[10_000, 10_000], { columns: 1_000, rows: 500 }],
	[[0, 0], { columns: 80, rows: 24 }],
])('a terminal that claims the size %j gets a screen of %j', (claimed, size) => {
	expect(openProgram({ size: claimed }).life.size()).toEqual(size);
});

test('what is printed beside the screen waits for its end, and of endless output only the last part is kept', () => {
	const printed: string[] = [];
	let isTaken = true;
	const target = { isTTY: true, fd: -1, write: (text: string) => printed.push(text) };
	const errors = createErrorStream(target as unknown as NodeJS.Process['stderr'], () => isTaken);
	const program = Object.assign(new EventEmitter(), { console: { ...console } });
	program.on('warning', () => printed.push('by Node'));
	errors.redirect(program as unknown as Program);
	program.console.log('a line of %s', 'a dependency');
	for (let count = 0; count < 1000; count++) program.emit('warning', new Error('odd'));
	expect(printed).toEqual([]);
	errors.printKept();
	isTaken = false;
	program.console.error('later');
	expect(printed).toEqual(['later\n']);
});

describe('UTF-8', () => {
	test('is decoded to the same text however its bytes are split into pieces', () => {
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
		['a slash with more bytes than it needs', [0xe0, 0x80, 0xaf], '\uFFFD\uFFFD\uFFFD'],
		['half of a surrogate pair', [0xed, 0xa0, 0x80], '\uFFFD\uFFFD\uFFFD'],
		['a byte that begins nothing', [0xff, 0xc0, 0x41], '\uFFFD\uFFFDA'],
	])('%s is decoded to characters that are never read as keys', (_, bytes, text) => {
		expect(createUtf8Decoder()(Uint8Array.from(bytes))).toBe(text);
	});
});

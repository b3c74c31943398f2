import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import {
	createShutdown,
	type Ending,
	type Program,
} from '../../source/terminal/process/shutdown.ts';
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

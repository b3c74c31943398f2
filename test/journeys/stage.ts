import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { openLookout } from '../../source/commands/lookout.ts';
import { showLookout } from '../../source/commands/show-lookout.tsx';
import type { Change } from '../../source/fleet/change.ts';
import { createSimulator, type SimulatorOptions } from '../../source/simulator/simulator.ts';
import type { Conditions } from '../../source/terminal/conditions.ts';
import type { Grid } from '../../source/terminal/grid.ts';
import { createHandover } from '../../source/terminal/handover.ts';
import type { Mouse } from '../../source/terminal/input.ts';
import type { Ending, Terminal } from '../../source/terminal/terminal.ts';
import { gridIn, gridText, styledGridText } from '../frame-text.ts';
import { createHeldClock } from '../held-clock.ts';

type Wish = Partial<SimulatorOptions> & {
	size?: readonly [columns: number, rows: number];
	conditions?: Partial<Conditions>;
	password?: string;
	/** What an earlier run kept of a computer. */
	kept?: (id: string) => readonly Change[];
};

const keys: Readonly<Record<string, string>> = {
	enter: '\r',
	escape: '\x1b',
	down: '\x1b[B',
	up: '\x1b[A',
	pagedown: '\x1b[6~',
	pageup: '\x1b[5~',
	home: '\x1b[H',
	end: '\x1b[F',
	backspace: '\x7f',
	'ctrl-u': '\x15',
	'ctrl-w': '\x17',
	'ctrl-l': '\x0c',
	'ctrl-c': '\x03',
	'ctrl-z': '\x1a',
	tab: '\t',
	space: ' ',
};

/** The monitor on a stage: real server, real client, real screen text, and a clock that is held. */
export async function openStage(wish: Wish = {}) {
	const { size = [120, 36], conditions, password, kept, ...options } = wish;
	const clock = createHeldClock();
	const simulator = await createSimulator({ clock, computers: 7, ...options });
	const host = { clock, elapsed: clock.now, random: () => 0.5 };
	const lookout = openLookout(host, {
		account: 'test',
		baseUrl: simulator.baseUrl,
		credentials: {
			kind: 'password',
			authUrl: simulator.authUrl,
			anonKey: simulator.anonKey,
			email: simulator.email,
			password: async () => password ?? simulator.password,
		},
		fetch,
	});
	const terminal = createStageTerminal(size, conditions);
	const recallHistory = (id: string) =>
		lookout.store.fold({
			account: lookout.account,
			at: clock.now(),
			type: 'historyRecalled',
			id,
			changes: kept?.(id) ?? [],
		});
	const shown = showLookout({ lookout, recallHistory, terminal, clock, isPlain: true });
	onTestFinished(async () => {
		shown.close();
		await lookout.close();
		await simulator.close();
	});

	const text = () => terminal.frame();

	return {
		...terminal,
		clock,
		simulator,
		lookout,
		text,
		lines: () => text().split('\n'),
		/** Waits for real answers of the server, never for the clock. */
		see: (wanted: string | RegExp) =>
			vi.waitFor(() => {
				clock.move(0);
				const isThere = typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text());
				if (!isThere) throw new Error(`not on screen: ${wanted}\n\n${text()}`);
			}, 10_000),
		async press(...names: readonly string[]) {
			for (const name of names) {
				terminal.type(keys[name] ?? name);
				// A lone escape is told from the begin of a sequence by time alone.
				await new Promise(resolve => setTimeout(resolve, name === 'escape' ? 30 : 0));
			}
		},
		/** Lets time pass in steps, with the requests that fall due on the way answered. */
		async pass(milliseconds: number, step = 1000) {
			for (let left = milliseconds; left > 0; left -= step) {
				clock.move(Math.min(step, left));
				await lookoutIsQuiet();
			}
		},
	};

	async function lookoutIsQuiet() {
		for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
	}
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

export function createStageTerminal(
	[columns, rows]: readonly [number, number],
	wanted: Partial<Conditions> = {},
): Terminal & StageTerminal {
	const conditions: Conditions = {
		isFocused: true,
		isLowBandwidth: false,
		colours: 8,
		background: 'dark',
		hasUnicode: true,
		name: undefined,
		...wanted,
	};
	const input = Object.assign(new Readable({ read() {} }), {
		isTTY: true,
		setRawMode: () => input,
		ref: () => input,
		unref: () => input,
	});
	const { suspended, resumed, handover } = createHandover();
	const pointers = new Set<(mouse: Mouse) => void>();
	let last: Grid | undefined;
	const output = Object.assign(new EventEmitter(), {
		columns,
		rows,
		isTTY: true,
		writable: true,
		write(text: string, done?: () => void) {
			last = gridIn(text) ?? last;
			done?.();
			return true;
		},
	});
	const said: StageTerminal['said'] = {
		titles: [],
		copied: [],
		notified: [],
		bells: 0,
		endings: [],
	};
	return {
		stdin: input as unknown as NodeJS.ReadStream,
		stdout: output as unknown as NodeJS.WriteStream,
		stderr: output as unknown as NodeJS.WriteStream,
		open() {},
		end(ending) {
			said.endings.push(ending);
			return new Promise(() => {});
		},
		suspend: suspended,
		resume: resumed,
		...handover,
		redraw() {},
		setTitle: text => said.titles.push(text),
		bell() {
			said.bells += 1;
		},
		notify: text => said.notified.push(text),
		copy(text) {
			said.copied.push(text);
			return true;
		},
		conditions: () => conditions,
		onConditions: () => () => {},
		onMouse(call) {
			pointers.add(call);
			return () => {
				pointers.delete(call);
			};
		},
		point(kind, x, y) {
			for (const call of pointers) call({ kind, x, y });
		},
		said,
		frame: () => (last ? gridText(last) : ''),
		styledFrame: () => (last ? styledGridText(last) : ''),
		type: text => input.push(text),
		resize(nextColumns, nextRows) {
			Object.assign(output, { columns: nextColumns, rows: nextRows });
			output.emit('resize');
		},
	};
}

type StageTerminal = {
	said: {
		titles: string[];
		copied: string[];
		notified: string[];
		bells: number;
		endings: Ending[];
	};
	/** The last frame, without styles. */
	frame(): string;
	styledFrame(): string;
	type(text: string): void;
	point(kind: Mouse['kind'], x: number, y: number): void;
	resize(columns: number, rows: number): void;
	/** As fg does. */
	resume(): void;
};

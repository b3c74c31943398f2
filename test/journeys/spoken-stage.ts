import { Readable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { createPasswordDesk } from '../../source/accounts/password-desk.ts';
import { openLookout } from '../../source/commands/lookout.ts';
import { speakLookout } from '../../source/commands/speak-lookout.tsx';
import { createSimulator, type SimulatorOptions } from '../../source/simulator/simulator.ts';
import { createHandover } from '../../source/terminal/handover.ts';
import type { LineTerminal } from '../../source/terminal/line-terminal.ts';
import type { Ending } from '../../source/terminal/terminal.ts';
import { createHeldClock } from '../held-clock.ts';

type Wish = Partial<SimulatorOptions> & {
	isReadOnly?: boolean;
	/** The password has to be typed. */
	isAsking?: boolean;
};

const keys: Readonly<Record<string, string>> = {
	enter: '\r',
	escape: '\x1b',
	pagedown: '\x1b[6~',
	backspace: '\x7f',
	'ctrl-u': '\x15',
	'ctrl-z': '\x1a',
	down: '\x1b[B',
	space: ' ',
};

/** The monitor as one hears it: real server, real client, every line that was told, and a held clock. */
export async function openSpokenStage({
	isReadOnly = false,
	isAsking = false,
	...options
}: Wish = {}) {
	const clock = createHeldClock();
	const simulator = await createSimulator({ clock, computers: 7, ...options });
	const host = { clock, elapsed: clock.now, random: () => 0.5 };
	const { email } = simulator;
	const desk = isAsking
		? createPasswordDesk({ profile: 'test', email, host: 'id.example' })
		: undefined;
	const lookout = openLookout(host, {
		account: 'test',
		baseUrl: simulator.baseUrl,
		credentials: {
			kind: 'password',
			authUrl: simulator.authUrl,
			anonKey: simulator.anonKey,
			email: simulator.email,
			password: desk ? signal => desk.ask(signal) : async () => simulator.password,
		},
		fetch,
		isReadOnly,
	});
	const { terminal, input, lines, endings, resume } = createHeardTerminal();
	const shown = speakLookout({ lookout, terminal, clock, ...(desk && { desk }) });
	onTestFinished(async () => {
		shown.close();
		await lookout.close();
		await simulator.close();
	});
	/** What was told before is not asked for again. */
	let heard = 0;

	const turn = async () => {
		for (let count = 0; count < 4; count += 1) await new Promise(setImmediate);
	};

	const stage = {
		clock,
		simulator,
		lookout,
		lines,
		endings,
		resume,
		/** All lines since what was heard last. */
		fresh: () => lines.slice(heard),
		forget() {
			heard = lines.length;
		},
		/** Waits for real answers of the server, never for the clock. */
		hear: (wanted: string | RegExp) =>
			vi.waitFor(() => {
				clock.move(0);
				const at = lines.findIndex(
					(line, index) =>
						index >= heard &&
						(typeof wanted === 'string' ? line.includes(wanted) : wanted.test(line)),
				);
				if (at < 0) throw new Error(`not told: ${wanted}\n\n${lines.slice(heard).join('\n')}`);
				heard = at + 1;
			}, 10_000),
		async press(...names: readonly string[]) {
			for (const name of names) {
				input.push(keys[name] ?? name);
				// A lone escape is told from the begin of a sequence by time alone.
				await new Promise(resolve => setTimeout(resolve, name === 'escape' ? 30 : 0));
			}
		},
		async pass(milliseconds: number, step = 1000) {
			for (let left = milliseconds; left > 0; left -= step) {
				clock.move(Math.min(step, left));
				await turn();
			}
		},
	};
	if (isAsking) return stage;
	await vi.waitFor(() => {
		clock.move(0);
		if (!lookout.store.getState().accounts.get('test')?.reads.list) throw new Error('no list');
	}, 10_000);
	await stage.pass(3000);
	await stage.hear('Press question mark for help');
	return stage;
}

export type SpokenStage = Awaited<ReturnType<typeof openSpokenStage>>;

function createHeardTerminal() {
	const input = Object.assign(new Readable({ objectMode: true, read() {} }), {
		isTTY: true,
		setRawMode: () => input,
		ref: () => input,
		unref: () => input,
	});
	const { suspended, resumed, handover } = createHandover();
	const lines: string[] = [''];
	const endings: Ending[] = [];
	const terminal: LineTerminal = {
		stdin: input as unknown as NodeJS.ReadStream,
		open() {},
		end(ending) {
			endings.push(ending);
			return new Promise(() => {});
		},
		suspend: suspended,
		write(text) {
			lines[lines.length - 1] += text;
		},
		endLine() {
			lines.push('');
		},
		bell() {},
		...handover,
		lend: work => work(),
	};
	return { terminal, input, lines, endings, resume: resumed };
}

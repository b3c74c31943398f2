import type { Action } from '../../../source/views/scene.ts';
import { bytesOfKeys } from '../../driver/keys.ts';
import { createHeldClock } from '../../held-clock.ts';
import { createMemoryLog } from '../../limits/memory-log.ts';
import { createPretendPlatform, type SentChange } from '../../operations/pretend-platform.ts';
import { isGreen } from './colour.ts';
import { type Lifetime, openProgram, type Program } from './program.ts';
import { createWitness } from './witness.ts';

/**
 * Difficult names for computers: a single key, the answer to a question about several computers, a text like an id,
 * and the same name twice.
 */
export const names = ['atlas', 'box 1', 'cygnus', 'y', 'delete 2', 'atlas', 'sb_1'];

export const usualSize = [80, 20] as const;

type WalkOptions = { isReadOnly: boolean; isSlow: boolean; actions: readonly Action[] };

/** Opens the monitor with a terminal, a simulated platform and a witness, which checks the rules. */
export function openWalk({ isReadOnly, isSlow, actions }: WalkOptions) {
	const clock = createHeldClock();
	const state = { ahead: 0, latest: 1 };
	const wall = {
		now: () => clock.now() + state.ahead,
		monotonic: clock.monotonic,
		after: clock.after,
	};
	const requestLog = createMemoryLog(clock);
	const namesById = new Map<string, Set<string>>();
	const witness = createWitness({
		wall: wall.now,
		elapsed: clock.now,
		namesOf: id => [...(namesById.get(id) ?? []), platform.computers.get(id)?.name ?? id],
		isReadOnly,
		askingKeys: askingKeysIn(actions),
	});
	let port: string | undefined;
	let sender: Lifetime = { isAlive: true, hasQuit: false };
	const platform = createPretendPlatform(({ operation, id = '', fate }: SentChange) => {
		const isRefused = fate === 401 || fate === 429;
		const isLost = fate === 'cutBefore' || fate === 'cutAfter' || fate === 'hang';
		witness.arrived({ operation, id, port, isRefused, isLost, hasQuit: sender.hasQuit });
	});
	let size: readonly [columns: number, rows: number] = usualSize;
	let isFocused = true;
	/** Whether the program was just opened or resumed. It takes keys from the second turn after its first frame. */
	let isJustOpened = true;
	let program = open(undefined);

	function setName(id: string, name: string) {
		const existing = platform.computers.get(id);
		namesById.set(id, (namesById.get(id) ?? new Set()).add(name).add(existing?.name ?? name));
		if (existing) platform.computers.set(id, { ...existing, name });
	}

	function open(before: Program | undefined): Program {
		return openProgram({
			clock,
			wall,
			requestLog,
			isReadOnly,
			isSlow,
			actions,
			size,
			previous: before,
			request,
			isHung: (url, init) => !isAlwaysAnswered(url, init) && platform.isHanging(init?.method),
			onEnd: witness.ended,
		});
	}

	async function request(path: string, init: RequestInit | undefined, life: Lifetime) {
		sender = life;
		port = /"port":(\d+)/.exec(String(init?.body ?? ''))?.[1];
		const isRead = (init?.method ?? 'GET') === 'GET';
		const answer = await answerTo(path, init, life.hasQuit).catch((error: unknown) => {
			if (isRead && life === program.life) witness.readEnded(false);
			throw error;
		});
		if (isRead && life === program.life) witness.readEnded(answer.ok);
		return answer;
	}

	async function answerTo(path: string, init: RequestInit | undefined, hasQuit: boolean) {
		const isRead = (init?.method ?? 'GET') === 'GET';
		if (isRead && !platform.answersReads()) return platform.fetch(path, init);
		if (path.endsWith('/version/latest')) {
			return Response.json({ version: `1.${state.latest}.0` });
		}
		if (!path.includes('/billing/')) return platform.fetch(path, init);
		if (isRead) return Response.json({ balance: 12.5 });
		const operation = path.endsWith('checkout') ? 'pay' : 'billing';
		const arrival = { operation, id: '', port: undefined, hasQuit };
		witness.arrived({ ...arrival, isRefused: false, isLost: false });
		return Response.json({ url: 'https://pay.test/1' });
	}

	const isSuspended = () => !program.life.hasQuit && program.device.isStopped();

	async function observe() {
		for (let turns = isJustOpened ? 3 : 1; turns > 0; turns -= 1) await program.idle();
		isJustOpened = false;
		if (program.life.hasQuit) return;
		if (isSuspended()) witness.sawShell();
		else witness.saw(program.text(), () => isGreen(program.device.emulator));
	}

	/** Sends bytes that are not keys, in pieces with pauses. */
	async function feed(pieces: readonly { bytes: string; pause: number }[]) {
		for (const { bytes, pause } of pieces) {
			program.device.send(bytes);
			clock.move(pause);
			await observe();
		}
	}

	return {
		clock,
		wall,
		state,
		platform,
		witness,
		setName,
		observe,
		isSuspended,
		hasQuit: () => program.life.hasQuit,
		frame: () => program.text(),
		add(name: string) {
			setName(platform.add(name), name);
		},
		type(keys: readonly string[]) {
			if (!program.life.hasQuit && !isSuspended()) witness.pressed(keys);
			program.device.send(bytesOfKeys(keys));
		},
		async paste(text: string, pause: number) {
			if (program.life.hasQuit || isSuspended()) return;
			witness.pasting(text);
			const half = Math.ceil(text.length / 2);
			await feed([
				{ bytes: `\x1b[200~${text.slice(0, half)}`, pause },
				{ bytes: `${text.slice(half)}\x1b[20`, pause },
				{ bytes: '1~', pause: 0 },
			]);
			witness.pasted();
		},
		async junk(bytes: string, at: number, pause: number, isUnfinished: boolean) {
			if (program.life.hasQuit || isSuspended()) return;
			witness.disturbing(bytes);
			const begin = bytes.slice(0, at);
			// Never pause after an introducer, because that makes it a key; nor after `ESC [ 2 $`, which is
			// Shift+Insert in rxvt.
			const isWhole = /(?:^|\x1b)\x1b?(?:[[\]O^_PX]|\[\d+\$)?$/.test(begin);
			await feed([
				{ bytes: isWhole ? '' : begin, pause },
				{ bytes: isWhole ? bytes : bytes.slice(at), pause: 0 },
			]);
			// An unfinished sequence swallows the next key. After that, keys work again.
			if (isUnfinished) {
				clock.move(2_000);
				await feed([{ bytes: 'j', pause: 500 }]);
			}
			witness.disturbed();
		},
		focus() {
			isFocused = !isFocused;
			program.device.send(isFocused ? '\x1b[I' : '\x1b[O');
		},
		resize(next: typeof size) {
			size = next;
			witness.resized();
			program.resize(...size);
		},
		mouse(...event: Parameters<Program['mouse']>) {
			if (!program.life.hasQuit) witness.pointed();
			program.mouse(...event);
		},
		/** Continues the suspended program, as `fg` does. */
		resume() {
			isJustOpened = true;
			program.resume();
		},
		/** Passes a long time, with a stop during the first seconds, when countdowns may run. */
		async pass(milliseconds: number) {
			const first = Math.min(5_000, milliseconds / 2);
			for (const part of [first, (milliseconds - first) / 2, (milliseconds - first) / 2]) {
				clock.move(part);
				await observe();
			}
		},
		/** Kills the program, unless it has ended, and starts it again. */
		async reopen() {
			const { life, close } = program;
			life.isAlive = false;
			if (!life.hasQuit) close();
			witness.ended();
			program = open(program);
			isJustOpened = true;
			witness.opened();
			await observe();
		},
		close() {
			program.life.isAlive = false;
			if (!program.life.hasQuit) program.close();
			void program.session.close();
		},
	};
}

export type Walk = ReturnType<typeof openWalk>;

const askingActions = ['runHelpLine', 'choose', 'pay', 'startBilling', 'lock', 'retry']
	.concat('quit', 'quitAnywhere', 'endCommands', 'yes', 'no', 'copyCommand', 'copyTypedCommand')
	.concat('startFirst', 'submit', 'passwordCommand', 'closeDialog');

/** The keys that may open a question. Payments and quitting are among them. */
function askingKeysIn(actions: readonly Action[]): ReadonlySet<string> {
	const asking = actions.filter(
		({ id, operation }) => operation !== undefined || askingActions.includes(id),
	);
	return new Set(asking.flatMap(({ keys }) => keys));
}

/** Sign-ins and billing requests are answered whatever the platform does with other requests. */
function isAlwaysAnswered(url: string, init: RequestInit | undefined): boolean {
	const isRead = (init?.method ?? 'GET') === 'GET';
	return url.includes('/auth/') || (!isRead && url.includes('/billing/'));
}

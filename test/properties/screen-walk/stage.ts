import type { Binding } from '../../../source/keys/binding.ts';
import { createMemoryLedger } from '../../../source/pace/ledger.ts';
import { createHeldClock } from '../../held-clock.ts';
import { createPretendPlatform, type SentChange } from '../../operations/pretend-platform.ts';
import { isGreen } from './colour.ts';
import { bytesOf } from './keys.ts';
import { type Life, openProgram, type Program } from './program.ts';
import { createWitness } from './witness.ts';

/** One is called like a key, one like what many ask for, and two are called the same. */
export const names = ['atlas', 'box 1', 'cygnus', 'y', 'delete 2', 'atlas', 'sb_1'];

export const usual = [80, 20] as const;

type Wish = { isReadOnly: boolean; isSlow: boolean; bindings: readonly Binding[] };

/** The whole monitor before a witness: its terminal, its keys, and a platform that does what it is sent. */
export function openWalk({ isReadOnly, isSlow, bindings }: Wish) {
	const clock = createHeldClock();
	const state = { ahead: 0, latest: 1 };
	const wall = { now: () => clock.now() + state.ahead, after: clock.after };
	const ledger = createMemoryLedger({ elapsed: clock.now });
	const called = new Map<string, Set<string>>();
	const witness = createWitness({
		wall: wall.now,
		elapsed: clock.now,
		namesOf: id => [...(called.get(id) ?? []), platform.computers.get(id)?.name ?? id],
		isReadOnly,
		askingKeys: askingKeysIn(bindings),
	});
	let port: string | undefined;
	let sender: Life = { isAlive: true, hasQuit: false };
	const platform = createPretendPlatform(({ operation, id = '', fate }: SentChange) => {
		const isRefused = fate === 401 || fate === 429;
		const isLost = fate === 'cutBefore' || fate === 'cutAfter' || fate === 'hang';
		witness.arrived({ operation, id, port, isRefused, isLost, hasQuit: sender.hasQuit });
	});
	let size: readonly [columns: number, rows: number] = usual;
	let isFocused = true;
	let run = open(undefined);

	function call(id: string, name: string) {
		const known = platform.computers.get(id);
		called.set(id, (called.get(id) ?? new Set()).add(name).add(known?.name ?? name));
		if (known) platform.computers.set(id, { ...known, name });
	}

	function open(before: Program | undefined): Program {
		return openProgram({
			...{ clock, wall, ledger, isReadOnly, isSlow, bindings, size, before },
			request,
			isHung: (url, init) => !isAlwaysAnswered(url, init) && platform.isHanging(init?.method),
			onEnd: witness.ended,
		});
	}

	async function request(path: string, init: RequestInit | undefined, life: Life) {
		sender = life;
		port = /"port":(\d+)/.exec(String(init?.body ?? ''))?.[1];
		const isRead = (init?.method ?? 'GET') === 'GET';
		const answer = await answerTo(path, init, life.hasQuit).catch((error: unknown) => {
			if (isRead && life === run.life) witness.heard(false);
			throw error;
		});
		if (isRead && life === run.life) witness.heard(answer.ok);
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
		const asked = { operation, id: '', port: undefined, hasQuit };
		witness.arrived({ ...asked, isRefused: false, isLost: false });
		return Response.json({ url: 'https://pay.test/1' });
	}

	const isAway = () => !run.life.hasQuit && run.device.isStopped();

	async function settleDown() {
		await run.idle();
		if (run.life.hasQuit) return;
		if (isAway()) witness.sawShell();
		else witness.saw(run.text(), () => isGreen(run.device.emulator));
	}

	/** Bytes of which a person hopes nothing, in pieces that may stall. */
	async function feed(pieces: readonly { bytes: string; pause: number }[]) {
		for (const { bytes, pause } of pieces) {
			run.device.send(bytes);
			clock.move(pause);
			await settleDown();
		}
	}

	return {
		clock,
		wall,
		state,
		platform,
		witness,
		call,
		settleDown,
		isAway,
		hasQuit: () => run.life.hasQuit,
		frame: () => run.text(),
		add(name: string) {
			call(platform.add(name), name);
		},
		type(keys: readonly string[]) {
			if (!run.life.hasQuit && !isAway()) witness.pressed(keys);
			run.device.send(bytesOf(keys));
		},
		async paste(text: string, pause: number) {
			if (run.life.hasQuit || isAway()) return;
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
			if (run.life.hasQuit || isAway()) return;
			witness.disturbing(bytes);
			const begin = bytes.slice(0, at);
			// A terminal that lets time pass after an introducer has sent a key, and so it has after
			// `ESC [ 2 $`, which is Shift+Insert in rxvt.
			const isWhole = /(?:^|\x1b)\x1b?(?:[[\]O^_PX]|\[\d+\$)?$/.test(begin);
			await feed([
				{ bytes: isWhole ? '' : begin, pause },
				{ bytes: isWhole ? bytes : bytes.slice(at), pause: 0 },
			]);
			// What never ends swallows one key, which sets a person free.
			if (isUnfinished) {
				clock.move(2_000);
				await feed([{ bytes: 'j', pause: 500 }]);
			}
			witness.disturbed();
		},
		focus() {
			isFocused = !isFocused;
			run.device.send(isFocused ? '\x1b[I' : '\x1b[O');
		},
		resize(next: typeof size) {
			size = next;
			witness.resized();
			run.resize(...size);
		},
		point(...where: Parameters<Program['mouse']>) {
			if (!run.life.hasQuit) witness.pointed();
			run.mouse(...where);
		},
		/** As `fg` does. */
		resume: () => run.resume(),
		/** Lets a long time pass, at whose beginning something may be counting down. */
		async pass(milliseconds: number) {
			const first = Math.min(5_000, milliseconds / 2);
			for (const part of [first, (milliseconds - first) / 2, (milliseconds - first) / 2]) {
				clock.move(part);
				await settleDown();
			}
		},
		/** Ends it without a word, unless it has ended, and starts it again. */
		async reopen() {
			const { life, close } = run;
			life.isAlive = false;
			if (!life.hasQuit) close();
			witness.ended();
			run = open(run);
			witness.opened();
			await settleDown();
		},
		close() {
			run.life.isAlive = false;
			if (!run.life.hasQuit) run.close();
			void run.session.close();
		},
	};
}

export type Walk = ReturnType<typeof openWalk>;

/** The keys that may open a question. */
function askingKeysIn(bindings: readonly Binding[]): ReadonlySet<string> {
	const isAsking = ({ intent }: Binding) => intent.type === 'ask' || intent.type === 'retry';
	return new Set(bindings.filter(isAsking).flatMap(({ keys }) => keys));
}

/** Sign-ins and billing requests are answered whatever the platform does with other requests. */
function isAlwaysAnswered(url: string, init: RequestInit | undefined): boolean {
	const isRead = (init?.method ?? 'GET') === 'GET';
	return url.includes('/auth/') || (!isRead && url.includes('/billing/'));
}

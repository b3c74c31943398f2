import { openLookout } from '../../source/commands/lookout.ts';
import { showLookout } from '../../source/commands/show-lookout.tsx';
import type { Binding } from '../../source/keys/binding.ts';
import { createMemoryLedger } from '../../source/pace/ledger.ts';
import { createConditions } from '../../source/terminal/conditions.ts';
import type { Terminal } from '../../source/terminal/terminal.ts';
import { createHeldClock } from '../held-clock.ts';
import { createStageTerminal } from '../journeys/stage.ts';
import { createPretendPlatform, type Deed } from '../operations/pretend-platform.ts';
import { createWitness } from './screen-walk-witness.ts';

const account = 'owner';

/** One is called like a key, one like what many ask for, and two are called the same. */
export const names = ['atlas', 'box 1', 'cygnus', 'y', 'delete 2', 'atlas', 'sb_1'];

export const usual = [80, 20] as const;

const sequences: Readonly<Record<string, string>> = {
	enter: '\r',
	// Told at once, as terminals do that speak Kitty's protocol.
	escape: '\x1b[27u',
	down: '\x1b[B',
	up: '\x1b[A',
	pagedown: '\x1b[6~',
	pageup: '\x1b[5~',
	home: '\x1b[H',
	end: '\x1b[F',
	backspace: '\x7f',
	tab: '\t',
	'shift-tab': '\x1b[Z',
	space: ' ',
};

type Wish = { isReadOnly: boolean; bindings: readonly Binding[] };

/** The whole monitor before a witness: its screen, its keys, and a platform that does all it is told. */
export function openWalk({ isReadOnly, bindings }: Wish) {
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
		askers: askersIn(bindings),
	});
	let port: string | undefined;
	let sender = { hasQuit: false };
	const platform = createPretendPlatform(({ operation, id = '', fate }: Deed) => {
		const isRefused = fate === 401 || fate === 429;
		const isLost = fate === 'cutBefore' || fate === 'cutAfter' || fate === 'hang';
		witness.arrived({ operation, id, port, isRefused, isLost, hasQuit: sender.hasQuit });
	});
	const conditions = createConditions({
		isFocused: true,
		isLowBandwidth: false,
		colours: 0,
		background: 'dark',
		hasUnicode: true,
		name: undefined,
	});
	let size: readonly [columns: number, rows: number] = usual;
	let run = open();

	function call(id: string, name: string) {
		const known = platform.computers.get(id);
		called.set(id, (called.get(id) ?? new Set()).add(name).add(known?.name ?? name));
		if (known) platform.computers.set(id, { ...known, name });
	}

	function add(name: string) {
		call(platform.add(name), name);
	}

	/** Starts the program. What the one before knew is what is kept of it. */
	function open(before?: ReturnType<typeof openLookout>) {
		const life = { isAlive: true, hasQuit: false };
		const after: typeof wall.after = (milliseconds, then) =>
			wall.after(milliseconds, () => {
				if (life.isAlive) then();
			});
		const host = { clock: { now: wall.now, after }, elapsed: clock.now, random: () => 0.5 };
		const send: typeof fetch = async (url, init) => {
			if (!life.isAlive) return new Promise(() => {});
			const path = String(url);
			sender = life;
			port = /"port":(\d+)/.exec(String(init?.body ?? ''))?.[1];
			if (path.endsWith('/version/latest')) {
				return Response.json({ version: `1.${state.latest}.0` });
			}
			if (path.includes('/billing/')) return billing(path, init?.method, life.hasQuit);
			return platform.fetch(url, init);
		};
		const lookout = openLookout(host, {
			account,
			baseUrl: 'https://api.test/v1',
			credentials: {
				kind: 'password',
				authUrl: 'https://id.test',
				anonKey: 'k',
				email: 'e',
				password: async () => 'p',
			},
			fetch: send,
			ledger: { ...ledger, close() {} },
			isReadOnly,
		});
		recall(before, lookout);
		const own = createStageTerminal(size);
		const terminal: Terminal = {
			...own,
			conditions: conditions.get,
			onConditions: conditions.on,
			end() {
				if (life.hasQuit) return new Promise(() => {});
				life.hasQuit = true;
				witness.ended();
				shown.close();
				void lookout.close();
				return new Promise(() => {});
			},
		};
		const shown = showLookout({ lookout, terminal, clock: host.clock, bindings, isPlain: true });
		return { life, lookout, own, shown };
	}

	function billing(path: string, method = 'GET', hasQuit: boolean) {
		if (method === 'GET') return Response.json({ balance: 12.5 });
		const operation = path.endsWith('checkout') ? 'pay' : 'billing';
		const asked = { operation, id: '', port: undefined, hasQuit };
		witness.arrived({ ...asked, isRefused: false, isLost: false });
		return Response.json({ url: 'https://pay.test/1' });
	}

	/** As from its journal, which may be out of date by any time. */
	function recall(before: ReturnType<typeof openLookout> | undefined, next: typeof before) {
		const known = before?.store.getState().accounts.get(account);
		if (!known) return;
		const at = wall.now();
		const computers = [...known.computers.values()].map(({ reading, since }) => ({
			reading,
			since,
			seenAt: since.at,
		}));
		const { changes, samples } = known;
		next?.store.foldAll([
			{ account, at, type: 'fleetRecalled', computers },
			{ account, at, type: 'pastRecalled', changes, samples },
		]);
	}

	async function settleDown() {
		for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
		if (!run.life.hasQuit) witness.saw(run.own.frame());
	}

	function type(keys: readonly string[]) {
		if (!run.life.hasQuit) witness.pressed(keys);
		run.own.type(keys.map(sequenceOf).join(''));
	}

	return {
		clock,
		wall,
		state,
		platform,
		witness,
		conditions,
		call,
		add,
		settleDown,
		type,
		hasQuit: () => run.life.hasQuit,
		frame: () => run.own.frame(),
		paste(text: string) {
			if (!run.life.hasQuit) witness.pasted(text);
			run.own.type(`\x1b[200~${text}\x1b[201~`);
		},
		resize(next: typeof size) {
			size = next;
			witness.resized();
			run.own.resize(...size);
		},
		point(...where: Parameters<typeof run.own.point>) {
			if (!run.life.hasQuit) witness.pointed();
			run.own.point(...where);
		},
		/** Lets a long time pass as on a slow line, where ages are told by the minute. */
		async pass(milliseconds: number) {
			const { isLowBandwidth } = conditions.get();
			conditions.set({ isLowBandwidth: isLowBandwidth || milliseconds > 5_000 });
			const first = Math.min(5_000, milliseconds / 2);
			for (const part of [first, (milliseconds - first) / 2, (milliseconds - first) / 2]) {
				clock.move(part);
				await settleDown();
			}
			conditions.set({ isLowBandwidth });
		},
		/** Ends it without a word, unless it has ended, and starts it anew. */
		reopen() {
			const { lookout, life, shown } = run;
			life.isAlive = false;
			if (!life.hasQuit) shown.close();
			witness.ended();
			run = open(lookout);
			witness.opened();
		},
		close() {
			run.life.isAlive = false;
			run.shown.close();
			void run.lookout.close();
		},
	};
}

export type Walk = ReturnType<typeof openWalk>;

/** The keys that may open a question. */
function askersIn(bindings: readonly Binding[]): ReadonlySet<string> {
	const isAsking = ({ intent }: Binding) => intent.type === 'ask' || intent.type === 'retry';
	return new Set(bindings.filter(isAsking).flatMap(({ keys }) => keys));
}

function sequenceOf(key: string): string {
	if (key.startsWith('ctrl-')) return String.fromCharCode(key.charCodeAt(5) - 96);
	return sequences[key] ?? key;
}

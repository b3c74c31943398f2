import { stripVTControlCharacters } from 'node:util';
import type { FaultKind } from '../../../source/simulator/endpoints/faults.ts';
import { operationNames } from '../../../source/simulator/world/world.ts';
import type { Action } from '../../../source/views/scene.ts';
import { bytesOfKeys } from '../../driver/keys.ts';
import { type Monitor, openMonitor } from '../../driver/monitor.ts';
import type { SendRequest } from '../../driver/scene.ts';
import type { Step } from './steps.ts';
import { createWitness, type Witness } from './witness.ts';

/**
 * Difficult names for computers: a single key, the answer to a question about several computers, a text like an id,
 * and the same name twice.
 */
export const names = ['atlas', 'box 1', 'cygnus', 'y', 'delete 2', 'atlas', 'sb_1'];

export const usualSize = [80, 20] as const;

/** How reads and changes fail; undefined while they are answered. */
type Fates = { reads?: FaultKind | undefined; changes?: FaultKind | undefined };

const readTargets = ['list', 'status', 'detail', 'credits', 'subscription', 'latest'] as const;
const changeTargets = ['create', ...operationNames] as const;

type WalkOptions = { isReadOnly: boolean; isSlow: boolean; actions: readonly Action[] };

export type Walk = Awaited<ReturnType<typeof openWalk>>;

/** Opens the monitor with a witness, which checks the rules. */
export async function openWalk({ isReadOnly, isSlow, actions }: WalkOptions) {
	const fates: Fates = {};
	const namesById = new Map<string, Set<string>>();
	/** Undefined while the monitor opens. */
	let present: Witness | undefined;

	/** Tells the witness of each request as it leaves, and whether it was answered. */
	const watched =
		(send: SendRequest): SendRequest =>
		async (address, request) => {
			const witness = present;
			const { method = 'GET', body = '' } = request;
			const change = changeIn(method, address);
			const port = /"port":(\d+)/.exec(String(body))?.[1];
			const undo = change && witness?.arrived({ ...change, port, hasQuit: hasQuit() });
			const isRead = method === 'GET' && !address.includes('/auth/');
			try {
				const response = await send(address, request);
				if (isRead) witness?.readEnded(response.status < 400);
				if (response.status === 401 || response.status === 429) undo?.();
				return response;
			} catch (error) {
				if (isRead) witness?.readEnded(false);
				if (undo) witness?.lost();
				throw error;
			}
		};

	const monitor = await openMonitor({
		computers: 0,
		size: usualSize,
		conditions: { isLowBandwidth: isSlow },
		isReadOnly,
		actions,
		lockAfterMs: 600_000,
		watchRequests: watched,
	});
	const { clock, simulator, session, device, effects } = monitor;
	const { world } = simulator;
	const hasQuit = () => effects.endings.length > 0;
	const witness = createWitness({
		wall: clock.now,
		elapsed: clock.monotonic,
		// The platform names a computer that was created without a name, and a deletion is judged after it was carried out.
		namesOf(id) {
			const all = [...world.computers(), ...world.deletedComputers];
			const names = all.filter(computer => computer.id === id);
			return [...(namesById.get(id) ?? []), ...names.map(({ name }) => name)];
		},
		isReadOnly,
		askingKeys: askingKeysIn(actions),
	});
	present = witness;
	let isFocused = true;
	let isClosed = false;

	const isSuspended = () => !hasQuit() && device.isStopped();

	async function observe() {
		await monitor.idle();
		if (hasQuit()) await close();
		else if (isSuspended()) witness.sawShell();
		else witness.saw(monitor.text(), () => isGreen(device.colouredLines()));
	}

	/** Sends bytes that are not keys, in pieces with pauses. */
	async function feed(...pieces: readonly [bytes: string, pause: number][]) {
		for (const [bytes, pause] of pieces) {
			device.send(bytes);
			clock.move(pause);
			await observe();
		}
	}

	async function close() {
		if (isClosed) return;
		isClosed = true;
		monitor.close();
		const closed = session.close();
		// A request that is never answered is waited for, but not for long.
		clock.move(1_000);
		await closed;
	}

	function setFates(change: Partial<Fates>) {
		Object.assign(fates, change);
		const { reads, changes } = fates;
		simulator.setFaults([
			...(reads ? readTargets.map(target => ({ target, kind: reads })) : []),
			...(changes ? changeTargets.map(target => ({ target, kind: changes })) : []),
		]);
	}

	function call(id: string, name: string) {
		namesById.set(id, (namesById.get(id) ?? new Set()).add(name));
	}

	return {
		clock,
		simulator,
		witness,
		observe,
		setFates,
		hasQuit,
		isSuspended,
		frame: monitor.text,
		add: (name: string) => call(world.add({ name }).id, name),
		rename(id: string, name: string) {
			const computer = world.get(id);
			call(id, computer.name);
			call(id, name);
			Object.assign(computer, { name });
		},
		type(keys: readonly string[]) {
			if (!isSuspended()) witness.pressed(keys);
			device.send(bytesOfKeys(keys));
		},
		async paste(text: string, pause: number) {
			if (isSuspended()) return;
			const check = witness.pasting(text);
			const half = Math.ceil(text.length / 2);
			const [first, last] = [text.slice(0, half), text.slice(half)];
			await feed([`\x1b[200~${first}`, pause], [`${last}\x1b[20`, pause], ['1~', 0]);
			check();
		},
		async junk({ junk: { bytes, isUnfinished }, at, pause }: Extract<Step, { do: 'junk' }>) {
			if (isSuspended()) return;
			const check = witness.disturbing(bytes);
			// Never pause after an introducer, because that makes it a key; nor after `ESC [ 2 $`, which is
			// Shift+Insert in rxvt.
			const isWhole = /(?:^|\x1b)\x1b?(?:[[\]O^_PX]|\[\d+\$)?$/.test(bytes.slice(0, at));
			const cut = isWhole ? 0 : at;
			await feed([bytes.slice(0, cut), pause], [bytes.slice(cut), 0]);
			// An unfinished sequence swallows the next key. After that, keys work again.
			if (isUnfinished) {
				clock.move(2_000);
				await feed(['j', 500]);
			}
			check();
		},
		focus() {
			isFocused = !isFocused;
			device.send(isFocused ? '\x1b[I' : '\x1b[O');
		},
		resize(size: readonly [columns: number, rows: number]) {
			witness.resized();
			monitor.resize(...size);
		},
		mouse(...event: Parameters<Monitor['mouse']>) {
			witness.pointed();
			monitor.mouse(...event);
		},
		/** Continues the suspended program, as `fg` does. */
		resume: monitor.resume,
		/** Passes a long time, with a stop during the first seconds, when countdowns may run. */
		async pass(milliseconds: number) {
			const first = Math.min(5_000, milliseconds / 2);
			for (const part of [first, (milliseconds - first) / 2, (milliseconds - first) / 2]) {
				clock.move(part);
				await observe();
			}
		},
		async close() {
			await close();
			await simulator.close();
		},
	};
}

/** The operation that a request is for, and its computer. Sign-ins are none. */
function changeIn(method: string, address: string): { operation: string; id: string } | undefined {
	if (method === 'GET' || address.includes('/auth/')) return undefined;
	if (address.includes('/billing/'))
		return { operation: address.endsWith('checkout') ? 'pay' : 'billing', id: '' };
	if (address.endsWith('/sandbox')) return { operation: 'create', id: '' };
	const [, id, verb = ''] = /\/sandbox\/([^/]+)(?:\/(.+))?$/.exec(address) ?? [];
	if (id === undefined) throw new Error(`The witness does not know ${method} ${address}`);
	if (verb.startsWith('preview/'))
		return { operation: verb === 'preview/start' ? 'publish' : 'unpublish', id };
	return { operation: method === 'DELETE' ? 'delete' : verb, id };
}

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

/** Whether the dot of a running computer or of a live connection is green. */
function isGreen(colouredLines: readonly string[]): boolean {
	// Lines of the log keep their colours.
	const isOfLog = (line: string) => /^[\s❯]*\d\d:\d\d/.test(stripVTControlCharacters(line));
	return colouredLines.some(line => /\x1b\[32m[^\x1b]*●/.test(line) && !isOfLog(line));
}

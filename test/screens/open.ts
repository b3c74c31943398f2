import { stripVTControlCharacters as withoutSequences } from 'node:util';
import type { IBufferCell } from '@xterm/headless';
import { pastFacts } from '../../source/session/demo.ts';
import { shapesFromText } from '../../source/simulator/simulator.ts';
import { cellsOf } from '../driver/device.ts';
import { type MonitorOptions, openMonitor } from '../driver/monitor.ts';
import { openSeveralAccounts } from '../driver/several-accounts.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';

export type Size = `${number}x${number}`;

/** A picture of the program: a world, a terminal, and what happens until the picture is taken. */
export type Scene = {
	name: string;
	/** The sizes of the terminal, of which the first also shows the colours. */
	sizes?: readonly Size[];
	world?: Omit<MonitorOptions, 'size' | 'shapes'> & {
		shapes?: string;
		/** Whether the log knows the week before, as in the demo. */
		hasPast?: boolean;
	};
	/** The accounts, if there are several, each with its world. */
	accounts?: NonNullable<Parameters<typeof openSeveralAccounts>[0]>['accounts'];
	/**
	 * What happens, in order: keys by their names, `'typed text'`, time that passes such as `~6s`, and changes of the world
	 * such as `fail=gemini`.
	 */
	steps: string;
	/** What is in sight at every size. */
	always?: RegExp;
};

export function sizeOf(size: Size): readonly [columns: number, rows: number] {
	const [columns = 0, rows = 0] = size.split('x').map(Number);
	return [columns, rows];
}

const origin = 'https://cloud.example';

export type Opened = Awaited<ReturnType<typeof openScene>>;

/** Opens a scene in a terminal of this size, and lets its steps happen. */
export async function openScene(scene: Scene, size: Size) {
	const { world: { shapes, ...world } = {}, accounts, steps } = scene;
	const { conditions, system, hasPast } = world;
	const screen = {
		size: sizeOf(size),
		hasDefaultOrder: true,
		...(conditions && { conditions }),
		...(system && { system }),
	};
	const monitor = accounts
		? { ...(await openSeveralAccounts({ ...screen, accounts })), simulator: undefined }
		: await openMonitor({
				origin,
				...world,
				...screen,
				...(shapes && { shapes: shapesFromText(shapes) }),
				...(hasPast && { beforeFirstRequest: recallPast }),
			});
	await happenAll(monitor, steps);
	await monitor.idle();
	return { ...monitor, hold: () => holdAnswers(monitor, Object.keys(accounts ?? {})) };
}

type Begun = Parameters<NonNullable<MonitorOptions['beforeFirstRequest']>>[0];

function recallPast({ simulator, session }: Begun) {
	session.store.receive(pastFacts(simulator, session.account));
}

/** Opens a scene with the spoken monitor, lets its steps happen, and returns what was said. */
export async function spokenText({
	world: { shapes, ...world } = {},
	steps,
}: Scene): Promise<string> {
	const monitor = await openSpokenMonitor({
		origin,
		...world,
		...(shapes && { shapes: shapesFromText(shapes) }),
	});
	await monitor.idle();
	await happenAll(monitor, steps);
	await monitor.idle();
	return monitor.lines().map(withoutSequences).join('\n').trimEnd();
}

/** Lets no more answers come, so that only the size of the terminal changes the picture. */
function holdAnswers({ simulator, platformOf }: Shown, names: readonly string[]) {
	const all = simulator ? [simulator] : names.map(name => platformOf?.(name));
	for (const each of all) each?.setFaults([{ target: '*', kind: 'hang' }]);
}

type Shown = {
	press: (key: string) => Promise<void>;
	type: (text: string) => Promise<void>;
	pass: (milliseconds: number) => Promise<void>;
	simulator?: Awaited<ReturnType<typeof openMonitor>>['simulator'] | undefined;
	platformOf?: Awaited<ReturnType<typeof openSeveralAccounts>>['platformOf'];
};

async function happenAll(monitor: Shown, steps: string): Promise<void> {
	for (const [step] of steps.matchAll(/\w+='[^']*'|'[^']*'|\S+/g)) await happen(monitor, step);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

async function happen(monitor: Shown, step: string): Promise<void> {
	const [, number, unit = ''] = /^~(\d+)(ms|s|m|h)$/.exec(step) ?? [];
	if (number !== undefined) return monitor.pass(Number(number) * (units[unit] ?? 0));
	if (step.startsWith("'")) return monitor.type(step.slice(1, -1));
	const [, name, value = ''] = /^(\w+)='?(.+?)'?$/.exec(step) ?? [];
	if (name === undefined) return monitor.press(step);
	const change = changes[name];
	if (!change) throw new Error(`nothing happens at the step ${step}`);
	const [first = '', ...others] = value.split('/');
	const simulator =
		monitor.platformOf && others.length > 0 ? monitor.platformOf(first) : monitor.simulator;
	if (!simulator) throw new Error(`the step ${step} names no account, as in ${name}=work/…`);
	change(simulator, others.length > 0 && monitor.platformOf ? others.join('/') : value);
}

type Simulator = Awaited<ReturnType<typeof openMonitor>>['simulator'];

/** What can happen in the world. With several accounts, the value begins with the name of one: `fail=work/gemini`. */
const changes: Readonly<Record<string, (simulator: Simulator, value: string) => void>> = {
	fail: ({ world }, name) => world.fail(name),
	sleep: ({ world }, name) => world.sleep(name),
	wake: ({ world }, name) => world.wake(name),
	remove: ({ world }, name) => world.remove(name),
	add: ({ world }, name) => void world.add({ name }),
	create: ({ world }, name) => void world.add({ name, state: 'provisioning' }),
	release: ({ world }, version) => void world.publishRelease(version),
	credits: ({ world }, credits) => world.setCredits(Number(credits)),
	/** `target:kind`, or `none`. */
	fault(simulator, text) {
		const [target, kind] = text.split(':');
		simulator.setFaults(
			text === 'none'
				? []
				: [{ target, kind } as Parameters<typeof simulator.setFaults>[0][number]],
		);
	},
	spent({ world }, text) {
		const [scope, count] = text.split(':');
		world.countOtherClientRequests(scope as 'other', Number(count));
	},
	shapes: (simulator, text) => simulator.setShapes(shapesFromText(text)),
	revoke: simulator => simulator.expireTokens(),
};

/** Returns the screen as lines of text. */
export const textOf = ({ lines }: Pick<Opened, 'lines'>): string => lines().join('\n').trimEnd();

/** The letters of the sixteen colours. */
const roles = 'frgybmc.frgybmc.';

/**
 * Returns a letter for the colour of each character, a capital where it is bold, `_` where it is underlined, and `#` where
 * it stands on a background.
 */
export const coloursOf = ({ device: { emulator } }: Pick<Opened, 'device'>): string =>
	Array.from({ length: emulator.rows }, (_, y) =>
		cellsOf(emulator, y).map(roleOf).join('').trimEnd(),
	)
		.join('\n')
		.trimEnd();

function roleOf(cell: IBufferCell): string {
	if (!cell.isBgDefault() || cell.isInverse()) return '#';
	const glyph = cell.getChars() || ' ';
	if (glyph === ' ') return ' ';
	if (cell.isUnderline()) return '_';
	const role = cell.isFgDefault() ? '.' : (roles[cell.getFgColor()] ?? 'f');
	return cell.isBold() ? (role === '.' ? '*' : role.toUpperCase()) : role;
}

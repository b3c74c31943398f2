import { onTestFinished } from 'vitest';
import type { Change } from '../../source/fleet/change.ts';
import { createActivity } from '../../source/foundation/activity.ts';
import { showMonitor } from '../../source/monitor/drawn/show-monitor.tsx';
import type { LiveSettingSources } from '../../source/monitor/live-settings.ts';
import type { Memory } from '../../source/monitor/memory.ts';
import { createSessionTable } from '../../source/session/session-table.ts';
import type { TerminalPreferences } from '../../source/terminal/features/environment.ts';
import type { MouseInput } from '../../source/terminal/input/reports.ts';
import { createTerminal, type Ending } from '../../source/terminal/terminal.ts';
import type { Action } from '../../source/views/scene.ts';
import { createLateClock } from '../held-clock.ts';
import { temporaryFolder } from '../journal/state-directory.ts';
import { createDevice, type Device, type DeviceOptions } from './device.ts';
import { createDriver } from './driver.ts';
import { memoryByName } from './memory.ts';
import { openScene, type SceneOptions } from './scene.ts';

export type ScreenOptions = {
	size?: readonly [columns: number, rows: number];
	conditions?: TerminalPreferences & { isLowBandwidth?: boolean; isFocused?: boolean };
	system?: DeviceOptions;
	/**
	 * Whether the table begins with computers in trouble, as it does for a person. In most tests, the table is
	 * ordered by name.
	 */
	hasDefaultOrder?: boolean;
};

export type MonitorOptions = SceneOptions &
	ScreenOptions & {
		/** The key actions, if they differ from the default. */
		actions?: readonly Action[];
		/** Returns the history of a computer that an earlier run saved. */
		savedHistory?: (id: string) => readonly Change[];
		/** Opens the monitor with the welcome of the first start. */
		isWelcoming?: boolean;
		leaveToSignIn?: () => void;
		/** The values that the changeable settings start with. */
		settingSources?: LiveSettingSources;
		memory?: Memory;
		/** Runs before the monitor sends its first request. */
		beforeFirstRequest?: (
			scene: Pick<Scene, 'clock' | 'session' | 'simulator'>,
		) => void | Promise<void>;
	};

type Scene = Awaited<ReturnType<typeof openScene>>;

export type Monitor = Awaited<ReturnType<typeof openMonitor>>;

/** Opens the monitor with a real server, client and terminal emulator, and a clock that the test moves. */
export async function openMonitor(options: MonitorOptions = {}) {
	const { savedHistory, isWelcoming = false, memory, ...others } = options;
	const scene = await openScene(options);
	await options.beforeFirstRequest?.(scene);
	const { clock, simulator, session, requests, revoke, isTokenStored } = scene;
	if (savedHistory)
		session.journal = {
			loadHistory(id: string) {
				const history = { id, changes: savedHistory(id) };
				const { account } = session;
				session.store.receive([{ account, at: clock.now(), type: 'recalled', history }]);
			},
		} as typeof session.journal;
	const onScreen = await openOnScreen(
		options,
		{
			sessions: createSessionTable([session]),
			opensWithWelcome: isWelcoming,
			leaveToSignIn: others.leaveToSignIn,
			folder: temporaryFolder,
			settingSources: others.settingSources,
			actions: others.actions,
			...(memory && { memory }),
		},
		{ clock, requests, heldBack: () => simulator.heldBackCount },
	);
	return {
		...onScreen,
		simulator,
		session,
		revoke,
		isTokenStored,
		/** Returns every request that is not a read, with the name of its computer and the status of its response. */
		operationRequests: () => operationRequestsOf(simulator),
	};
}

type ShowOptions = Omit<Parameters<typeof showMonitor>[0], 'terminal' | 'clock'>;

type SceneParts = Pick<Parameters<typeof createDriver>[0], 'clock' | 'requests' | 'heldBack'> & {
	/** How long it takes until everything has started. */
	openingMs?: number;
};

type OnScreenOptions = { [Key in keyof ScreenOptions]?: ScreenOptions[Key] | undefined };

/** What the driver watches, if there are several accounts. */
export const partsOf = (
	parts: Pick<SceneParts, 'clock' | 'requests'>,
	simulators: readonly { heldBackCount: number }[],
): SceneParts => ({
	...parts,
	heldBack: () => simulators.reduce((sum, { heldBackCount }) => sum + heldBackCount, 0),
	// The watches of the accounts start one after another.
	openingMs: 2_000,
});

/** Shows a monitor in a terminal, with a driver, until the test ends or `close` is called. */
export async function openOnScreen(
	{ size = [120, 36], conditions = {}, system, hasDefaultOrder }: OnScreenOptions,
	showOptions: ShowOptions,
	{ clock, requests, heldBack, openingMs = 0 }: SceneParts,
) {
	const { isLowBandwidth = false, isFocused = true, ...preferences } = conditions;
	const activity = createActivity();
	const device = createDevice(size, clock, system);
	const { terminal, endings } = withEndings(
		createTerminal({
			...programInTests(device),
			activity,
			hasMouse: true,
			isLowBandwidth,
			preferences: { background: 'dark', ...preferences },
		}),
	);
	terminal.open();
	if (!isFocused) device.send('\u001B[O');
	const screenClock = createLateClock(clock);
	const shown = showMonitor({
		...(!hasDefaultOrder && { memory: memoryByName() }),
		...showOptions,
		terminal,
		clock: screenClock,
	});
	const text = () => device.lines().join('\n').trimEnd();
	/** What happens to the program finds the screen as old as it is. */
	const caughtUp =
		<Args extends unknown[]>(happen: (...args: Args) => void) =>
		(...args: Args) => {
			screenClock.catchUp();
			happen(...args);
		};
	const send = caughtUp(device.send);

	onTestFinished(shown.close);
	const driver = await createDriver({
		...device,
		send,
		clock,
		activity,
		requests,
		heldBack,
		settled() {
			screenClock.catchUp();
			return shown.settled();
		},
		text,
	});
	await driver.pass(openingMs);
	screenClock.beLate();
	return {
		close: shown.close,
		...driver,
		clock,
		text,
		lines: device.lines,
		colouredLine: device.colouredLine,
		effects: Object.assign(device.effects, { endings }),
		device: { ...device, send },
		/** Whether the program waits for the rest of an escape sequence or for a frame. */
		isBusy: () => activity.pendingCount > 0,
		resize: caughtUp(device.resize),
		/** Continues the program after Ctrl-Z, as `fg` does. */
		resume: caughtUp(device.continue),
		mouse: (kind: MouseInput['kind'], x: number, y: number) =>
			send(`\u001B[<${buttons[kind]};${x + 1};${y + 1}M`),
	};
}

/** What a terminal knows of the program and the process in it. */
export const programInTests = ({ program, clock }: Device) => ({
	program,
	clock,
	crashReportFolder: '/dev/null/reports',
	programInfo: 'the tests',
});

/** Notes how the program ends. */
export function withEndings<Ended extends { end(ending: Ending): Promise<void> }>(terminal: Ended) {
	const endings: Ending[] = [];
	function end(ending: Ending) {
		endings.push(ending);
		return terminal.end(ending);
	}
	return { terminal: { ...terminal, end }, endings };
}

const buttons: Readonly<Record<MouseInput['kind'], number>> = {
	press: 0,
	wheelUp: 64,
	wheelDown: 65,
};

export function operationRequestsOf({
	requests,
	world,
}: Awaited<ReturnType<typeof openScene>>['simulator']) {
	return requests
		.filter(({ method, scope }) => method !== 'GET' && scope !== 'auth')
		.map(({ method, path, status }) => {
			const computer = world.computers().find(({ id }) => path.includes(id));
			const suffix = path.split('/sandbox')[1] ?? path;
			return `${method} ${suffix.replace(computer?.id ?? '-', computer?.name ?? '')} ${status || '–'}`;
		});
}

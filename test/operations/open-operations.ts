import { onTestFinished } from 'vitest';
import { createActivity } from '../../source/fleet/activity.ts';
import type { OperationSpec } from '../../source/fleet/operation.ts';
import { createOperations, type Operations } from '../../source/operations/operations.ts';
import { createMemoryLedger } from '../../source/pace/ledger.ts';
import { createPace } from '../../source/pace/pace.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import { createSimulator, type SimulatorOptions } from '../../source/simulator/simulator.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { createPollableFleet } from '../../source/watch/pollable-fleet.ts';
import { createWatch } from '../../source/watch/watch.ts';
import { createHeldClock } from '../held-clock.ts';

const account = 'owner';

type Options = {
	simulator?: Partial<SimulatorOptions>;
	operations?: Partial<Parameters<typeof createOperations>[0]>;
};

/** The whole path over a real simulator on a held clock, with the watch that sees the ends. */
export async function openOperations({ simulator: wanted, operations: own }: Options = {}) {
	const clock = createHeldClock();
	const simulator = await createSimulator({
		clock,
		computers: 0,
		plan: 'ultra',
		tokenSeconds: 1_000_000_000,
		...wanted,
	});
	const store = createStore();
	const requests = createActivity();
	const random = () => 0.5;
	const pace = createPace({ clock, random, ledger: createMemoryLedger({ elapsed: clock.now }) });
	const platform = createPlatform({
		baseUrl: simulator.baseUrl,
		credentials: {
			kind: 'password',
			authUrl: simulator.authUrl,
			anonKey: simulator.anonKey,
			email: simulator.email,
			password: async () => simulator.password,
		},
		rateLimiter: pace,
		clock,
		fetch,
		activity: requests,
		onSignedIn: email => store.fold({ account, at: clock.now(), type: 'signedIn', email }),
	});
	const known = () => store.getState().accounts.get(account) ?? emptyAccount;
	const watch = createWatch({
		account,
		platform,
		pace,
		clock,
		random,
		fleet: createPollableFleet(known),
		onFact: store.fold,
		attention: { visible: new Set(), focused: true },
	});
	const parts = {
		account,
		store,
		platform,
		pace,
		clock,
		random,
		watch,
		isReadOnly: () => false,
		lockAfter: Number.POSITIVE_INFINITY,
	};
	const operations = createOperations({ ...parts, ...own });
	onTestFinished(async () => {
		operations.quit();
		watch.stop();
		platform.close();
		await pace.close();
		await simulator.close();
	});

	/** All that was asked is answered, but what the platform holds back. */
	async function idle() {
		for (let begun = -1; begun !== requests.begun; ) {
			begun = requests.begun;
			clock.move(0);
			do await new Promise(setImmediate);
			while (requests.count !== simulator.heldBack);
		}
	}

	/** Goes on to the next call that is due, or as far as it may. */
	const goOn = (atMost: number) => {
		if (!clock.moveToNext(atMost)) clock.move(atMost);
	};

	/** Lets time go on until that is so, from one call that is due to the next, all requests answered between. */
	async function until(isSo: () => boolean) {
		const from = clock.now();
		for (await idle(); !isSo(); await idle()) {
			if (clock.now() - from > 400_000) throw new Error(`it never came to: ${isSo}`);
			goOn(1_000);
		}
	}

	async function pass(milliseconds: number) {
		const end = clock.now() + milliseconds;
		for (await idle(); clock.now() < end; await idle()) goOn(end - clock.now());
	}

	/** The fleet is known, and what the watch asks for at first is answered. */
	async function watched() {
		watch.start();
		await until(() => known().release !== undefined && known().reads.list !== undefined);
		await pass(1_000);
	}

	const operationOf = (key: string) => known().operations.get(key);

	return {
		simulator,
		world: simulator.world,
		clock,
		store,
		pace,
		watch,
		operations,
		known,
		until,
		pass,
		watched,
		operationOf,
		stageOf: (key: string) => operationOf(key)?.stage,
		/** What the log says of it, step by step. */
		stepsOf: (key: string) =>
			known().changes.flatMap(change =>
				change.type === 'operationMoved' && change.wish.key === key ? [change.to] : [],
			),
		/** Requests that change something, as the simulator saw them. */
		sentChanges: () =>
			simulator.requests
				.filter(({ method, scope }) => method !== 'GET' && scope !== 'auth')
				.map(({ method, path, status }) => `${method} ${path.split('/sandbox')[1]} ${status}`),
	};
}

/** Asks, and answers by keys as a person does. */
export function askAndConfirm(
	{ operations, clock }: { operations: Operations; clock: { move(milliseconds: number): void } },
	...asking: Parameters<Operations['ask']>
): readonly OperationSpec[] {
	const asked = operations.ask(...asking);
	if (asked.type === 'begun') return asked.specs;
	if (asked.type === 'refused') throw new Error(asked.refusal.message);
	clock.move(400);
	for (const step of asked.question.steps) {
		const keys = {
			yes: () => [step.kind === 'yes' ? step.key : ''],
			typed: () => [...(step.kind === 'typed' ? step.expected : ''), 'enter'],
			port: () => [...'8080', 'enter'],
			text: () => ['enter'],
		}[step.kind]();
		for (const key of keys) {
			const pressed = operations.press({ key: key === ' ' ? 'space' : key });
			if (pressed.type === 'begun') return pressed.specs;
		}
	}
	throw new Error('the question stayed open');
}

/** The same for one computer. */
export function askAndConfirmOne(...given: Parameters<typeof askAndConfirm>): OperationSpec {
	const [wish] = askAndConfirm(...given);
	if (!wish) throw new Error('nothing was begun');
	return wish;
}

export type OpenOperations = Awaited<ReturnType<typeof openOperations>>;

/** Without graces: the requests go out with the answer. */
export const noGrace = { graces: { stop: 0, delete: 0 } };

/** One computer that is known, and no grace. */
export async function withAtlas(newcomer: Parameters<OpenOperations['world']['add']>[0] = {}) {
	const setup = await openOperations({ operations: noGrace });
	const { id } = setup.world.add({ name: 'atlas', ...newcomer });
	await setup.watched();
	return { setup, id };
}

/** Why it failed, once it has. */
export async function failureOnceFailed(setup: OpenOperations, key: string) {
	await setup.until(() => setup.stageOf(key) === 'failed');
	return setup.operationOf(key)?.failure;
}

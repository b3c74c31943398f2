import { onTestFinished } from 'vitest';
import type { AccountProfile } from '../../source/fleet/computers/account-profile.ts';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import type { OperationId, OperationSpec } from '../../source/fleet/operations/operation.ts';
import { createActivity } from '../../source/foundation/activity.ts';
import { createJumps } from '../../source/foundation/jumps.ts';
import type { OperatedAccount } from '../../source/operations/operations.ts';
import { createOperations, type Operations } from '../../source/operations/operations.ts';
import { type QuestionStep, yesAnswer } from '../../source/operations/question-wording.ts';
import { sendingTimeLeft, waitReasonsIn } from '../../source/operations/why-not.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import { foldLimitChanges } from '../../source/session/session.ts';
import { createSimulator, type SimulatorOptions } from '../../source/simulator/simulator.ts';
import { batchesOf } from '../../source/store/our-operations.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { createWatch } from '../../source/watch/watch.ts';
import { createHeldClock } from '../held-clock.ts';
import { createMemoryLimiter } from '../limits/memory-log.ts';
import { profileOf } from '../opened-account.ts';

const account = 'owner';

/** The operations of the only account, whose computers are named by their ids on the platform. */
type OperationsOfOne = Omit<Operations, 'ask' | 'checkPort'> & {
	ask(
		operation: OperationId,
		ids: readonly string[],
		details?: Parameters<Operations['ask']>[2],
	): ReturnType<Operations['ask']>;
	checkPort(id: string, port: number): void;
};

type Options = {
	simulator?: Partial<SimulatorOptions>;
	operations?: Partial<
		Parameters<typeof createOperations>[0] & OperatedAccount & Pick<AccountProfile, 'isReadOnly'>
	>;
};

/** Operations on a real simulator and a held clock, with a watch that reads how they end. */
export async function openOperations({ simulator: simulation, operations: own }: Options = {}) {
	const clock = createHeldClock();
	const simulator = await createSimulator({
		clock,
		computers: 0,
		plan: 'ultra',
		tokenLifetimeSeconds: 1_000_000_000,
		...simulation,
	});
	const store = createStore();
	const requests = createActivity();
	const random = () => 0.5;
	const limiter = createMemoryLimiter(clock, random);
	const platform = createPlatform({
		baseUrl: simulator.baseUrl,
		credentials: {
			kind: 'password',
			authUrl: simulator.authUrl,
			anonKey: simulator.anonKey,
			email: simulator.email,
			password: async () => simulator.password,
		},
		rateLimiter: limiter,
		clock,
		fetch,
		activity: requests,
		onSignedIn: email => store.receive([{ account, at: clock.now(), type: 'signInTried', email }]),
	});
	const known = () => store.getState().accounts.get(account) ?? emptyAccount;
	const jumps = createJumps(clock);
	const watch = createWatch({
		jumps,
		account,
		platform,
		limiter,
		clock,
		random,
		accountState: known,
		onFact: fact => store.receive([fact]),
		initialAttention: {
			visibleIds: new Set(),
			views: new Set(),
			attendedUntil: Number.POSITIVE_INFINITY,
		},
	});
	const options = { store, clock, jumps, random, lockAfterMs: Number.POSITIVE_INFINITY };
	const shared = createOperations({ ...options, ...own, jumps });
	const profile = profileOf(account, { isReadOnly: own?.isReadOnly ?? false });
	shared.addAccount({ profile, platform, limiter, watch, ...own });
	foldLimitChanges(account, limiter, store, clock);
	const operations: OperationsOfOne = {
		...shared,
		ask: (operation, ids, details) =>
			shared.ask(
				operation,
				ids.map(id => globalIdOf(account, id)),
				details,
			),
		checkPort: (id, port) => shared.checkPort(globalIdOf(account, id), port),
	};
	onTestFinished(async () => {
		operations.quit();
		watch.stop();
		platform.close();
		await limiter.close();
		await simulator.close();
	});

	/** Waits until every request is answered, except those that the simulator holds back. */
	async function idle() {
		for (let begun = -1; begun !== requests.startedCount; ) {
			begun = requests.startedCount;
			clock.move(0);
			do await new Promise(setImmediate);
			while (requests.pendingCount !== simulator.heldBackCount);
		}
	}

	/** Moves the clock to the next timer, but by at most this time. */
	const advance = (atMost: number) => {
		if (!clock.moveToNext(atMost)) clock.move(atMost);
	};

	/** Moves the clock from timer to timer until the condition holds, and answers all requests in between. */
	async function until(condition: () => boolean) {
		const from = clock.now();
		for (await idle(); !condition(); await idle()) {
			if (clock.now() - from > 400_000) throw new Error(`this never became true: ${condition}`);
			advance(1_000);
		}
	}

	async function pass(milliseconds: number) {
		const end = clock.now() + milliseconds;
		for (await idle(); clock.now() < end; await idle()) advance(end - clock.now());
	}

	/** Starts the watch, and waits until its first reads are answered. */
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
		limiter,
		watch,
		operations,
		known,
		until,
		pass,
		watched,
		operationOf,
		waitReasonOf: (key: string) => waitReasonsIn([known()], operations.state(), clock.now())(key),
		sendingTimeLeft: (batch: string) => sendingTimeLeft([{ state: known() }], batch, clock.now()),
		batchOf: (id: string) => batchesOf(known()).get(id),
		stageOf: (key: string) => operationOf(key)?.stage,
		/** The steps of one operation in the log. */
		stepsOf: (key: string) =>
			known().changes.flatMap(change =>
				change.type === 'operationMoved' && change.wish.key === key ? [change.to] : [],
			),
		/** The requests that change something, as the simulator received them. */
		sentChanges: () =>
			simulator.requests
				.filter(({ method, scope }) => method !== 'GET' && scope !== 'auth')
				.map(({ method, path, status }) => `${method} ${path.split('/sandbox')[1]} ${status}`),
	};
}

/** Opens the question and answers it. */
export function askAndConfirm(
	{ operations }: { operations: Pick<OperationsOfOne, 'ask' | 'answer'> },
	...request: Parameters<OperationsOfOne['ask']>
): readonly OperationSpec[] {
	const reply = operations.ask(...request);
	if (reply.type === 'begun') return reply.operations.map(({ spec }) => spec);
	if (reply.type === 'refused') throw new Error(reply.refusal.message);
	const answered = operations.answer({
		...reply.question,
		answers: reply.question.steps.map(answerTo),
	});
	if (answered.type === 'begun') return answered.operations.map(({ spec }) => spec);
	throw new Error('the question stayed open');
}

export function answerTo(step: QuestionStep): string {
	switch (step.kind) {
		case 'yes':
			return yesAnswer;
		case 'typed':
			return step.expectedText;
		case 'port':
			return '8080';
		case 'account':
		case 'text':
			return step.initialText;
	}
}

/** Does the same for a single computer. */
export function askAndConfirmOne(...request: Parameters<typeof askAndConfirm>): OperationSpec {
	const [spec] = askAndConfirm(...request);
	if (!spec) throw new Error('no operation began');
	return spec;
}

export type OpenOperations = Awaited<ReturnType<typeof openOperations>>;

/** Sends the requests as soon as the question is answered. */
export const noGrace = { skipsGrace: true };

/** Opens operations without a grace on a fleet of one computer. */
export async function openWithAtlas(newcomer: Parameters<OpenOperations['world']['add']>[0] = {}) {
	const setup = await openOperations({ operations: noGrace });
	const { id } = setup.world.add({ name: 'atlas', ...newcomer });
	await setup.watched();
	return { setup, id };
}

/** Waits until the operation fails, and returns the failure. */
export async function failureOnceFailed(setup: OpenOperations, key: string) {
	await setup.until(() => setup.stageOf(key) === 'failed');
	return setup.operationOf(key)?.failure;
}

import type { OperationId, OperationSpec } from '../../source/fleet/operations/operation.ts';
import type { AskOptions } from '../../source/operations/question.ts';
import { type QuestionStep, yesAnswer } from '../../source/operations/question-wording.ts';
import { waitReasonsIn } from '../../source/operations/why-not.ts';
import { batchesOf } from '../../source/store/our-operations.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { openScene, type SceneOptions } from '../driver/scene.ts';
import { rowId, testAccount } from '../opened-account.ts';

export type OpenOperations = Awaited<ReturnType<typeof openOperations>>;

/** Operations on a real simulator and a held clock, with a watch that reads how they end. */
export async function openOperations(options: SceneOptions = {}) {
	const { clock, requests, simulator, session } = await openScene({
		computers: 0,
		plan: 'ultra',
		tokenLifetimeSeconds: 1_000_000_000,
		...options,
	});
	const { store, watch, limiter, operations } = session;
	const known = () => store.getState().accounts.get(testAccount) ?? emptyAccount;

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

	/** Asks for an operation, and answers its question. */
	function askAndConfirm(...request: Parameters<typeof ask>): readonly OperationSpec[] {
		const reply = ask(...request);
		const question = reply.type === 'question' ? reply.question : undefined;
		const answers = question?.steps.map(answerTo) ?? [];
		const answered = question ? operations.answer({ ...question, answers }) : reply;
		if (answered.type === 'begun') return answered.operations.map(({ spec }) => spec);
		throw new Error('refusal' in answered ? answered.refusal.message : 'the question stayed open');
	}

	const ask = (operation: OperationId, ids: readonly string[], asked?: AskOptions) =>
		operations.ask(operation, ids.map(rowId), asked);

	return {
		simulator,
		world: simulator.world,
		clock,
		store,
		limiter,
		watch,
		operations,
		platform: session.platform,
		known,
		until,
		pass,
		watched,
		ask,
		askAndConfirm,
		/** Does the same for a single computer. */
		start(...request: Parameters<typeof ask>): OperationSpec {
			const [spec] = askAndConfirm(...request);
			if (!spec) throw new Error('no operation began');
			return spec;
		},
		operationOf,
		waitReasonOf: (key: string) => waitReasonsIn([known()], operations.state(), clock.now())(key),
		batchOf: (id: string) => batchesOf(known()).get(id),
		stageOf: (key: string) => operationOf(key)?.stage,
		/** The steps of one operation in the log. */
		stepsOf: (key: string) =>
			known().changes.flatMap(change =>
				change.type === 'operationMoved' && change.wish.key === key ? [change.to] : [],
			),
		/** Waits until the operation fails, and returns the failure. */
		async failureOf(key: string) {
			await until(() => operationOf(key)?.stage === 'failed');
			return operationOf(key)?.failure;
		},
		/** The requests that change something, as the simulator received them. */
		sentChanges: () =>
			simulator.requests
				.filter(({ method, scope }) => method !== 'GET' && scope !== 'auth')
				.map(({ method, path, status }) => `${method} ${path.split('/sandbox')[1]} ${status}`),
	};
}

/** Opens operations on a fleet of one computer. */
export async function openWith(
	newcomer: Parameters<OpenOperations['world']['add']>[0] = {},
	options?: SceneOptions,
) {
	const setup = await openOperations(options);
	const { id } = setup.world.add({ name: 'atlas', ...newcomer });
	await setup.watched();
	return { setup, id };
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
		case 'input':
		case 'text':
			return step.initialText;
	}
}

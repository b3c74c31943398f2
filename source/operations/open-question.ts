import type { StoreApi } from 'zustand/vanilla';
import { type GlobalId, idsWithin } from '../fleet/computers/global-id.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import type { OperationDetails, Target } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { strictnessOf } from '../fleet/operations/strictness.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AccountOperations } from './account-operations.ts';
import { buildQuestion } from './build-question.ts';
import type { OperationsState } from './operations-state.ts';
import { isAnswered, type Question, type SkippedTarget } from './question.ts';
import type { QuestionPart } from './question-steps.ts';
import {
	type AskResult,
	type RefusedOperation,
	type refusalNow,
	refusalResult,
} from './refusal.ts';
import { type CapturedTargets, captureTargets, computerNameOf, obstacleTo } from './targets.ts';

type Refused = Extract<AskResult, { type: 'refused' }>;

/** Every step of the question has an answer, so its operations may begin. */
export type AnsweredQuestion = { type: 'answered'; question: Question };

export type AskOptions = OperationDetails & {
	openingKey?: string | undefined;
	/** The account in which a new computer is created, if there are several accounts. */
	account?: string | undefined;
	/**
	 * Whether a question is asked although a setting has switched it off, because a person may not have seen yet what the
	 * key is about.
	 */
	asksAnyway?: boolean | undefined;
	/**
	 * Whether the question offers to start the computers that are stopped before the operation, or the person has chosen
	 * that.
	 */
	starting?: Question['starting'];
};

/** The one question that may be open, until it is answered or closed. */
type OpenQuestion = {
	ask(
		operation: OperationId,
		ids: readonly GlobalId[],
		options?: AskOptions,
	): Exclude<AskResult, { type: 'begun' }> | AnsweredQuestion;
	/** Confirms the open question with these answers. */
	answer(question: Question): Refused | AnsweredQuestion;
	close(): void;
};

type OpenQuestionOptions = {
	/** Returns the accounts of the table. */
	accounts: () => readonly AccountOperations[];
	/** Returns why no operation may be asked for now. */
	refusalNow: (operation: OperationId) => ReturnType<typeof refusalNow>;
	state: StoreApi<OperationsState>;
	clock: Clock;
	createId: () => string;
};

export function createOpenQuestion(options: OpenQuestionOptions): OpenQuestion {
	const { accounts, state, clock, createId } = options;

	function setQuestion(question: Question | undefined) {
		if (question !== state.getState().question) state.setState({ question });
	}

	/** Closes the question when changes are no longer allowed. */
	function refuseIfBarred(operation: OperationId): Refused | undefined {
		const refusal = options.refusalNow(operation);
		if (refusal) setQuestion(undefined);
		return refusal;
	}

	/** Whether the last read says that the computer no longer exists. */
	function isGone({ account, id }: Target): boolean {
		const found = accounts().find(({ profile }) => profile.account === account);
		return found !== undefined && !found.accountStore.state().computers.has(id);
	}

	function answer(answered: Question): Refused | AnsweredQuestion {
		const refusedNow = refuseIfBarred(answered.operation);
		if (refusedNow) return refusedNow;
		const { question } = state.getState();
		if (question?.id !== answered.id)
			return refusalResult('no-answer', 'The question is no longer open');
		// Only the answers are taken from the caller's question. The targets stay as they were captured here.
		const complete = { ...question, answers: answered.answers };
		if (!isAnswered(complete))
			return refusalResult('no-answer', 'Some parts of the question are not answered yet');
		setQuestion(undefined);
		if (question.targets.length > 0 && question.targets.every(isGone))
			return refusalResult('not-allowed', goneText(question.targets));
		return { type: 'answered', question: complete };
	}

	return {
		ask(operation, ids, { openingKey, account, asksAnyway, starting, ...details } = {}) {
			setQuestion(undefined);
			const refusedNow = refuseIfBarred(operation);
			if (refusedNow) return refusedNow;
			const now = clock.now();
			const row = operationRowOf(operation);
			const { subject } = row;
			if (row.ownCommand?.on === 'one' && ids.length > 1)
				return refusalResult('not-allowed', runsOnOneText(row.label, ids.length));
			const capture = (startsStopped: boolean) =>
				subject === 'account'
					? { parts: createParts(accounts(), account), skipped: [] }
					: partsWithTargets(accounts(), operation, ids, details, now, startsStopped);
			const withoutStart = capture(false);
			const withStart = starting && capture(true);
			const countOf = ({ parts }: { parts: readonly QuestionPart[] }) =>
				parts.reduce((count, { targets }) => count + targets.length, 0);
			const startableCount = withStart ? countOf(withStart) - countOf(withoutStart) : 0;
			// If all are stopped, there is nothing else to ask for.
			const isChosen = starting === 'chosen' || countOf(withoutStart) === 0;
			const { parts, skipped } = (isChosen && withStart) || withoutStart;
			if (parts.length === 0)
				return subject === 'account'
					? accountRefusal
					: refusalWithoutTargets(skipped, { operation, port: details.port });
			const allowed = strictnessOf(
				row,
				countOf({ parts }),
				parts.map(({ profile: { isProduction }, questionStrictness }) => {
					return { setting: questionStrictness?.[operation], isProduction };
				}),
			);
			const strictness = allowed === 'off' && asksAnyway && row.changes ? 'ask' : allowed;
			const question = buildQuestion({
				id: createId(),
				operation,
				parts,
				skipped,
				details,
				strictness,
				starting: startableCount > 0 ? (isChosen ? 'chosen' : 'offered') : undefined,
				openingKey,
				namesAccount: accounts().length > 1,
				now,
			});
			if (strictness === 'off') return { type: 'answered', question };
			setQuestion(question);
			return { type: 'question', question };
		},
		answer,
		close: () => setQuestion(undefined),
	};
}

function goneText(targets: readonly Target[]): string {
	const [only] = targets;
	const who =
		targets.length === 1 && only ? `${only.name} no longer exists` : 'None of them exists';
	return `${who}: nothing was sent`;
}

const runsOnOneText = (label: string, count: number) =>
	`${label} runs on one computer at a time, and ${count} are marked. Esc unmarks them`;

const accountRefusal = refusalResult('read-only', 'Read-only: nothing can be changed here');

/** Returns the accounts in which a computer can be created. The chosen one, which a person can change, comes first. */
function createParts(
	accounts: readonly AccountOperations[],
	chosen: string | undefined,
): readonly QuestionPart[] {
	const isChosen = ({ profile }: AccountOperations) => profile.account === chosen;
	return accounts
		.filter(({ profile }) => !profile.isReadOnly)
		.toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
		.map(each => partOf(each, []));
}

/**
 * Captures the computers that accept the operation, grouped by account. Computers of read-only accounts are skipped.
 */
function partsWithTargets(
	accounts: readonly AccountOperations[],
	operation: OperationId,
	globalIds: readonly GlobalId[],
	details: OperationDetails,
	now: number,
	startsStopped: boolean,
): { parts: readonly QuestionPart[]; skipped: readonly SkippedTarget[] } {
	const parts: QuestionPart[] = [];
	const skipped: SkippedTarget[] = [];
	for (const each of accounts) {
		const { profile, accountStore, pending } = each;
		const { account, name, isReadOnly } = profile;
		const ids = idsWithin(account, globalIds);
		if (ids.length === 0) continue;
		const state = accountStore.state();
		if (isReadOnly && operationRowOf(operation).changes) {
			const reason = `${name} is read-only`;
			const nameOf = (id: string) => computerNameOf(state.computers.get(id)) ?? id;
			skipped.push(...ids.map(id => ({ account, id, name: nameOf(id), reason })));
			continue;
		}
		const queued = pending.operationsOutsideStore();
		const { publicAddress } = each.platform;
		const values = { accountName: name, publicAddress };
		const captured = captureTargets(
			{ account, state, ...values },
			operation,
			ids,
			details,
			now,
			queued,
		);
		const started = startsStopped
			? startableTargets({ account, state, ...values }, operation, captured, now, queued)
			: [];
		skipped.push(...captured.skipped.filter(({ id }) => !started.some(each => each.id === id)));
		const targets = [...captured.targets, ...started];
		if (targets.length > 0) parts.push(partOf(each, targets));
	}
	return { parts, skipped };
}

/** Returns the computers that only have to be started to accept the operation. */
function startableTargets(
	source: Parameters<typeof captureTargets>[0],
	operation: OperationId,
	{ skipped }: CapturedTargets,
	now: number,
	queued: Parameters<typeof captureTargets>[5],
): readonly Target[] {
	const { computers } = source.state;
	const ids = skipped.flatMap(({ id }) => {
		const computer = computers.get(id);
		if (computer?.phase !== 'stopped') return [];
		const started = { ...computer, phase: 'active' } as const;
		return obstacleTo(source.state, operation, started, {}) === undefined ? [id] : [];
	});
	return captureTargets(source, 'start', ids, {}, now, queued).targets.map(target => {
		return { ...target, startsFirst: true };
	});
}

function partOf(
	{ profile, accountStore, limiter, commandOptions = [], questionStrictness }: AccountOperations,
	targets: QuestionPart['targets'],
): QuestionPart {
	const state = accountStore.state();
	const slots = limiter.slots();
	return { profile, state, targets, slots, commandOptions, questionStrictness };
}

function refusalWithoutTargets(skipped: readonly SkippedTarget[], refused: RefusedOperation) {
	const message =
		skipped.length > 0 ? 'No computer accepts the operation' : 'No computer is selected';
	return refusalResult('not-allowed', message, skipped, refused);
}

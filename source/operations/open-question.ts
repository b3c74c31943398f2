import type { StoreApi } from 'zustand/vanilla';
import { type GlobalId, idsWithin } from '../fleet/computers/global-id.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import type { OperationDetails, Target } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Strictness } from '../fleet/operations/preferences.ts';
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
import { captureTargets, computerNameOf } from './targets.ts';

type Refused = Extract<AskResult, { type: 'refused' }>;

/** Every step of the question has an answer, so its operations may begin. */
export type AnsweredQuestion = { type: 'answered'; question: Question };

export type AskOptions = OperationDetails & {
	openingKey?: string | undefined;
	/** The account in which a new computer is created, if there are several accounts. */
	account?: string | undefined;
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
		ask(operation, ids, { openingKey, account, ...details } = {}) {
			setQuestion(undefined);
			const refusedNow = refuseIfBarred(operation);
			if (refusedNow) return refusedNow;
			const now = clock.now();
			const row = operationRowOf(operation);
			const { subject, isQuestionOptional } = row;
			if (row.ownCommand?.on === 'one' && ids.length > 1)
				return refusalResult('not-allowed', runsOnOneText(row.label, ids.length));
			const { parts, skipped } =
				subject === 'account'
					? { parts: createParts(accounts(), account), skipped: [] }
					: partsWithTargets(accounts(), operation, ids, details, now);
			if (parts.length === 0)
				return subject === 'account'
					? accountRefusal
					: refusalWithoutTargets(skipped, { operation, port: details.port });
			const strictness =
				strictestOf(parts, operation) ?? (row.isUsuallyUnasked ? 'off' : undefined);
			const question = buildQuestion({
				id: createId(),
				operation,
				parts,
				skipped,
				details,
				strictness,
				openingKey,
				namesAccount: accounts().length > 1,
				now,
			});
			const canSkipQuestion = question.targets.length === 1 || !row.changes;
			if (isQuestionOptional && strictness === 'off' && canSkipQuestion)
				return { type: 'answered', question };
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
		skipped.push(...captured.skipped);
		if (captured.targets.length > 0) parts.push(partOf(each, captured.targets));
	}
	return { parts, skipped };
}

function partOf(
	{ profile, accountStore, pace, commandOptions = [], questionStrictness }: AccountOperations,
	targets: QuestionPart['targets'],
): QuestionPart {
	const state = accountStore.state();
	const budgets = pace.budgets();
	return { profile, state, targets, budgets, commandOptions, questionStrictness };
}

const strictnesses: readonly (Strictness | undefined)[] = ['type', 'ask', undefined, 'off'];

/** Returns the strictest rule of the accounts that a question is about. */
function strictestOf(
	parts: readonly QuestionPart[],
	operation: OperationId,
): Strictness | undefined {
	const all = parts.map(({ questionStrictness }) => questionStrictness?.[operation]);
	return strictnesses.find(strictness => all.includes(strictness));
}

function refusalWithoutTargets(skipped: readonly SkippedTarget[], refused: RefusedOperation) {
	const message =
		skipped.length > 0 ? 'No computer accepts the operation' : 'No computer is selected';
	return refusalResult('not-allowed', message, skipped, refused);
}

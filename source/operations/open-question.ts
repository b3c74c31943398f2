import type { Clock } from '../fleet/clock.ts';
import type { OperationId } from '../fleet/operation.ts';
import type { OperationDetails, SkippedComputer } from '../fleet/operation-row.ts';
import { operationRowOf } from '../fleet/operation-table.ts';
import type { QuestionStrictness } from '../fleet/preferences.ts';
import type { Pace } from '../pace/pace.ts';
import type { AccountStore } from './account-store.ts';
import { buildQuestion } from './build-question.ts';
import { isAnswered, type Question } from './question.ts';
import {
	type AnswerResult,
	type AskResult,
	type Refusal,
	refusalResult,
	skippedText,
} from './refusal.ts';
import { type CapturedTargets, captureTargets } from './targets.ts';

/** The one question that may be open, until it is answered or closed. */
type OpenQuestion = {
	ask(
		operation: OperationId,
		ids: readonly string[],
		options?: OperationDetails & { askedWith?: string | undefined },
	): AskResult;
	/** Confirms the open question with these answers, and starts its operations. */
	answer(question: Question): AnswerResult;
	current(): Question | undefined;
	close(): void;
};

type OpenQuestionOptions = {
	accountStore: AccountStore;
	pace: Pick<Pace, 'budgets'>;
	clock: Clock;
	createId: () => string;
	strictnessByOperation: QuestionStrictness;
	commandOptions: readonly string[];
	hiddenOperations: () => ReadonlyMap<string, OperationId>;
	/** Returns why no computer may be changed right now. */
	refusalNow: () => Pick<Refusal, 'reason' | 'message'> | undefined;
	begin: (question: Question) => AnswerResult;
	onChange: () => void;
};

const noCapturedTargets: CapturedTargets = { targets: [], skipped: [] };

/** The function is over 60 lines because its calls all change the same open question. */
export function createOpenQuestion(options: OpenQuestionOptions): OpenQuestion {
	const { accountStore, pace, clock, createId, strictnessByOperation, commandOptions } = options;
	const { hiddenOperations, refusalNow, begin, onChange } = options;
	let question: Question | undefined;

	function setQuestion(next: Question | undefined) {
		if (next === question) return;
		question = next;
		onChange();
	}

	/** Closes the question when changes are no longer allowed. */
	function refuseIfBarred() {
		const refusal = refusalNow();
		if (!refusal) return undefined;
		setQuestion(undefined);
		return refusalResult(refusal.reason, refusal.message);
	}

	function ask(
		operation: OperationId,
		ids: readonly string[],
		{ askedWith, ...details }: OperationDetails & { askedWith?: string | undefined } = {},
	): AskResult {
		setQuestion(undefined);
		const refusedNow = refuseIfBarred();
		if (refusedNow) return refusedNow;
		const now = clock.now();
		const account = accountStore.state();
		const { subject, isQuestionOptional } = operationRowOf(operation);
		const hasTargets = subject !== 'account';
		const captured = hasTargets
			? captureTargets(account, operation, ids, details, now, hiddenOperations())
			: noCapturedTargets;
		const count = captured.targets.length;
		if (hasTargets && count === 0) return refusalWithoutTargets(operation, captured.skipped);
		const strictness = strictnessByOperation[operation];
		const next = buildQuestion({
			id: createId(),
			account,
			operation,
			capturedTargets: captured,
			details,
			strictness,
			askedWith,
			commandOptions: commandOptions,
			budgets: pace.budgets(),
			now,
		});
		if (isQuestionOptional && strictness === 'off' && count === 1) return begin(next);
		setQuestion(next);
		return { type: 'question', question: next };
	}

	function answer(answered: Question): AnswerResult {
		const refusedNow = refuseIfBarred();
		if (refusedNow) return refusedNow;
		if (question?.id !== answered.id)
			return refusalResult('no-answer', 'The question is no longer open');
		// Only the answers are taken from the caller's question. The targets stay as they were captured here.
		const complete = { ...question, answers: answered.answers };
		if (!isAnswered(complete))
			return refusalResult('no-answer', 'Some parts of the question are not answered yet');
		setQuestion(undefined);
		return begin(complete);
	}

	return {
		ask,
		answer,
		current: () => question,
		close: () => setQuestion(undefined),
	};
}

function refusalWithoutTargets(operation: OperationId, skipped: readonly SkippedComputer[]) {
	const { label } = operationRowOf(operation);
	if (skipped.length > 0)
		return refusalResult('not-allowed', `${label} ${skippedText(skipped)}`, skipped);
	return refusalResult('not-allowed', 'No computer is selected');
}

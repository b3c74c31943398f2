import type { OperationId } from '../fleet/operations/operation.ts';
import type { OperationDetails, SkippedComputer } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { buildQuestion } from './build-question.ts';
import type { OperationsDeps } from './operations-options.ts';
import { isAnswered, type Question } from './question.ts';
import { type AskResult, refusalResult } from './refusal.ts';
import { type CapturedTargets, captureTargets } from './targets.ts';

type Refused = Extract<AskResult, { type: 'refused' }>;

/** Every step of the question has an answer, so its operations may begin. */
export type Answered = { type: 'answered'; question: Question };

/** The one question that may be open, until it is answered or closed. */
type OpenQuestion = {
	ask(
		operation: OperationId,
		ids: readonly string[],
		options?: OperationDetails & { openingKey?: string | undefined },
	): Exclude<AskResult, { type: 'begun' }> | Answered;
	/** Confirms the open question with these answers. */
	answer(question: Question): Refused | Answered;
	close(): void;
};

const noCapturedTargets: CapturedTargets = { targets: [], skipped: [] };

/** The function is over 60 lines because its calls all change the same open question. */
export function createOpenQuestion(deps: OperationsDeps): OpenQuestion {
	const { accountStore, pending, policy, state, pace, clock, createId } = deps;
	const { questionStrictness = {}, commandOptions = [] } = deps;

	function setQuestion(question: Question | undefined) {
		if (question !== state.getState().question) state.setState({ question });
	}

	/** Closes the question when changes are no longer allowed. */
	function refuseIfBarred(): Refused | undefined {
		const refusal = policy.refusalNow();
		if (!refusal) return undefined;
		setQuestion(undefined);
		return refusalResult(refusal.reason, refusal.message);
	}

	function answer(answered: Question): Refused | Answered {
		const refusedNow = refuseIfBarred();
		if (refusedNow) return refusedNow;
		const { question } = state.getState();
		if (question?.id !== answered.id)
			return refusalResult('no-answer', 'The question is no longer open');
		// Only the answers are taken from the caller's question. The targets stay as they were captured here.
		const complete = { ...question, answers: answered.answers };
		if (!isAnswered(complete))
			return refusalResult('no-answer', 'Some parts of the question are not answered yet');
		setQuestion(undefined);
		return { type: 'answered', question: complete };
	}

	return {
		ask(operation, ids, { openingKey, ...details } = {}) {
			setQuestion(undefined);
			const refusedNow = refuseIfBarred();
			if (refusedNow) return refusedNow;
			const now = clock.now();
			const account = accountStore.state();
			const { subject, isQuestionOptional } = operationRowOf(operation);
			const hasTargets = subject !== 'account';
			const captured = hasTargets
				? captureTargets(account, operation, ids, details, now, pending.operationsOutsideStore())
				: noCapturedTargets;
			const count = captured.targets.length;
			if (hasTargets && count === 0) return refusalWithoutTargets(captured.skipped);
			const strictness = questionStrictness[operation];
			const question = buildQuestion({
				id: createId(),
				account,
				operation,
				capturedTargets: captured,
				details,
				strictness,
				openingKey,
				commandOptions,
				budgets: pace.budgets(),
				now,
			});
			if (isQuestionOptional && strictness === 'off' && count === 1)
				return { type: 'answered', question };
			setQuestion(question);
			return { type: 'question', question };
		},
		answer,
		close: () => setQuestion(undefined),
	};
}

function refusalWithoutTargets(skipped: readonly SkippedComputer[]) {
	const message =
		skipped.length > 0 ? 'No computer accepts the operation' : 'No computer is selected';
	return refusalResult('not-allowed', message, skipped);
}

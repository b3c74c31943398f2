import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import type { OperationDetails, Target } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { QuestionStrictness } from '../fleet/operations/preferences.ts';
import type { Strictness } from '../fleet/operations/strictness.ts';
import { strictnessRows } from '../fleet/operations/strictness.ts';
import { memoize } from '../foundation/memoize.ts';
import type { Slots } from '../limits/slots.ts';
import type { AccountState } from '../store/state.ts';
import {
	buildPortStep,
	currentStepOf,
	type Question,
	type QuestionStep,
	withAnswers,
} from './question.ts';
import { computerNameOf } from './targets.ts';

/** The part of a question that concerns one of its accounts. */
export type QuestionPart = {
	profile: AccountProfile;
	state: AccountState;
	/** The computers of the account that the operation applies to. */
	targets: readonly Target[];
	slots: Readonly<Record<'create' | 'other', Slots>>;
	commandOptions: readonly string[];
	questionStrictness: QuestionStrictness | undefined;
};

type StepOptions = {
	operation: OperationId;
	parts: readonly QuestionPart[];
	strictness: Strictness;
};

/** Returns what a person has to answer before the operation begins. */
export function stepsOf(
	{ operation, parts, strictness }: StepOptions,
	targets: readonly Target[],
	details: OperationDetails,
): readonly QuestionStep[] {
	const { subject } = operationRowOf(operation);
	const needsPort = subject === 'port' && details.port === undefined;
	return [
		...(subject === 'account' ? buildCreateSteps(parts, details) : []),
		...(needsPort ? [buildPortStep(operation, targets)] : []),
		strictnessRows[strictness].isTyped
			? buildTypedStep(operation, targets, parts)
			: buildYesStep(operation, targets),
	];
}

// A longer name is never shown in full, so a person could not type it. The id is typed instead.
const maxTypedNameLength = 40;

/**
 * Builds the step in which a person types the name of the computer, or how many computers there are. If several
 * computers share the name, the id is typed instead. In production, the name of the profile is typed as well.
 */
function buildTypedStep(
	operation: OperationId,
	targets: readonly Target[],
	parts: readonly QuestionPart[],
): QuestionStep {
	const production = parts
		.filter(({ profile }) => profile.isProduction)
		.map(({ profile }) => profile.name);
	const [only] = targets;
	const isOne = targets.length < 2;
	const subjects = only ? [isOne ? typedNameOf(only, parts) : `${targets.length}`] : [];
	const isNameEnough = isOne && only !== undefined && production.length === 0;
	const { commandName } = operationRowOf(operation);
	const words = isNameEnough ? subjects : [commandName, ...subjects, ...production];
	const expected = words.join(' ');
	const { questionLabel = operation } = operationRowOf(operation);
	const verb = `${questionLabel.slice(0, 1).toLowerCase()}${questionLabel.slice(1)}`;
	const prompt = `Type ${expected} to ${verb} ${isOne ? 'it' : 'them'}:`;
	return { kind: 'typed', expectedText: expected, prompt };
}

function typedNameOf({ id, name }: Target, [part]: readonly QuestionPart[]): string {
	const isNamed = part && uniqueNamesOf(part.state).has(name) && name.length <= maxTypedNameLength;
	return isNamed ? name : id;
}

function buildYesStep(operation: OperationId, targets: readonly Target[]): QuestionStep {
	const them = targets.length > 1 ? 'them' : 'it';
	const { label, questionLabel = label } = operationRowOf(operation);
	return { kind: 'yes', prompt: `${questionLabel} ${them}?` };
}

const usualProvider = 'opensandbox';

// No step asks for a name on platforms whose computers have no names.
function buildCreateSteps(
	parts: readonly QuestionPart[],
	details: OperationDetails,
): readonly QuestionStep[] {
	const all = parts.flatMap(({ state }) => [...state.computers.values()]);
	const hasNames = all.length === 0 || all.some(({ reading }) => Boolean(reading.name));
	const name: QuestionStep = {
		kind: 'text',
		field: 'name',
		initialText: details.name ?? '',
		prompt: 'Name (optional):',
	};
	const provider: QuestionStep = {
		kind: 'text',
		field: 'provider',
		initialText: details.provider ?? usualProvider,
		prompt: 'Provider:',
	};
	const [first, ...others] = parts.map(({ profile }) => profile.name);
	const names = [first, ...others].filter(each => each !== undefined);
	const account: readonly QuestionStep[] =
		others.length > 0
			? [
					{
						kind: 'account',
						initialText: first ?? '',
						names,
						prompt: `Account (${names.join(', ')}):`,
					},
				]
			: [];
	// The platform documents only one provider. So the provider is asked for only if a computer has another one.
	const usesAnother = all.some(
		({ reading }) => reading.provider && reading.provider !== usualProvider,
	);
	const hasProvider = details.provider !== undefined || usesAnother;
	return [...account, ...(hasNames ? [name] : []), ...(hasProvider ? [provider] : [])];
}

/** Returns the names that only one computer of the account has. */
export const uniqueNamesOf = ({ computers }: AccountState): ReadonlySet<string> =>
	uniqueNamesIn(computers);

const uniqueNamesIn = memoize((computers: AccountState['computers']): ReadonlySet<string> => {
	const counts = new Map<string, number>();
	for (const computer of computers.values()) {
		const name = computerNameOf(computer);
		if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return new Set([...counts].filter(([, count]) => count === 1).map(([name]) => name));
});

/**
 * Returns the question with the typed text as the answer to its current step. The answer to a confirmation changes
 * nothing in the question.
 */
export function withTypedAnswer(question: Question, typed: string): Question {
	const step = currentStepOf(question);
	const isDetail = step?.kind === 'text' || step?.kind === 'port' || step?.kind === 'account';
	return isDetail ? withAnswers(question, [...question.answers, typed]) : question;
}

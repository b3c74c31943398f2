import type { Span } from '../../drawing/span.ts';
import { accountTone, type Tone } from '../../drawing/theme.ts';
import { timeTextWithSeconds } from '../../drawing/time-text.ts';
import { type GlobalId, globalIdOf } from '../../fleet/computers/global-id.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Binding } from '../../keys/binding.ts';
import type { OpenDialog } from '../../keys/open-dialog.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import { targetChangesIn } from '../../operations/question.ts';
import {
	chosenAccountsOf,
	detailsOf,
	nameWithId,
	type Question,
	questionTitle,
	shortenedCommandsOf,
	startsFirst,
	withTypedAnswer,
} from '../../operations/question-wording.ts';
import { isTable, type Screen } from '../../screen/screen.ts';
import { outageOf } from '../../store/freshness.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import { adviceForError } from '../phrases/error-advice.ts';
import { skippedLines } from '../phrases/outcome-text.ts';
import type { Dialog } from './dialog-text.ts';
import { dialogHints } from './key-line.ts';
import { typedPrompt } from './typed-prompt.ts';

/** Builds the dialog for a question about an operation. */
export function questionDialog(
	{
		question,
		step,
		entry,
	}: Pick<Extract<OpenDialog, { kind: 'question' }>, 'question' | 'step' | 'entry'>,
	accounts: readonly OpenedAccount[],
	tableView: TableView,
	bindings: readonly Binding[],
): Dialog {
	const { operation, lines, consequence, skipped } = question;
	const isTyped = step !== undefined && step.kind !== 'yes';
	const token: Tone = operationRowOf(operation).asks === 'type' ? 'bad' : 'accent';
	const first = [
		...outageWarnings(question, accounts, question.openedAt),
		...hiddenTargetWarnings(question, tableView),
		...sameNameWarnings(question, accounts),
	].map((line): Span => [line, 'busy']);
	return {
		title: questionTitle(question),
		tone: token,
		lines: [
			...first,
			...lines.map((line): Span => [line, lineToneOf(question, line)]),
			...errorLines(question),
			...nameRemark(question),
			...accountSpans(question),
			...skippedLines(skipped).map((line): Span => [line, 'busy']),
			...startChoice(question, bindings),
		],
		essential: {
			lineCount: first.length + consequence.lineCount,
			short: [...first, ...consequence.short.map((line): Span => [line])],
		},
		commands: shortenedCommandsOf(withTypedAnswer(question, entry.line.text)),
		problem: entry.problem,
		news: newsText(question, accounts, tableView.now),
		prompt: isTyped ? typedPrompt(step, entry) : [],
		typed: isTyped ? [entry.line, 'strong'] : undefined,
		hints: questionHints(question, isTyped, bindings),
	};
}

/**
 * Repeats why a computer is in error, because a person needs to know that for the answer. A question whose answer may
 * make the computer run again also says what may help; in a question about a deletion, "Restart it" would confuse.
 */
function errorLines({ operation, targets: [only, ...others] }: Question): readonly Span[] {
	if (only?.phase !== 'error' || others.length > 0) return [];
	const { error } = only;
	const { goal } = operationRowOf(operation);
	const mayHelp = goal.reaches === 'newStart' || goal.reaches === 'phase';
	if (error === undefined) return [['The reason of its error is not read yet.', 'busy']];
	return [
		...(error === null ? [] : [[error, 'bad'] as const]),
		...(mayHelp ? [[adviceForError(only), 'faint'] as const] : []),
	];
}

/** Warns that another computer has the name of the target, or of the computer to be created. */
function sameNameWarnings(
	question: Question,
	accounts: readonly OpenedAccount[],
): readonly string[] {
	const [only, ...others] = question.targets;
	if (only && others.length === 0 && nameWithId(only, question) !== only.name)
		return [`Another computer is called ${only.name}, too. This is ${only.id}.`];
	const { name } = detailsOf(question);
	if (only || name === undefined) return [];
	const isTaken = chosenAccountsOf(question).some(({ profile: { account } }) => {
		const computers = accountOfRow(accounts, { account })?.state.computers.values() ?? [];
		return [...computers].some(({ reading }) => reading.name === name);
	});
	return isTaken ? [`A computer called ${name} exists already.`] : [];
}

/** Warns about an unusual name for a new computer, because the platform does not document which names it accepts. */
function nameRemark(question: Question): readonly Span[] {
	const { name = '' } = detailsOf(question);
	// Names of letters, digits, points and hyphens work almost everywhere.
	if (name === '' || /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name)) return [];
	return [['The platform may refuse a name with blanks or signs.', 'busy']];
}

/** Names the account that a question is about, if the table has several accounts. */
function accountSpans({ accounts, namesAccount }: Question): readonly Span[] {
	const [account, ...others] = accounts;
	if (!namesAccount || !account || others.length > 0) return [];
	const { name, colour, isProduction } = account.profile;
	return [[`Account ${name}${isProduction ? ' (production)' : ''}`, accountTone(colour)]];
}

// Lists the accounts that a question is about, a line for each account. An account may have further lines.
function lineToneOf({ accounts }: Question, line: string): Tone | undefined {
	if (accounts.length < 2) return undefined;
	const account = accounts.find(({ profile }) => line.startsWith(`${profile.name}: `));
	return account && accountTone(account.profile.colour);
}

/** Names the key that starts the stopped computers first, or leaves them out again. */
function startChoice(
	{ starting, targets }: Question,
	bindings: readonly Binding[],
): readonly Span[] {
	const key = shownKeyOf(bindings, 'startFirst');
	if (!starting || key === undefined || targets.every(startsFirst)) return [];
	const effect =
		starting === 'chosen'
			? 'leaves out those that are stopped'
			: 'also starts and updates those that are stopped';
	return [[`${key} ${effect}.`, 'accent']];
}

function questionHints(
	question: Question,
	isTyped: boolean,
	bindings: readonly Binding[],
): readonly string[] {
	const { operation, steps, answers, openingKey } = question;
	const isLast = answers.length === steps.length - 1;
	return dialogHints(bindings, {
		answeredBy: isTyped ? 'typing' : 'letter',
		openingKey,
		accept: isTyped && !isLast ? 'continues' : operationRowOf(operation).verbInHelp,
		goesBack: answers.length > 0,
		copiesCommand: true,
	});
}

/** What is on screen behind a question: the view, the filter and the computers. */
export type TableView = {
	screen: Pick<Screen, 'view' | 'filters'>;
	ids: readonly GlobalId[];
	/** The rows that are on screen although the filter hides them. */
	keptIds?: ReadonlySet<GlobalId>;
	now: number;
};

// Warns that a question may be based on outdated data, because the platform does not answer.
function outageWarnings(
	question: Question,
	accounts: readonly OpenedAccount[],
	now: number,
): readonly string[] {
	return question.accounts.flatMap(({ profile: { account, name } }) => {
		const state = accountOfRow(accounts, { account })?.state;
		const outage = state && outageOf(state, now);
		if (!outage) return [];
		const platform = question.namesAccount ? `The platform of ${name}` : 'The platform';
		const { lastAnswerAt } = outage;
		if (lastAnswerAt === undefined)
			return [`${platform} has not answered yet, so this question may be based on old data.`];
		const time = timeTextWithSeconds(lastAnswerAt, now);
		return [
			`${platform} has not answered since ${time}. This question is based on data from then.`,
		];
	});
}

// Warns if the filter hides marked computers, because marks stay when the filter changes. In other views
// than the table of computers, no filter hides them.
function hiddenTargetWarnings(
	{ targets }: Question,
	{ screen, ids, keptIds }: TableView,
): readonly string[] {
	if (!isTable(screen) || screen.filters.fleet === '') return [];
	const hidden = countHiddenTargets(targets, ids, keptIds);
	if (hidden === 0) return [];
	const allText = targets.length === 1 ? 'The computer is' : 'All of these computers are';
	const someText = `${hidden} of these computers ${hidden === 1 ? 'is' : 'are'}`;
	return [`${hidden === targets.length ? allText : someText} hidden by the filter.`];
}

// A question may have ten thousand targets, and it is drawn with every answer and every second.
const countHiddenTargets = memoize(
	(targets: Question['targets'], ids: TableView['ids'], keptIds: TableView['keptIds']): number => {
		const shown = new Set(ids);
		const isHidden = (id: GlobalId) => !shown.has(id) || keptIds?.has(id);
		return targets.filter(({ account, id }) => isHidden(globalIdOf(account, id))).length;
	},
);

/** The states of the accounts of a question, in the order of its accounts. */
type StatesOfQuestion = readonly (OpenedAccount['state'] | undefined)[];

const changesOfTargets = memoize(
	(
		question: Pick<Question, 'targets' | 'accounts' | 'operation'>,
		...states: StatesOfQuestion
	): ReturnType<typeof targetChangesIn> => {
		const stateByAccount = new Map(
			question.accounts.map(({ profile }, place) => [profile.account, states[place]]),
		);
		return targetChangesIn(question, account => stateByAccount.get(account));
	},
);

/** Says what has changed since the question opened; empty if nothing has. */
function newsText(question: Question, accounts: readonly OpenedAccount[], now: number): string {
	const states = question.accounts.map(
		({ profile: { account } }) => accountOfRow(accounts, { account })?.state,
	);
	const [first, ...others] = changesOfTargets(question, ...states);
	if (first) {
		const more = others.length === 0 ? '' : ` ${others.length} more have changed.`;
		return `Meanwhile ${first.name} ${first.description}.${more}`;
	}
	const wasSilent = outageWarnings(question, accounts, question.openedAt).length > 0;
	return wasSilent ? '' : (outageWarnings(question, accounts, now)[0] ?? '');
}

import { globalIdOf } from '../../fleet/computers/global-id.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Span } from '../../lines/span.ts';
import { accountTone, type Tone } from '../../lines/theme.ts';
import { timeTextWithSeconds } from '../../lines/time-text.ts';
import { targetChangesIn } from '../../operations/question.ts';
import {
	chosenAccountsOf,
	detailsOf,
	nameWithId,
	type Question,
	questionTitle,
	shownCommandOf,
	startsFirst,
	withTypedAnswer,
} from '../../operations/question-wording.ts';
import { outageOf } from '../../store/freshness.ts';
import { accountOfRow } from '../../store/opened-accounts.ts';
import { shownKeyOf } from '../actions/shown-keys.ts';
import { adviceForError } from '../phrases/error-advice.ts';
import { skippedLines } from '../phrases/outcome.ts';
import { historyPrompt } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';
import { type Dialog, keyHints, letterHints } from './dialog.ts';
import type { OpenDialog } from './dialog-table.ts';

type OpenQuestion = Extract<OpenDialog, { kind: 'question' }>;

export function questionDialog(open: OpenQuestion, scene: Scene): Dialog {
	const { question, step, entry } = open;
	const { operation, lines, consequence, skipped } = question;
	const isTyped = step !== undefined && step.kind !== 'yes';
	const warnings = [
		...outageWarnings(question, scene, question.openedAt),
		...hiddenTargetWarnings(question, scene),
		...sameNameWarnings(question, scene),
	].map((line): Span => [line, 'busy']);
	return {
		title: questionTitle(question),
		tone: operationRowOf(operation).asks === 'type' ? 'bad' : 'accent',
		lines: [
			...warnings,
			...lines.map((line): Span => [line, lineToneOf(question, line)]),
			...errorLines(question),
			...nameRemark(question),
			...accountLine(question),
			...skippedLines(skipped).map((line): Span => [line, 'busy']),
			...startChoice(question, scene),
		],
		essential: {
			lineCount: warnings.length + consequence.lineCount,
			short: [...warnings, ...consequence.short.map((line): Span => [line])],
		},
		command: shownCommandOf(withTypedAnswer(question, entry.line.text)),
		problem: entry.problem,
		news: newsText(question, scene),
		prompt: isTyped ? promptOf(open) : undefined,
		typed: isTyped ? { ...entry.line, tone: 'strong' } : undefined,
		hints: questionHints(question, isTyped, scene),
	};
}

/** The text that confirms is highlighted, because it must be copied letter by letter. */
function promptOf({ step, entry: { assist } }: OpenQuestion): readonly Span[] {
	const { prompt = '' } = step ?? {};
	const expected = step?.kind === 'typed' ? step.expectedText : '';
	const at = expected === '' ? -1 : prompt.indexOf(expected);
	const spans: readonly Span[] =
		at < 0
			? [[`${prompt} `]]
			: [[prompt.slice(0, at)], [expected, 'chosen'], [`${prompt.slice(at + expected.length)} `]];
	return assist?.kind === 'search' ? historyPrompt(assist, spans) : spans;
}

/** A person needs the reason of an error for the answer. In a question about a deletion, "Restart it" would confuse. */
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

function sameNameWarnings(question: Question, { accounts }: Scene): readonly string[] {
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

/** The platform does not document which names it accepts. */
function nameRemark(question: Question): readonly Span[] {
	const { name = '' } = detailsOf(question);
	// Names of letters, digits, points and hyphens work almost everywhere.
	if (name === '' || /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name)) return [];
	return [['The platform may refuse a name with blanks or signs.', 'busy']];
}

function accountLine({ accounts, namesAccount }: Question): readonly Span[] {
	const [account, ...others] = accounts;
	if (!namesAccount || !account || others.length > 0) return [];
	const { name, colour, isProduction } = account.profile;
	return [[`Account ${name}${isProduction ? ' (production)' : ''}`, accountTone(colour)]];
}

/** With several accounts, a line about one of them begins with its name. */
function lineToneOf({ accounts }: Question, line: string): Tone | undefined {
	if (accounts.length < 2) return undefined;
	const account = accounts.find(({ profile }) => line.startsWith(`${profile.name}: `));
	return account && accountTone(account.profile.colour);
}

function startChoice({ starting, targets }: Question, { actions }: Scene): readonly Span[] {
	const key = shownKeyOf(actions, 'startFirst');
	if (!starting || key === undefined || targets.every(startsFirst)) return [];
	const effect =
		starting === 'chosen'
			? 'leaves out those that are stopped'
			: 'also starts and updates those that are stopped';
	return [[`${key} ${effect}.`, 'accent']];
}

function questionHints(
	{ operation, steps, answers, openingKey }: Question,
	isTyped: boolean,
	{ actions }: Scene,
): readonly string[] {
	const { verbInHelp } = operationRowOf(operation);
	const isLast = answers.length === steps.length - 1;
	const goesBack = answers.length > 0 ? (['closeDialog', 'goes back'] as const) : undefined;
	if (!isTyped)
		return letterHints(actions, openingKey, verbInHelp, 'cancels', [
			...(goesBack ? [goesBack] : []),
			['copyCommand', 'copies the command'],
		]);
	return keyHints(actions, [
		['submit', isLast ? verbInHelp : 'continues'],
		goesBack ?? ['closeDialog', 'cancels'],
		['copyTypedCommand', 'copies the command'],
	]);
}

function outageWarnings(question: Question, { accounts }: Scene, now: number): readonly string[] {
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

/** Marks stay when the filter changes. */
function hiddenTargetWarnings({ targets }: Question, scene: Scene): readonly string[] {
	const { passingWhenAsked: passing } = scene.screen;
	const hidden = targets.filter(
		({ account, id }) => passing?.has(globalIdOf(account, id)) === false,
	).length;
	if (hidden === 0) return [];
	const allText = targets.length === 1 ? 'The computer is' : 'All of these computers are';
	const someText = `${hidden} of these computers ${hidden === 1 ? 'is' : 'are'}`;
	return [`${hidden === targets.length ? allText : someText} hidden by the filter.`];
}

/** Empty if nothing has changed since the question opened. */
function newsText(question: Question, scene: Scene): string {
	const { accounts, now } = scene;
	const [first, ...others] = targetChangesIn(
		question,
		account => accountOfRow(accounts, { account: account ?? '' })?.state,
	);
	if (first) {
		const more = others.length === 0 ? '' : ` ${others.length} more have changed.`;
		return `Meanwhile ${first.name} ${first.description}.${more}`;
	}
	const wasSilent = outageWarnings(question, scene, question.openedAt).length > 0;
	return wasSilent ? '' : (outageWarnings(question, scene, now)[0] ?? '');
}

import type { PasswordPrompt } from '../../accounts/password-request.ts';
import { globalIdOf } from '../../fleet/computers/global-id.ts';
import type { Target } from '../../fleet/operations/operation-row.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { capitalized } from '../../foundation/letter-case.ts';
import type { Span } from '../../lines/span.ts';
import { accountTone } from '../../lines/theme.ts';
import { timeTextWithSeconds } from '../../lines/time-text.ts';
import { targetChangesIn } from '../../operations/question.ts';
import {
	chosenAccountsOf,
	currentStepOf,
	detailsOf,
	nameWithId,
	type Question,
	type QuestionStep,
	questionTitle,
	shownCommandOf,
	startsFirst,
	withTypedAnswer,
} from '../../operations/question-wording.ts';
import { isSignInFailure, outageOf } from '../../store/freshness.ts';
import { accountOfRow } from '../../store/selectors.ts';
import { isHeading } from '../look/cursor.ts';
import type { Confirmation } from '../look/screen.ts';
import { maskedLine, type TypedLine } from '../look/typed-line.ts';
import { adviceForError } from '../phrases/error-advice.ts';
import { skippedLines } from '../phrases/outcome.ts';
import { historyPrompt, signInAttemptText } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';
import { columnsBox } from './columns.ts';
import { type Box, type Dialog, dialogBox, type KeyHint, keyHints, letterHints } from './dialog.ts';
import type { DialogOf, OpenDialog } from './dialog-table.ts';
import { signInBox } from './sign-in-form.ts';

/** Undefined for a menu or a field without a box of its own, and for the help. */
export function openBox(open: OpenDialog, scene: Scene): Box | undefined {
	if (open.kind === 'signIn') return signInBox(open, scene);
	if (open.kind === 'columns') return columnsBox(open, scene);
	const dialog = openDialogText(open, scene);
	return dialog && dialogBox(dialog, scene.layout);
}

export function openDialogText(open: OpenDialog, scene: Scene): Dialog | undefined {
	switch (open.kind) {
		case 'confirmation':
			return confirmationDialog(open.confirmation, scene);
		case 'password':
			return passwordDialog(open.prompt, open.entry.line, scene);
		case 'question':
			return questionDialog(open, scene);
		case 'welcome':
			return welcomeDialog(scene);
		case 'signIn':
		case 'columns':
		case 'order':
		case 'palette':
		case 'filter':
		case 'help':
		case 'helpFilter':
			return undefined;
	}
}

function passwordDialog(prompt: PasswordPrompt, typed: TypedLine, { actions, now }: Scene): Dialog {
	const { profile, email, host, hasCommand, problem, refusedCount = 0, refusedAt = now } = prompt;
	const attempt = problem && signInAttemptText(problem, refusedCount, refusedAt, now);
	const runsCommand = ['passwordCommand', 'runs the password command.'] as const;
	return {
		title: `Sign in to ${profile ?? host}`,
		tone: 'accent',
		lines: [
			[`${email} at ${host}. The password is sent there once and never stored.`],
			...(attempt ? [[`${capitalized(attempt)}.`, 'bad'] as const] : []),
			...keyHints(actions, hasCommand ? [runsCommand] : []).map((hint): Span => [hint]),
		],
		prompt: [['Password: ']],
		typed: maskedLine(typed),
		hints: keyHints(actions, [
			['submit', 'signs in'],
			['closeDialog', 'stays signed out'],
		]),
	};
}

const welcomeDialog = ({ actions }: Scene): Dialog => ({
	title: 'Welcome to crowsnest',
	tone: 'accent',
	lines: [
		[
			'Watch a fleet of cloud computers: what each one is doing, how old the data is, ' +
				'and one key for every operation.',
		],
		['No account is set up yet. This is a demo: break whatever you like.', 'faint'],
		...keyHints(actions, [
			// In the demo, the cursor begins on a computer in error, which only a restart may help.
			['restart', 'restarts the computer under the cursor; it asks first'],
			['filter', 'filters the table, as in status:error'],
			['open', 'shows what happened to that computer'],
		]).map((hint): Span => [`· ${hint}`]),
	],
	hints: [...keyHints(actions, [['signIn', 'signs in']]), 'any other key closes this and acts'],
});

function confirmationDialog(confirmation: Confirmation, { exitSummary, actions }: Scene): Dialog {
	const { title, tone = 'busy', accept, refuse = 'cancels', ...rest } = confirmation;
	const { account, isQuit, equivalentCommand: command, openingKey } = rest;
	const lines = confirmation.lines(exitSummary(account)).filter(([text]) => text !== '');
	const copy = command === undefined ? [] : [['copyCommand', 'copies the command'] as const];
	return {
		title,
		tone,
		lines,
		// One can always quit.
		essentialCount: isQuit ? 0 : lines.length,
		command,
		hints: letterHints(actions, openingKey, accept, refuse, copy),
	};
}

function questionDialog({ question, step, entry }: DialogOf<'question'>, scene: Scene): Dialog {
	const { operation, lines, essentialCount, skipped } = question;
	const isTyped = step !== undefined && step.kind !== 'yes';
	const busy = (text: string): Span => [text, 'busy'];
	const warnings = [
		...outageWarnings(question, scene, question.openedAt),
		...hiddenTargetWarnings(question, scene),
		...sameNameWarnings(question, scene),
	].map(busy);
	const inputs = inputLines(question);
	const command = shownCommandOf(withTypedAnswer(question, entry.line.text));
	const { asks, ownCommand } = operationRowOf(operation);
	return {
		title: questionTitle(question),
		tone: asks === 'type' ? 'bad' : 'accent',
		lines: [
			...warnings,
			...inputs,
			...lines.map((line): Span => [line]),
			...errorLines(question),
			...nameRemarks(question).map(busy),
			...accountLines(question),
			...skippedLines(skipped).map(busy),
			...startChoice(question, scene),
			// What runs on this machine is not cut.
			...(ownCommand && command ? [[command, 'faint'] as const] : []),
		],
		essentialCount: warnings.length + inputs.length + essentialCount,
		command: ownCommand ? undefined : command,
		page: entry.page,
		more: keyHints(scene.actions, [['nextLines', 'shows the next']])[0],
		problem: entry.problem,
		news: newsText(question, scene),
		prompt: isTyped ? historyPrompt(entry.assist, promptOf(step)) : undefined,
		typed: isTyped ? { ...entry.line, tone: 'strong' } : undefined,
		hints: questionHints(question, isTyped, scene),
	};
}

/** The commands of several computers do not have the answers in them, and that of a single one may have no room. */
function inputLines(question: Question): readonly Span[] {
	const { inputs = [] } = detailsOf(question);
	return [...inputs].map(([name, answer]) => [`{${name}} is ${answer}`, 'strong']);
}

/** The text that confirms is highlighted, because it must be copied letter by letter. */
function promptOf(step: QuestionStep): readonly Span[] {
	const prompt = `${step.prompt} `;
	if (step.kind !== 'typed') return [[prompt]];
	const { expectedText } = step;
	const at = prompt.indexOf(expectedText);
	return [
		[prompt.slice(0, at)],
		[expectedText, 'chosen'],
		[prompt.slice(at + expectedText.length)],
	];
}

/** A person needs the reason of an error for the answer. In a question about a deletion, "Restart it" would confuse. */
function errorLines({ operation, targets: [only, ...others] }: Question): readonly Span[] {
	if (only?.phase !== 'error' || others.length > 0) return [];
	const { error } = only;
	if (error === undefined) return [['The reason of its error is not read yet.', 'busy']];
	const { reaches } = operationRowOf(operation).goal;
	const mayHelp = reaches === 'newStart' || reaches === 'phase';
	const lines: readonly Span[] = [
		[error ?? '', 'bad'],
		[mayHelp ? adviceForError(only) : '', 'faint'],
	];
	return lines.filter(([text]) => text !== '');
}

function sameNameWarnings(question: Question, { accounts }: Scene): readonly string[] {
	const [only, ...others] = question.targets;
	if (only && others.length === 0 && nameWithId(only, question) !== only.name)
		return [`Another computer is called ${only.name}, too. This is ${only.id}.`];
	const { name } = detailsOf(question);
	if (only || name === undefined) return [];
	const isTaken = chosenAccountsOf(question).some(({ profile }) => {
		const computers = accountOfRow(accounts, profile)?.state.computers.values() ?? [];
		return [...computers].some(({ reading }) => reading.name === name);
	});
	return isTaken ? [`A computer called ${name} exists already.`] : [];
}

/** The platform does not document which names it accepts. */
function nameRemarks(question: Question): readonly string[] {
	const { name = '' } = detailsOf(question);
	const isUsual = name === '' || /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name);
	return isUsual ? [] : ['The platform may refuse a name with blanks or signs.'];
}

function accountLines({ accounts, namesAccount }: Question): readonly Span[] {
	const [account, ...others] = accounts;
	if (!namesAccount || !account || others.length > 0) return [];
	const { name, colour, isProduction } = account.profile;
	return [[`Account ${name}${isProduction ? ' (production)' : ''}`, accountTone(colour)]];
}

function startChoice({ starting, targets }: Question, { actions }: Scene): readonly Span[] {
	if (!starting || targets.every(startsFirst)) return [];
	const effect =
		starting === 'chosen'
			? 'leaves out those that are stopped.'
			: 'also starts and updates those that are stopped.';
	return keyHints(actions, [['startFirst', effect]]).map((hint): Span => [hint, 'accent']);
}

function questionHints(
	question: Question,
	isTyped: boolean,
	{ actions }: Scene,
): readonly string[] {
	const { operation, steps, answers, openingKey } = question;
	const { verbInHelp } = operationRowOf(operation);
	const chooses: readonly KeyHint[] = currentStepOf(question)?.choices
		? [['startFirst', 'chooses']]
		: [];
	const isLast = answers.length === steps.length - 1;
	const back: readonly KeyHint[] = answers.length > 0 ? [['closeDialog', 'goes back']] : [];
	const copies = 'copies the command';
	if (!isTyped)
		return letterHints(actions, openingKey, verbInHelp, 'cancels', [
			...back,
			['copyCommand', copies],
		]);
	const [leave = ['closeDialog', 'cancels'] as const] = back;
	return keyHints(actions, [
		['submit', isLast ? verbInHelp : 'continues'],
		leave,
		...chooses,
		['copyTypedCommand', copies],
	]);
}

function outageWarnings(
	{ accounts: asked, namesAccount }: Question,
	{ accounts }: Scene,
	now: number,
): readonly string[] {
	return asked.flatMap(({ profile }) => {
		const state = accountOfRow(accounts, profile)?.state;
		const outage = state && outageOf(state, now);
		if (!outage) return [];
		const { lastAnswerAt } = outage;
		const time = lastAnswerAt === undefined ? '' : timeTextWithSeconds(lastAnswerAt, now);
		if (isSignInFailure(outage)) {
			const who = namesAccount ? `${profile.name} is` : 'You are';
			const data = time && ` This question is based on data from ${time}.`;
			return `${who} signed out: this fails unless you sign in first.${data}`;
		}
		const platform = namesAccount ? `The platform of ${profile.name}` : 'The platform';
		return time
			? `${platform} has not answered since ${time}. This question is based on data from then.`
			: `${platform} has not answered yet, so this question may be based on old data.`;
	});
}

function hiddenTargetWarnings({ targets }: Question, { screen, shown }: Scene): readonly string[] {
	const isHidden = ({ account, id }: Target) =>
		screen.passingWhenAsked?.has(globalIdOf(account, id)) === false;
	const hidden = targets.filter(isHidden).length;
	if (hidden === 0) return [];
	const allText = targets.length === 1 ? 'The computer is' : 'All of these computers are';
	const someText = `${hidden} of these computers ${hidden === 1 ? 'is' : 'are'}`;
	const isAnyFolded = shown.lines.some(line => isHeading(line) && line.isFolded);
	const places = [
		...(screen.filters.fleet === '' ? [] : ['hidden by the filter']),
		...(isAnyFolded ? [hidden === 1 ? 'in a folded group' : 'in folded groups'] : []),
	];
	return [`${hidden === targets.length ? allText : someText} ${places.join(' or ')}.`];
}

function newsText(question: Question, scene: Scene): string {
	const [first, ...others] = targetChangesIn(
		question,
		account => accountOfRow(scene.accounts, { account })?.state,
	);
	if (first) {
		const more = others.length === 0 ? '' : ` ${others.length} more have changed.`;
		return `Meanwhile ${first.name} ${first.description}.${more}`;
	}
	const wasSilent = outageWarnings(question, scene, question.openedAt).length > 0;
	return wasSilent ? '' : (outageWarnings(question, scene, scene.now)[0] ?? '');
}

import { globalIdOf } from '../fleet/computers/global-id.ts';
import {
	isUnsent,
	type OperationId,
	type OperationSpec,
	type OperationStage,
} from '../fleet/operations/operation.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import { operationIdsText, operationRowOf } from '../fleet/operations/operation-table.ts';
import { roughDurationText } from '../foundation/duration.ts';
import { CommandError, exitCodes, UsageError } from '../foundation/error.ts';
import { type JsonFields, type JsonRecord, jsonText } from '../foundation/json.ts';
import { firstNamesAndCount } from '../foundation/number-text.ts';
import type { AnswerResult } from '../operations/question.ts';
import {
	portFrom,
	type Question,
	type QuestionStep,
	questionTitle,
	yesAnswer,
} from '../operations/question-wording.ts';
import { obstacleTo, type SkippedTarget, waitReasonsIn } from '../operations/why-not.ts';
import type { Host } from '../session/host.ts';
import { operationIn } from '../store/our-operations.ts';
import { environmentFrom } from '../terminal/features/environment.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import {
	type Outcome,
	outcomeFromOperation,
	outcomeSentences,
	outcomeSummary,
	outcomeText,
	resultOf,
	skippedLines,
} from '../views/phrases/outcome.ts';
import { underWayIn } from '../views/under-way.ts';
import {
	accountsForWords,
	type ComputerFilter,
	computersNamed,
	filterFromOption,
	readComputerNames,
	readEach,
	readFor,
	readReasons,
	readStatuses,
} from './choose-computers.ts';
import { type Fleet, withFleets } from './fleet.ts';
import { BrokenPipe, nothingSentText, TimedOut } from './interruption.ts';
import type { ParsedArgs } from './parsed-args.ts';
import { printed, printerFor, sceneOf } from './print.ts';
import { accountLines, askFor, canPrompt } from './prompt.ts';
import { readOnlyError } from './stderr.ts';

export function operate(operation: OperationId, host: Host, args: ParsedArgs): Promise<number> {
	const canAsk = canPrompt(host.program, args);
	const wish = wishFrom(args, operation, canAsk);
	const { accounts, words } = accountsForWords(host, args, wish.words);
	if (accounts.length > 1) {
		const names = accounts.map(({ name }) => name);
		const isEveryNamed = words.length > 0 && words.every(word => word.account !== undefined);
		throw new UsageError(
			isEveryNamed
				? `This command works on one account, and these computers are in ${names.join(' and ')}. Run it once for each`
				: `This command works on one account; choose one with --profile: ${names.join(', ')}`,
		);
	}
	const idsOrNames = words.map(({ idOrName }) => idOrName);
	return withFleets(host, args, accounts, async ([fleet]) => {
		if (fleet.session.profile.isReadOnly) throw readOnlyError();
		const begun = await begin(host.program, args, fleet, wish, idsOrNames, canAsk).catch(error => {
			const { reason } = fleet.signal;
			throw reason instanceof TimedOut ? reason.withConsequence(nothingSentText) : error;
		});
		return followAndReport(host.program, args, fleet, wish, begun);
	});
}

type Wish = ReturnType<typeof wishFrom>;

function wishFrom(args: ParsedArgs, operation: OperationId, canAsk: boolean) {
	const text = args.text('filter');
	const { words, port } = wordsAndPort(args, operation, text !== undefined);
	const { goal, commandName, mayBeUnasked, subject } = operationRowOf(operation);
	if (subject === 'account' && words.length > 0)
		throw new UsageError(
			`${commandName} takes no arguments, but got ${words[0]}. Use --name for a name`,
		);
	if (subject !== 'account' && words.length > 0 === (text !== undefined))
		throw new UsageError(`${commandName} takes either ids and names, or --filter`);
	if (text?.trim() === '') throw new UsageError('--filter is empty and would match every computer');
	const filter = text === undefined ? undefined : filterFromOption(text);
	const isSure = args.flag('yes');
	if (goal.reaches === 'published' && port === undefined && (isSure || !canAsk))
		throw new UsageError(`${commandName} needs a port: add --port`);
	// The configuration may switch this question off.
	if (!isSure && !canAsk && !mayBeUnasked) throw new UsageError(confirmationNeededText(operation));
	const name = args.text('name') || undefined;
	const provider = args.text('provider') || undefined;
	return { operation, words, filter, details: { port, name, provider } };
}

const confirmationNeededText = (operation: OperationId) =>
	`${operationRowOf(operation).label} needs a confirmation and there is no terminal to ask on: add --yes`;

function wordsAndPort(args: ParsedArgs, operation: OperationId, isByFilter: boolean) {
	const port = args.wholeNumber('port', 1, 65_535);
	const words = args.positionals;
	const last = words.at(-1) ?? '';
	const takesPort = operationRowOf(operation).subject === 'port' && port === undefined;
	if (!takesPort || words.length <= (isByFilter ? 0 : 1) || !/^\d+$/.test(last))
		return { words, port };
	if (portFrom(last) === undefined)
		throw new UsageError('The port must be a number from 1 to 65535');
	return { words: words.slice(0, -1), port: portFrom(last) };
}

type Begun = { specs: readonly OperationSpec[]; skipped: readonly SkippedTarget[] };

async function begin(
	program: Program,
	args: ParsedArgs,
	fleet: Fleet,
	{ operation, details, filter }: Wish,
	idsOrNames: readonly string[],
	canAsk: boolean,
): Promise<Begun> {
	const { session, signal, notify, withoutTimeout } = fleet;
	const isSure = args.flag('yes');
	const ids = await selectedIds(fleet, filter, idsOrNames);
	if (ids.length === 0 && operationRowOf(operation).subject !== 'account') {
		notify('No computer matches the filter');
		return { specs: [], skipped: [] };
	}
	await readForQuestion(fleet, operation, canAsk && !isSure);
	await readWhetherSo(fleet, operation, details, ids);
	const globalIds = ids.map(id => globalIdOf(session.account, id));
	const result = session.operations.ask(operation, globalIds, details);
	if (result.type !== 'question') return begunFrom(result, []);
	const { question } = result;
	const { steps, skipped, lines } = question;
	if (filter && isSure) notify(planText(question));
	const isPortMissing = steps.some(({ kind }) => kind === 'port') && details.port === undefined;
	const asked = {
		lines: [
			questionTitle(question),
			...accountLines(session.profile),
			...lines,
			...skippedLines(skipped),
		],
		steps,
		given: (step: QuestionStep) => answerFromOptions(step, isSure, details),
		missing: isPortMissing
			? `${operation} needs a port: add --port`
			: confirmationNeededText(operation),
	};
	const answers = await withoutTimeout(() => askFor(program, args, asked, signal));
	return begunFrom(session.operations.answer({ ...question, answers }), skipped);
}

async function selectedIds(
	fleet: Fleet,
	filter: ComputerFilter | undefined,
	idsOrNames: readonly string[],
): Promise<readonly string[]> {
	await fleet.readOrThrow('list');
	if (!filter) {
		await readComputerNames(fleet, idsOrNames);
		const computers = computersNamed(fleet.accountNow(), idsOrNames);
		await readStatuses(fleet, computers);
		return computers.map(({ id }) => id);
	}
	await readFor(fleet, filter.fieldNames);
	if (filter.fieldNames.includes('stage'))
		await readReasons(fleet, [...fleet.accountNow().computers.values()]);
	filter.refuseUnknownStatus([fleet.accountNow()]);
	return filter.select(fleet.accountNow(), fleet.clock.now()).map(({ id }) => id);
}

function answerFromOptions(
	step: QuestionStep,
	saysYes: boolean,
	details: OperationDetails,
): string | undefined {
	if (step.kind === 'port') return details.port?.toString();
	const given = step.kind === 'text' ? details[step.field] : undefined;
	if (given !== undefined || !saysYes) return given;
	if (step.kind === 'typed') return step.expectedText;
	return 'initialText' in step ? step.initialText : yesAnswer;
}

// With --yes, no question names the computers that a filter selects.
function planText({ operation, targets, skipped, sendingTimeMs }: Question): string {
	const names = targets.map(({ name }) => name);
	const skippedNote = skipped.length > 0 ? `; skips ${skipped.length}` : '';
	const time =
		sendingTimeMs < 1000 ? '' : `; sending takes about ${roughDurationText(sendingTimeMs)}`;
	return `${operation} ${targets.length}: ${firstNamesAndCount(names, 10)}${skippedNote}${time}`;
}

const maxReadTimeMs = 2_000;

/** Waits only briefly, and only if a person sees the question. */
async function readForQuestion(fleet: Fleet, operation: OperationId, isQuestionShown: boolean) {
	if (operationRowOf(operation).needsLatestVersion) await fleet.read('release');
	if (!isQuestionShown) return;
	fleet.startWatch();
	await fleet.waitFor(
		({ reads: { credits, subscription, release } }) => credits && subscription && release,
		maxReadTimeMs,
	);
}

/** An earlier read may be over. A port is always looked up, because publishing it again would fail. */
async function readWhetherSo(
	{ accountNow, readDetail, readStatus }: Fleet,
	operation: OperationId,
	details: OperationDetails,
	ids: readonly string[],
): Promise<void> {
	const { goal, evidence } = operationRowOf(operation);
	const { listFields, computers } = accountNow();
	const isAboutPort = evidence === 'detail';
	const field = isAboutPort ? 'ports' : goal.reaches === 'version' ? 'version' : 'status';
	if (evidence === 'list' || listFields.has(field)) return;
	const doubtful = ids.filter(
		id => isAboutPort || obstacleTo(accountNow(), operation, computers.get(id), details)?.isSo,
	);
	await readEach(isAboutPort ? readDetail : readStatus, doubtful);
}

function begunFrom(result: AnswerResult, skipped: readonly SkippedTarget[]): Begun {
	if (result.type === 'begun') return { specs: result.operations.map(({ spec }) => spec), skipped };
	const { reason, message, skipped: all } = result.refusal;
	if (reason === 'not-allowed' && all.length > 0) return { specs: [], skipped: all };
	if (reason === 'too-many') throw new UsageError(message);
	throw new CommandError(reason, message, '');
}

async function followAndReport(
	program: Program,
	args: ParsedArgs,
	fleet: Fleet,
	{ operation, details, filter }: Wish,
	{ specs, skipped }: Begun,
): Promise<number> {
	const { session, signal, startWatch, accountNow, clock } = fleet;
	const isJson = args.flag('json');
	const waitsForEnd = args.flag('wait');
	const reasonsToWait = () =>
		waitReasonsIn([accountNow()], session.operations.state(), clock.now());
	const reported = new Map<OperationSpec, OperationStage>();

	function tell(spec: OperationSpec) {
		const { stage = 'queued' } = operationIn(accountNow(), spec.key) ?? {};
		if (reported.get(spec) === stage) return;
		reported.set(spec, stage);
		const outcome = outcomeOf(fleet, spec);
		if (stage === 'unknown') fleet.notify(outcomeSentences(outcome));
		else if (!isJson) printOutcome(program, outcome);
	}

	function isOver(spec: OperationSpec): boolean {
		const known = operationIn(accountNow(), spec.key);
		if (!known || isUnsent(known) || known.stage === 'sent') return false;
		tell(spec);
		if (known.stage === 'unknown') startWatch();
		return known.stage !== 'unknown' && (!waitsForEnd || known.stage !== 'accepted');
	}

	function noteWait() {
		const waitingFor = reasonsToWait();
		const waits = specs.map(({ key }) => waitingFor(key)).filter(each => each?.type === 'turn');
		fleet.noteWait(Math.max(0, ...waits.map(({ until }) => until)), waits.length);
	}

	// On a terminal, what is under way stands below the outcomes.
	const { stderr, env } = program;
	const hasProgress = stderr.isTTY && env['TERM'] !== 'dumb';
	let cancelTick = () => {};
	function drawProgress() {
		if (!hasProgress) return;
		const scene = sceneOf([fleet], {
			theme: printerFor(program, args).theme,
			width: Math.max(1, stderr.columns - 1),
		});
		const { lines } = underWayIn({ ...scene, waitingFor: reasonsToWait() });
		const own = lines.filter(({ id }) =>
			specs.some(({ key, batch }) => id === key || id === batch),
		);
		// Nobody can open a batch here.
		const text = printed(own.slice(0, 1), environmentFrom(env))
			.trim()
			.replace(/ [▸>]$/, '');
		stderr.write(`\r${text}\x1b[K`);
		cancelTick = clock.after(1_000, drawProgress);
	}
	function eraseProgress() {
		cancelTick();
		if (hasProgress) stderr.write('\r\x1b[K');
	}

	const unneeded = skipped.map(each => outcomeOfSkipped(fleet, operation, details.port, each));
	if (!isJson) for (const outcome of unneeded) printOutcome(program, outcome);
	if (waitsForEnd && specs.length > 0) startWatch();
	try {
		await fleet.waitFor(() => {
			eraseProgress();
			if (specs.map(isOver).every(Boolean)) return true;
			noteWait();
			drawProgress();
			return undefined;
		});
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		eraseProgress();
	}
	session.operations.quit();
	specs.forEach(tell);
	const outcomes = specs.map(spec => outcomeOf(fleet, spec));
	if (isJson) program.stdout.write(jsonText([...unneeded, ...outcomes].map(outcomeRecord)));
	const { aborted, reason } = signal;
	if (reason instanceof TimedOut) throw reason.withConsequence(outcomeSummary(outcomes));
	if (aborted && !(reason instanceof BrokenPipe)) throw reason;
	// A filter may match computers to which the operation need not apply.
	const isGood = outcomes.every(isSuccess) && (filter || skipped.every(({ isSo }) => isSo));
	return isGood ? exitCodes.done : exitCodes.failed;
}

export const outcomeFields = {
	id: 'id of the computer; null when it was not created',
	name: 'name of the computer, or its id',
	operation: operationIdsText(),
	result:
		'accepted (by the platform, not finished yet), done (also if it was so before), failed, unknown (no response) or ' +
		'skipped (not sent)',
	message: 'the reason, or the public address of a port; may be empty',
} as const satisfies JsonFields;

const isSuccess = (outcome: Outcome) => ['accepted', 'done'].includes(resultOf(outcome));

function outcomeOf(fleet: Fleet, asked: OperationSpec): Outcome {
	const operation = operationIn(fleet.accountNow(), asked.key);
	if (!operation) return { ...asked, stage: 'queued', reason: 'not sent' };
	const { spec, stage, failure } = operation;
	const reasons: Readonly<Partial<Record<OperationStage, string | undefined>>> = {
		accepted: '',
		done: addressOf(fleet, spec) ?? '',
		sent: 'no response yet',
		unknown: failure?.message ?? '',
		failed: [failure?.message, failure?.advice].filter(Boolean).join('. '),
	};
	return { ...outcomeFromOperation(operation), reason: reasons[stage] ?? 'not sent' };
}

function outcomeOfSkipped(
	fleet: Fleet,
	operation: OperationId,
	port: number | undefined,
	{ id: computer, name, reason, isSo }: SkippedTarget,
): Outcome {
	const target = { operation, port, computer, name };
	return isSo
		? { ...target, stage: 'done', alreadySo: reason, reason: addressOf(fleet, target) }
		: { ...target, stage: 'skipped', reason };
}

function addressOf(
	{ session, accountNow }: Fleet,
	{ operation, computer: id, port }: Pick<Outcome, 'operation' | 'computer' | 'port'>,
): string | undefined {
	const isPublished = operationRowOf(operation).goal.reaches === 'published';
	if (!isPublished || id === undefined || port === undefined) return undefined;
	const ports = accountNow().computers.get(id)?.reading.ports;
	return ports?.find(each => each.port === port)?.url ?? session.platform.publicAddress(id, port);
}

function outcomeRecord(outcome: Outcome) {
	const { operation, computer: id = null, name = id, alreadySo = '' } = outcome;
	const { reason: message = alreadySo } = outcome;
	const result = resultOf(outcome);
	return { id, name, operation, result, message } satisfies JsonRecord<typeof outcomeFields>;
}

function printOutcome({ stdout, stderr }: Program, outcome: Outcome): void {
	const { operation, name, computer: id } = outcome;
	const isNew = operationRowOf(operation).subject === 'account' && name && id;
	const text = outcomeText(isNew ? { ...outcome, name: `${name} (${id})` } : outcome);
	const output = isSuccess(outcome) ? stdout : stderr;
	output.write(`${cleanForTerminal(text)}\n`);
}

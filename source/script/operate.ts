import { type GlobalId, idsWithin } from '../fleet/computers/global-id.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { roughDurationText } from '../foundation/duration.ts';
import { CommandError, exitCodes, UsageError } from '../foundation/error.ts';
import type { AnswerResult } from '../operations/question.ts';
import type { Question, SkippedTarget } from '../operations/question-wording.ts';
import { obstacleTo } from '../operations/why-not.ts';
import type { Host } from '../session/host.ts';
import { environmentFrom } from '../terminal/features/environment.ts';
import { outcomeSentences, outcomeSummary } from '../views/phrases/outcome.ts';
import { cannotReadRecordText } from '../views/phrases/reads.ts';
import { answerQuestion, canPrompt } from './answer-question.ts';
import { errorFromFailure, type ParsedArgs, readOnlyError } from './command.ts';
import { type Fleet, type Fleets, withFleets } from './fleet.ts';
import { followOperations, isSuccess, outcomeAlreadySo, outcomeFrom } from './follow-operations.ts';
import { BrokenPipe, nothingSentText, TimedOut } from './interruption.ts';
import { type OperateOptions, operateOptionsFrom } from './operate-options.ts';
import { createOperationReport, type OperationReport } from './operation-report.ts';
import { createProgressLine } from './progress.ts';
import { accountOf } from './read-accounts.ts';

/** Runs an operation as a command, with the same question and the same checks as in the monitor. */
export async function operate(
	operation: OperationId,
	host: Host,
	args: ParsedArgs,
): Promise<number> {
	const options = operateOptionsFrom(args, operation, canPrompt(host.program, args));
	const chooseAccounts = () => options.chooseAccounts(host);
	return withFleets(host, args, chooseAccounts, async fleets => {
		const [{ signal, notify }] = fleets;
		if (fleets.every(({ session }) => session.profile.isReadOnly)) throw readOnlyError();
		const report = createOperationReport(host.program, args.flag('json'));
		const confirmed = await confirmOperation(host, args, fleets, options).catch(error => {
			const { reason } = signal;
			throw reason instanceof TimedOut ? reason.withConsequence(nothingSentText) : error;
		});
		if (confirmed) return followAndReport(host, fleets, options, confirmed, report);
		notify('No computer matches the filter');
		report.end();
		return exitCodes.done;
	});
}

type ConfirmedOperations = {
	/** Returns the operations of one account. */
	specsOf: (account: string) => readonly OperationSpec[];
	skipped: readonly SkippedTarget[];
};

/** Selects the computers and asks for confirmation. Returns undefined if no computer matches the filter. */
async function confirmOperation(
	{ program, clock }: Host,
	args: ParsedArgs,
	fleets: Fleets,
	{ operation, details, isSelectedByFilter, selectIds }: OperateOptions,
): Promise<ConfirmedOperations | undefined> {
	// All accounts share their operations, so one question is about the computers of all of them.
	const [{ session, signal, notify, withoutTimeout }] = fleets;
	const { subject } = operationRowOf(operation);
	if (subject === 'account') await fleets[0].readOrThrow('list');
	const ids = await selectIds(fleets, clock.now());
	if (ids.length === 0 && subject !== 'account') return undefined;
	const isQuestionShown = canPrompt(program, args) && !args.flag('yes');
	const concerned = fleets.filter(
		fleet => subject === 'account' || idsWithin(fleet.session.account, ids).length > 0,
	);
	await Promise.all(concerned.map(fleet => readForQuestion(fleet, operation, isQuestionShown)));
	await Promise.all(concerned.map(fleet => readWhetherSo(fleet, operation, details, ids)));
	const result = session.operations.ask(operation, ids, details);
	if (result.type !== 'question') return confirmedOperationsFrom(result, []);
	const { question } = result;
	if (isSelectedByFilter && args.flag('yes')) notify(planText(question));
	const { skipped } = question;
	const shown = { ...question, skipped: skipped.map(each => withAccountName(fleets, each)) };
	const answers = await withoutTimeout(() => answerQuestion(program, args, details, shown, signal));
	return confirmedOperationsFrom(session.operations.answer({ ...answers, skipped }), skipped);
}

/** Adds the account to the name of a skipped computer, if there are several accounts. */
function withAccountName(fleets: Fleets, skipped: SkippedTarget): SkippedTarget {
	const fleet = fleets.find(({ session }) => session.account === skipped.account);
	const account = fleet && accountOf(fleet);
	return account === undefined ? skipped : { ...skipped, name: `${account}/${skipped.name}` };
}

// Describes what will be sent. With --yes, no question names the computers that the filter selects, so this line
// names them.
function planText({ operation, targets, skipped, sendingTimeMs }: Question): string {
	const named = targets.slice(0, 10).map(({ name }) => name);
	const otherNames =
		targets.length > named.length ? ` and ${targets.length - named.length} more` : '';
	const skippedNote = skipped.length > 0 ? `; skips ${skipped.length}` : '';
	const time =
		sendingTimeMs < 1000 ? '' : `; sending takes about ${roughDurationText(sendingTimeMs)}`;
	return `${operation} ${targets.length}: ${named.join(', ')}${otherNames}${skippedNote}${time}`;
}

const maxReadTimeMs = 2_000;

/**
 * Reads the data that a question mentions. The latest version is always read for an update. For the other data, the
 * command waits only briefly, and only if a person sees the question.
 */
async function readForQuestion(
	fleet: Fleet,
	operation: OperationId,
	isQuestionShown: boolean,
): Promise<void> {
	if (operationRowOf(operation).needsLatestVersion) await fleet.read('release');
	if (!isQuestionShown) return;
	fleet.startWatch();
	await fleet.waitFor(
		({ reads: { credits, subscription, release } }) => credits && subscription && release,
		maxReadTimeMs,
	);
}

/**
 * Reads the computers that seem to be what the operation would make them, unless the list told so: what an earlier
 * run saw may be over. A port is always looked up, because publishing it again would fail.
 */
async function readWhetherSo(
	fleet: Fleet,
	operation: OperationId,
	details: OperateOptions['details'],
	ids: readonly GlobalId[],
): Promise<void> {
	const { goal, evidence } = operationRowOf(operation);
	const { listFields, computers } = fleet.accountNow();
	const isAboutPort = goal.reaches === 'published' || goal.reaches === 'unpublished';
	const field = isAboutPort ? 'ports' : goal.reaches === 'version' ? 'version' : 'status';
	if (evidence === 'list' || listFields.has(field)) return;
	const doubtful = idsWithin(fleet.session.account, ids).filter(
		id =>
			isAboutPort || obstacleTo(fleet.accountNow(), operation, computers.get(id), details)?.isSo,
	);
	const read = evidence === 'detail' ? fleet.readDetail : fleet.readStatus;
	const failures = await Promise.all(doubtful.map(async id => ({ id, failure: await read(id) })));
	const failed = failures.find(({ failure }) => failure && failure.kind !== 'missing');
	if (failed?.failure) throw errorFromFailure(cannotReadRecordText(failed.id), failed.failure);
}

function confirmedOperationsFrom(
	result: AnswerResult,
	skipped: readonly SkippedTarget[],
): ConfirmedOperations {
	if (result.type === 'begun') {
		const { operations } = result;
		const specsOf = (account: string) =>
			operations.filter(each => each.account === account).map(({ spec }) => spec);
		return { specsOf, skipped };
	}
	const { reason, message, skipped: all } = result.refusal;
	if (reason === 'not-allowed' && all.length > 0) return { specsOf: () => [], skipped: all };
	if (reason === 'too-many') throw new UsageError(message);
	throw new CommandError(reason, message, '');
}

/** Follows the operations to their end, reports each of them, and resolves with the exit code. */
async function followAndReport(
	host: Host,
	fleets: Fleets,
	options: OperateOptions,
	{ specsOf, skipped }: ConfirmedOperations,
	report: OperationReport,
): Promise<number> {
	const [first] = fleets;
	const located = fleets.flatMap(fleet =>
		specsOf(fleet.session.account).map(spec => ({ spec, fleet })),
	);
	report.add(
		skipped.map(({ account, id, name, reason, isSo = false }) => {
			const fleet = fleets.find(({ session }) => session.account === account) ?? first;
			const { operation, details } = options;
			const { port } = details;
			const outcome = { computer: id, name, operation, port };
			if (!isSo) return { fleet, outcome: { ...outcome, stage: 'skipped', reason } };
			const { publicAddress } = fleet.session.platform;
			return {
				fleet,
				outcome: outcomeAlreadySo(outcome, reason, fleet.accountNow(), publicAddress),
			};
		}),
	);
	const endedBy = await followAll(host, options, located, report);
	first.session.operations.quit();
	const outcomes = located.map(outcomeNow);
	report.add(outcomes);
	report.end();
	const { reason } = first.signal;
	if (endedBy === 'interrupted' && reason instanceof TimedOut) {
		throw reason.withConsequence(outcomeSummary(outcomes.map(({ outcome }) => outcome)));
	}
	if (endedBy === 'interrupted' && !(reason instanceof BrokenPipe)) throw reason;
	// Computers that a filter matched may be skipped without a failure, because the operation need not apply
	// to all of them.
	const isGood =
		outcomes.every(({ outcome }) => isSuccess(outcome)) &&
		(options.isSelectedByFilter || skipped.every(({ isSo }) => isSo));
	return isGood ? exitCodes.done : exitCodes.failed;
}

/** An operation that has begun, and its account. */
type LocatedSpec = { spec: OperationSpec; fleet: Fleet };

function outcomeNow({ spec, fleet }: LocatedSpec) {
	const { publicAddress } = fleet.session.platform;
	return { fleet, outcome: outcomeFrom(spec, fleet.accountNow(), publicAddress) };
}

/** Follows the operations of all accounts at the same time. */
async function followAll(
	{ program, clock }: Host,
	{ waitsForEnd }: OperateOptions,
	located: readonly LocatedSpec[],
	report: OperationReport,
): Promise<'over' | 'interrupted'> {
	const { hasUnicode } = environmentFrom(program.env);
	const progress = createProgressLine(program, clock, located.length, hasUnicode);
	const remainingByFleet = new Map<Fleet, readonly OperationSpec[]>();

	async function follow(fleet: Fleet) {
		const notify = (line: string) => progress.eraseWhile(() => fleet.notify(line));
		const specs = located.filter(each => each.fleet === fleet).map(({ spec }) => spec);
		if (waitsForEnd) fleet.startWatch();
		const endedBy = await followOperations({
			fleet,
			clock,
			specs,
			waitsForEnd,
			onStage(spec, stage) {
				const reported = outcomeNow({ spec, fleet });
				if (stage !== 'unknown') return progress.eraseWhile(() => report.add([reported]));
				notify(outcomeSentences(reported.outcome));
				fleet.startWatch();
			},
			onRemaining(remaining) {
				remainingByFleet.set(fleet, remaining);
				progress.show([...remainingByFleet.values()].flat());
			},
			notify,
		});
		remainingByFleet.delete(fleet);
		return endedBy;
	}

	const ends = await Promise.all([...new Set(located.map(({ fleet }) => fleet))].map(follow));
	progress.end();
	return ends.includes('interrupted') ? 'interrupted' : 'over';
}

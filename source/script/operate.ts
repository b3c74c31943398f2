import { globalIdOf } from '../fleet/computers/global-id.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import type { SkippedComputer } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { durationText } from '../foundation/duration.ts';
import type { Question } from '../operations/question.ts';
import type { AnswerResult } from '../operations/refusal.ts';
import type { Host } from '../session/host.ts';
import { exitCodes, type ParsedArgs } from '../shell/command.ts';
import { CommandError, readOnlyError } from '../shell/errors.ts';
import { BrokenPipe, nothingSentText, TimedOut } from '../shell/interruption.ts';
import { environmentFrom } from '../terminal/features/environment.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import { type Outcome, outcomeSummary, outcomeWords } from '../wording/phrases/outcome-text.ts';
import { answerQuestion, canPrompt } from './answer-question.ts';
import { type Fleet, withFleet } from './fleet.ts';
import {
	followOperations,
	isSuccess,
	outcomeFrom,
	outcomeLine,
	outcomeRecord,
} from './follow-operations.ts';
import { type OperateOptions, operateOptionsFrom } from './operate-options.ts';
import { createProgressLine } from './progress.ts';

/** Runs an operation as a command, with the same question and the same checks as in the monitor. */
export async function operate(
	operation: OperationId,
	host: Host,
	args: ParsedArgs,
): Promise<number> {
	const options = operateOptionsFrom(args, operation, canPrompt(host.program, args));
	return withFleet(host, args, async fleet => {
		if (fleet.session.profile.isReadOnly) throw readOnlyError();
		const report = createReport(host.program, args.flag('json'));
		const confirmed = await confirmOperation(host, args, fleet, options).catch(error => {
			const { reason } = fleet.signal;
			throw reason instanceof TimedOut ? reason.withConsequence(nothingSentText) : error;
		});
		if (confirmed) return followAndReport(host, fleet, options, confirmed, report);
		fleet.notify('No computer matches the filter');
		report.end();
		return exitCodes.done;
	});
}

type ConfirmedOperations = { specs: readonly OperationSpec[]; skipped: readonly SkippedComputer[] };

/** Selects the computers and asks for confirmation. Returns undefined if no computer matches the filter. */
async function confirmOperation(
	{ program, clock }: Host,
	args: ParsedArgs,
	fleet: Fleet,
	{ operation, details, isSelectedByFilter, selectIds }: OperateOptions,
): Promise<ConfirmedOperations | undefined> {
	const { session, signal, withoutTimeout } = fleet;
	await fleet.readOrThrow('list');
	const ids = await selectIds(fleet, clock.now());
	if (ids.length === 0 && operationRowOf(operation).subject !== 'account') return undefined;
	await readForQuestion(fleet, operation, canPrompt(program, args) && !args.flag('yes'));
	const globalIds = ids.map(id => globalIdOf(session.account, id));
	const result = session.operations.ask(operation, globalIds, details);
	if (result.type !== 'question') return confirmedOperationsFrom(result, []);
	const { question } = result;
	if (isSelectedByFilter && args.flag('yes')) fleet.notify(planText(question));
	const answers = await withoutTimeout(() =>
		answerQuestion(program, args, details, question, signal),
	);
	return confirmedOperationsFrom(session.operations.answer(answers), answers.skipped);
}

// Describes what will be sent. With --yes, no question names the computers that the filter has found, so
// this line does.
function planText({ operation, targets, skipped, sendingTimeMs }: Question): string {
	const named = targets.slice(0, 10).map(({ name }) => name);
	const otherNames =
		targets.length > named.length ? ` and ${targets.length - named.length} more` : '';
	const skippedNote = skipped.length > 0 ? `; skips ${skipped.length}` : '';
	const time = sendingTimeMs < 1000 ? '' : `; sending takes about ${durationText(sendingTimeMs)}`;
	return `${operation} ${targets.length}: ${named.join(', ')}${otherNames}${skippedNote}${time}`;
}

const maxReadTimeMs = 2_000;

/**
 * Reads the data that a question mentions. Only an update needs a read, of the latest version; for the
 * other data, the command waits a short time, and only if a person sees the question.
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

function confirmedOperationsFrom(
	result: AnswerResult,
	skipped: readonly SkippedComputer[],
): ConfirmedOperations {
	if (result.type === 'begun') return { specs: result.specs, skipped };
	const { reason, message, skipped: all } = result.refusal;
	if (reason === 'not-allowed' && all.length > 0) return { specs: [], skipped: all };
	throw new CommandError(reason, message, '');
}

/** Follows the operations to their end, reports each of them, and resolves with the exit code. */
async function followAndReport(
	{ program, clock }: Host,
	fleet: Fleet,
	{ operation, isSelectedByFilter, waitsForEnd }: OperateOptions,
	{ specs, skipped }: ConfirmedOperations,
	report: Report,
): Promise<number> {
	const { session, signal } = fleet;
	const { publicAddress } = session.platform;
	const outcomeNow = (spec: OperationSpec) => outcomeFrom(spec, fleet.accountNow(), publicAddress);
	const { hasUnicode } = environmentFrom(program.env);
	const progress = createProgressLine(program, clock, specs.length, hasUnicode);
	const notify = (line: string) => progress.eraseWhile(() => fleet.notify(line));
	report.add(
		skipped.map(({ id, name, reason }) => {
			return { computer: id, name, operation, stage: 'skipped', reason };
		}),
	);
	if (waitsForEnd) fleet.startWatch();
	const endedBy = await followOperations({
		fleet,
		clock,
		specs,
		waitsForEnd,
		onStage(spec, stage) {
			const outcome = outcomeNow(spec);
			if (stage !== 'unknown') return progress.eraseWhile(() => report.add([outcome]));
			notify(outcomeWords(outcome).speech);
			fleet.startWatch();
		},
		onRemaining: progress.show,
		notify,
	});
	progress.end();
	session.operations.quit();
	const outcomes = specs.map(outcomeNow);
	report.add(outcomes);
	report.end();
	const { reason } = signal;
	if (endedBy === 'interrupted' && reason instanceof TimedOut) {
		throw reason.withConsequence(outcomeSummary(outcomes));
	}
	if (endedBy === 'interrupted' && !(reason instanceof BrokenPipe)) throw reason;
	// Computers that a filter matched may be skipped without a failure, because the operation need not apply
	// to all of them.
	const isGood = outcomes.every(isSuccess) && (isSelectedByFilter || skipped.length === 0);
	return isGood ? exitCodes.done : exitCodes.failed;
}

type Report = {
	/** Adds outcomes to the report. An outcome that has already been added is not printed again. */
	add(outcomes: readonly Outcome[]): void;
	end(): void;
};

/**
 * Prints each outcome as soon as it is added to the report. With --json, prints the last outcome of each
 * computer at the end.
 */
function createReport({ stdout, stderr }: Program, isJson: boolean): Report {
	const added = new Map<string, Outcome>();
	return {
		add(outcomes) {
			for (const outcome of outcomes) {
				const key = outcome.computer ?? '';
				const isNew = added.get(key)?.stage !== outcome.stage;
				added.set(key, outcome);
				if (!isNew || isJson) continue;
				const output = isSuccess(outcome) ? stdout : stderr;
				output.write(`${cleanForTerminal(outcomeLine(outcome))}\n`);
			}
		},
		end() {
			if (isJson)
				stdout.write(`${JSON.stringify([...added.values()].map(outcomeRecord), undefined, 2)}\n`);
		},
	};
}

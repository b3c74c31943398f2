import { durationText } from '../../fleet/duration.ts';
import type { OperationId, OperationSpec } from '../../fleet/operation.ts';
import type { Skipped } from '../../operations/operation-row.ts';
import type { Question } from '../../operations/question.ts';
import type { AnswerResult } from '../../operations/refusal.ts';
import { answerQuestion, canPrompt } from '../../script/answer-question.ts';
import { type Fleet, withFleet } from '../../script/fleet.ts';
import { followOperations } from '../../script/follow-operations.ts';
import { type OperateOptions, operateOptionsFrom } from '../../script/operate-options.ts';
import {
	collectEndings,
	type Ending,
	noResponse,
	notSent,
	outcomeFrom,
	summaryText,
} from '../../script/outcome.ts';
import { createProgressLine } from '../../script/progress.ts';
import { createReport, type Report } from '../../script/report.ts';
import type { Host } from '../../session/host.ts';
import { exitCodes, type ParsedArgs, type Run } from '../../shell/command.ts';
import { CommandError, readOnlyError } from '../../shell/errors.ts';
import { BrokenPipe, nothingSent, TimedOut } from '../../shell/interruption.ts';
import { environmentFrom } from '../../terminal/environment.ts';

/** One operation as a command: the same question and the same path as in the monitor. */
export function operate(operation: OperationId): Run {
	return async (host, args) => {
		const wanted = operateOptionsFrom(args, operation, canPrompt(host.program, args));
		return withFleet(host, args, async fleet => {
			if (fleet.session.isReadOnly) throw readOnlyError();
			const report = createReport(host.program, args.flag('json'));
			const ends = collectEndings(fleet.session.store);
			const begun = await begin(host, args, fleet, wanted).catch(error => {
				const { reason } = fleet.signal;
				throw reason instanceof TimedOut ? reason.about(nothingSent) : error;
			});
			if (begun) return finish(host, fleet, wanted, { ...begun, ends }, report);
			fleet.say('no computer matches');
			report.end();
			return exitCodes.done;
		});
	};
}

type Begun = { wishes: readonly OperationSpec[]; skipped: readonly Skipped[] };

/** Up to where it is sent; nothing, where there is no computer to do it to. */
async function begin(
	{ program, clock }: Host,
	args: ParsedArgs,
	fleet: Fleet,
	{ operation, details, isByFilter, select: choose }: OperateOptions,
): Promise<Begun | undefined> {
	const { session, signal, untimed } = fleet;
	await fleet.require('list');
	const ids = await choose(fleet, clock.now());
	if (operation !== 'create' && ids.length === 0) return undefined;
	await learn(fleet, operation, canPrompt(program, args) && !args.flag('yes'));
	const asked = session.operations.ask(operation, ids, details);
	if (asked.type !== 'question') return begunFrom(asked, []);
	const { question } = asked;
	if (isByFilter && args.flag('yes')) fleet.say(planText(question));
	const told = await untimed(() => answerQuestion(program, args, details, question, signal));
	return begunFrom(session.operations.answer(told), told.skipped);
}

// Who answers with --yes sees no question, and does not know what a filter found.
function planText({ operation, targets, skipped, sendingTime }: Question): string {
	const named = targets.slice(0, 10).map(({ name }) => name);
	const more = targets.length > named.length ? ` and ${targets.length - named.length} more` : '';
	const left = skipped.length > 0 ? `; ${skipped.length} left out` : '';
	const time = sendingTime < 1000 ? '' : `; sending takes about ${durationText(sendingTime)}`;
	return `${operation} ${targets.length}: ${named.join(', ')}${more}${left}${time}`;
}

const shortWhile = 2_000;

// What an update leads to must be known; what else a question tells of is worth a short wait.
async function learn(fleet: Fleet, operation: OperationId, isAsking: boolean): Promise<void> {
	if (operation === 'update') await fleet.read('release');
	if (!isAsking) return;
	fleet.watch();
	await fleet.waitFor(
		({ reads: { credits, subscription, release } }) => credits && subscription && release,
		shortWhile,
	);
}

function begunFrom(asked: AnswerResult, skipped: readonly Skipped[]): Begun {
	if (asked.type === 'begun') return { wishes: asked.wishes, skipped };
	const { why, message, skipped: all } = asked.refusal;
	if (why === 'not-allowed' && all.length > 0) return { wishes: [], skipped: all };
	throw new CommandError(why, message, '');
}

async function finish(
	{ program, clock }: Host,
	fleet: Fleet,
	{ operation, isByFilter, waits: isWaiting }: OperateOptions,
	{ wishes, skipped, ends }: Begun & { ends: ReadonlyMap<string, Ending> },
	report: Report,
): Promise<number> {
	const { session, signal } = fleet;
	const { publicAddress } = session.platform;
	const { hasUnicode } = environmentFrom(program.env);
	const progress = createProgressLine(program, clock, wishes.length, hasUnicode);
	const say = (line: string) => progress.around(() => fleet.say(line));
	report.add(
		skipped.map(({ id, name, reason }) => {
			return { id, name, operation, result: 'skipped', message: reason };
		}),
	);
	if (isWaiting) fleet.watch();
	const how = await followOperations({
		fleet,
		clock,
		wishes,
		ends,
		isWaiting,
		onEnd(wish, end) {
			if (end.result !== 'lost') {
				return progress.around(() => report.add([outcomeFrom(wish, end, publicAddress)]));
			}
			const who = wish.name ?? wish.computer ?? 'the new computer';
			say(`${who}: ${end.message}; looking it up`);
			fleet.watch();
		},
		onLeft: progress.show,
		say,
	});
	progress.end();
	const dropped = new Set(session.operations.exitSummary().dropped.map(({ key }) => key));
	session.operations.quit();
	const outcomes = wishes.map(wish => {
		const end = dropped.has(wish.key) ? notSent : (ends.get(wish.key) ?? noResponse);
		return outcomeFrom(wish, end, publicAddress);
	});
	report.add(outcomes);
	report.end();
	const { reason } = signal;
	if (how === 'ended' && reason instanceof TimedOut) throw reason.about(summaryText(outcomes));
	if (how === 'ended' && !(reason instanceof BrokenPipe)) throw reason;
	const isGood = outcomes.every(({ result }) => result === 'accepted' || result === 'done');
	return isGood && (isByFilter || skipped.length === 0) ? exitCodes.done : exitCodes.failed;
}

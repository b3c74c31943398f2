import type { OperationId, Wish } from '../../fleet/fact.ts';
import type { Answered } from '../../operations/asked.ts';
import type { Skipped } from '../../operations/capture.ts';
import { durationText } from '../../operations/duration-text.ts';
import type { Question } from '../../operations/question.ts';
import { answered, canAsk } from '../../script/answers.ts';
import { type Fleet, withFleet } from '../../script/fleet.ts';
import { follow } from '../../script/follow-operations.ts';
import { type Wanted, wantedFrom } from '../../script/operate-options.ts';
import {
	type End,
	noteEnds,
	outcomeFrom,
	standingText,
	unanswered,
	unsent,
} from '../../script/outcome.ts';
import { createProgressLine } from '../../script/progress.ts';
import { type Report, reportTo } from '../../script/report.ts';
import { exitCodes, type Given, type Run } from '../../shell/command.ts';
import { CommandError, readOnlyError } from '../../shell/command-failure.ts';
import type { Host } from '../../shell/host.ts';
import { BrokenPipe, nothingSent, TimedOut } from '../../shell/interruption.ts';
import { environmentFrom } from '../../terminal/environment.ts';

/** One operation as a command: the same question and the same path as in the monitor. */
export function operate(operation: OperationId): Run {
	return async (host, given) => {
		const wanted = wantedFrom(given, operation, canAsk(host.program, given));
		return withFleet(host, given, async fleet => {
			if (fleet.lookout.isReadOnly) throw readOnlyError();
			const report = reportTo(host.program, given.flag('json'));
			const ends = noteEnds(fleet.lookout.store);
			const begun = await begin(host, given, fleet, wanted).catch(error => {
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

type Begun = { wishes: readonly Wish[]; skipped: readonly Skipped[] };

/** Up to where it is sent; nothing, where there is no computer to do it to. */
async function begin(
	{ program, clock }: Host,
	given: Given,
	fleet: Fleet,
	{ operation, details, isByFilter, choose }: Wanted,
): Promise<Begun | undefined> {
	const { lookout, signal, untimed } = fleet;
	await fleet.need('list');
	const ids = await choose(fleet, clock.now());
	if (operation !== 'create' && ids.length === 0) return undefined;
	await learn(fleet, operation, canAsk(program, given) && !given.flag('yes'));
	const asked = lookout.operations.ask(operation, ids, details);
	if (asked.type !== 'question') return begunFrom(asked, []);
	const { question } = asked;
	if (isByFilter && given.flag('yes')) fleet.say(planText(question));
	const told = await untimed(() => answered(program, given, details, question, signal));
	return begunFrom(lookout.operations.answer(told), told.skipped);
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
	await fleet.once(
		({ reads: { credits, subscription, release } }) => credits && subscription && release,
		shortWhile,
	);
}

function begunFrom(asked: Answered, skipped: readonly Skipped[]): Begun {
	if (asked.type === 'begun') return { wishes: asked.wishes, skipped };
	const { why, message, skipped: all } = asked.refusal;
	if (why === 'not-allowed' && all.length > 0) return { wishes: [], skipped: all };
	throw new CommandError(why, message, '');
}

async function finish(
	{ program, clock }: Host,
	fleet: Fleet,
	{ operation, isByFilter, isWaiting }: Wanted,
	{ wishes, skipped, ends }: Begun & { ends: ReadonlyMap<string, End> },
	report: Report,
): Promise<number> {
	const { lookout, signal } = fleet;
	const { publicAddress } = lookout.platform;
	const { hasUnicode } = environmentFrom(program.env);
	const progress = createProgressLine(program, clock, wishes.length, hasUnicode);
	const say = (line: string) => progress.around(() => fleet.say(line));
	report.tell(
		skipped.map(({ id, name, reason }) => {
			return { id, name, operation, result: 'skipped', message: reason };
		}),
	);
	if (isWaiting) fleet.watch();
	const how = await follow({
		fleet,
		clock,
		wishes,
		ends,
		isWaiting,
		onEnd(wish, end) {
			if (end.result !== 'lost') {
				return progress.around(() => report.tell([outcomeFrom(wish, end, publicAddress)]));
			}
			const who = wish.name ?? wish.computer ?? 'the new computer';
			say(`${who}: ${end.message}; looking it up`);
			fleet.watch();
		},
		onLeft: progress.show,
		say,
	});
	progress.end();
	const dropped = new Set(lookout.operations.leaving().dropped.map(({ key }) => key));
	lookout.operations.quit();
	const outcomes = wishes.map(wish => {
		const end = dropped.has(wish.key) ? unsent : (ends.get(wish.key) ?? unanswered);
		return outcomeFrom(wish, end, publicAddress);
	});
	report.tell(outcomes);
	report.end();
	const { reason } = signal;
	if (how === 'ended' && reason instanceof TimedOut) throw reason.about(standingText(outcomes));
	if (how === 'ended' && !(reason instanceof BrokenPipe)) throw reason;
	const isGood = outcomes.every(({ result }) => result === 'accepted' || result === 'done');
	return isGood && (isByFilter || skipped.length === 0) ? exitCodes.done : exitCodes.failed;
}

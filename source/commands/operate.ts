import type { OperationId, Wish } from '../fleet/fact.ts';
import type { Answered } from '../operations/asked.ts';
import type { Skipped } from '../operations/capture.ts';
import { exitCodes, type Given, type Run } from './command.ts';
import type { Host } from './host.ts';
import { BrokenPipe } from './list-ending.ts';
import { CommandError } from './list-failure.ts';
import { type Fleet, withFleet } from './list-fleet.ts';
import { answered, canAsk } from './operate-answers.ts';
import { follow } from './operate-follow.ts';
import { type End, noteEnds, outcomeFrom, unanswered, unsent } from './operate-outcome.ts';
import { type Report, reportTo } from './operate-report.ts';
import { type Wanted, wantedFrom } from './operate-wanted.ts';

/** One operation as a command: the same question and the same path as in the monitor. */
export function operate(operation: OperationId): Run {
	return (host, given) =>
		withFleet(host, given, operation, async fleet => {
			const wanted = wantedFrom(given, operation);
			const report = reportTo(host.program, given.flag('json'));
			await fleet.readList();
			const ids = await wanted.choose(fleet, host.clock.now());
			if (operation === 'create' || ids.length > 0) {
				const ends = noteEnds(fleet.lookout.store);
				const begun = await begin(host, given, fleet, wanted, ids);
				return finish(host, fleet, wanted, { ...begun, ends }, report);
			}
			fleet.say('no computer matches');
			report.end();
			return exitCodes.done;
		});
}

type Begun = { wishes: readonly Wish[]; skipped: readonly Skipped[] };

async function begin(
	{ program }: Host,
	given: Given,
	fleet: Fleet,
	{ operation, details }: Wanted,
	ids: readonly string[],
): Promise<Begun> {
	const { lookout, signal } = fleet;
	await learn(fleet, operation, canAsk(program, given) && !given.flag('yes'));
	const asked = lookout.operations.ask(operation, ids, details);
	if (asked.type !== 'question') return begunFrom(asked, []);
	const question = await answered(program, given, asked.question, signal);
	return begunFrom(lookout.operations.answer(question), question.skipped);
}

const shortWhile = 2_000;

// What an update leads to must be known; what else a question tells of is worth a short wait.
async function learn(fleet: Fleet, operation: OperationId, isAsking: boolean): Promise<void> {
	if (operation === 'update') await fleet.readRelease();
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
	if (why !== 'read-only') throw new CommandError(why, message, '');
	const advice = 'It is read-only by --read-only, or by readOnly in the configuration.';
	throw new CommandError(why, 'nothing may be changed here', advice);
}

async function finish(
	{ clock }: Host,
	fleet: Fleet,
	{ operation, isByFilter, isWaiting, timeout }: Wanted,
	{ wishes, skipped, ends }: Begun & { ends: ReadonlyMap<string, End> },
	report: Report,
): Promise<number> {
	const { lookout, signal, say } = fleet;
	const { publicAddress } = lookout.platform;
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
		timeout: timeout === undefined ? undefined : timeout * 1000,
		onEnd(wish, end) {
			if (end.result !== 'lost') return report.tell([outcomeFrom(wish, end, publicAddress)]);
			const who = wish.name ?? wish.computer ?? 'the new computer';
			say(`${who}: ${end.message}; looking it up`);
			fleet.watch();
		},
	});
	const dropped = new Set(lookout.operations.quit().dropped.map(({ key }) => key));
	const outcomes = wishes.map(wish => {
		const end = dropped.has(wish.key) ? unsent : (ends.get(wish.key) ?? unanswered);
		return outcomeFrom(wish, end, publicAddress);
	});
	report.tell(outcomes);
	report.end();
	if (how === 'ended' && !(signal.reason instanceof BrokenPipe)) throw signal.reason;
	if (how === 'late') {
		say(`given up waiting after ${timeout} s`);
		return exitCodes.cancelled;
	}
	const isGood = outcomes.every(({ result }) => result === 'accepted' || result === 'done');
	return isGood && (isByFilter || skipped.length === 0) ? exitCodes.done : exitCodes.failed;
}

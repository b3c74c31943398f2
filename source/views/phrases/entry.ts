import {
	accountEvents,
	type Change,
	type OperationMove,
	type OwnEmails,
	requesterText,
	type StatusChange,
} from '../../fleet/change.ts';
import { changingPhases, type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import {
	type BatchEntry,
	computerIn,
	type LogEntry,
	latestOf,
	movesOf,
	type NapsEntry,
} from '../../fleet/log-entries.ts';
import type { Operation, OperationStage } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { durationText, minuteMs } from '../../foundation/duration.ts';
import { countText, decimalText, firstNamesAndCount } from '../../foundation/number-text.ts';
import { joinedParts, type Part, part, partsThatFit } from '../../lines/parts.ts';
import { cut, type Span, type Tone, textOf, widthOf } from '../../lines/span.ts';
import { timeText } from '../../lines/time-text.ts';
import type { OpenedAccount } from '../../store/selectors.ts';
import { phaseStyles, statusWord, stopReasonText } from '../fleet/status.ts';
import { causeStart } from './error-advice.ts';
import { type Outcome, outcomeText, targetText } from './outcome.ts';

export const ownEmailsIn = (accounts: readonly OpenedAccount[]): OwnEmails =>
	new Set(accounts.flatMap(({ state }) => state.signIn?.email ?? []));

/** Below the name of its computer, a line leaves it out. */
type EntryLook = { own: OwnEmails; width: number; isBelowName?: boolean };

export function entrySpans(
	time: string,
	entry: LogEntry,
	{ own, width, isBelowName = false }: EntryLook,
): readonly Span[] {
	const { sign, parts: said } = phraseOf(entry, own);
	const begin: readonly Span[] = [[time, 'faint'], sign, [' ']];
	const parts = [...(isBelowName ? withoutName(said, entry) : said), ...earliestTime(entry)];
	const room = width - widthOf(begin);
	const needed = parts.filter(({ drop }) => drop === 0);
	const kept = widthOf(joinedParts(needed)) > room ? needed : partsThatFit(parts, room, '');
	return [...begin, ...cut(joinedParts(kept), room)];
}

function withoutName([first, ...others]: readonly Part[], entry: LogEntry): readonly Part[] {
	const { name = '' } = computerIn(entry) ?? {};
	const [text = '', ...look] = first?.spans[0] ?? [];
	const rest = text.startsWith(name) ? text.slice(name.length).replace(/^(: | is )/, '') : text;
	return [{ spans: [[rest, ...look]], drop: 0 }, ...others];
}

// The time of a change is uncertain by the gap between two reads. Only longer gaps are mentioned.
const minShownUncertaintyMs = 5 * minuteMs;

function earliestTime(entry: LogEntry): readonly Part[] {
	const change = latestOf(entry);
	if (entry.type === 'naps' || change.type === 'operationMoved') return [];
	if (change.at - change.notBefore < minShownUncertaintyMs) return [];
	const text = `, some time after ${timeText(change.notBefore, change.at)}`;
	return [part(drops.earliestTime, text, 'faint')];
}

const drops = { duration: 4, names: 3, earliestTime: 2, errorBeginning: 1 };

export const entryText = (entry: LogEntry, own: OwnEmails): readonly Span[] =>
	joinedParts(phraseOf(entry, own).parts);

export const changeText = (change: Change, own: OwnEmails = new Set()): string =>
	textOf(entryText({ type: 'change', change }, own));

type Phrase = { sign: Span; parts: readonly Part[] };

const phrase = (sign: string, tone: Tone | undefined, ...parts: readonly Part[]): Phrase => ({
	sign: [sign, tone],
	parts,
});

function phraseOf(entry: LogEntry, own: OwnEmails): Phrase {
	if (entry.type === 'batch') return batchPhrase(entry, own);
	if (entry.type === 'naps') return napsPhrase(entry);
	const { change, sentAt } = entry;
	switch (change.type) {
		case 'statusChanged':
			return statusPhrase(change);
		case 'operationMoved': {
			const { wish, to, at } = change;
			const text = outcomeText(loggedOutcome(change));
			// The log also has changes that no operation of this program caused.
			const by = to === 'settled' ? ` by ${requesterText(change, own)}` : '';
			const said = part(0, `${text}${by}`, to === 'failed' ? 'bad' : undefined);
			const time = durationPart(to === 'settled' ? at - (sentAt ?? at) : 0);
			return { sign: signOfMove(wish.operation, to), parts: [said, time] };
		}
		case 'toppedUp': {
			const { from, to } = change;
			const text = `credits rose by ${decimalText(to - from)} to ${decimalText(to)}`;
			return phrase('+', 'good', part(0, text));
		}
		case 'released':
			return phrase('↑', 'accent', part(0, `version ${change.to} is out`, 'accent'));
		case 'accountNoted': {
			const { event, name, message } = change;
			const { about, words, isBad } = accountEvents[event];
			const whose = name === undefined ? '' : about === 'account' ? ` ${name}` : ` of ${name}`;
			const text = `${about}${whose} ${words}${message === undefined ? '' : `: ${message}`}`;
			return isBad ? phrase('✖', 'bad', part(0, text, 'bad')) : phrase('+', 'good', part(0, text));
		}
		case 'hookFailed':
			return phrase('✖', 'bad', part(0, `hook ${change.hook} ${change.message}`, 'bad'));
	}
}

const durationPart = (ms: number) =>
	part(drops.duration, ms < 1000 ? '' : ` in ${durationText(ms)}`);

function statusPhrase(change: StatusChange): Phrase {
	const { id, name = id, from, to, lasted, wasAsleep = false, reason, error } = change;
	if (to === null) return phrase('–', 'faint', part(0, `${name} is gone`));
	const sign = phaseSign(phaseOf(to));
	if (from === null) return { sign, parts: [part(0, `${name} is new: ${statusWord(to)}`)] };
	const isError = phaseOf(to) === 'error';
	const tone = isError ? 'bad' : undefined;
	// A computer is active for days, but it starts in seconds, so the duration stands beside what lasted so long.
	const isPassing = changingPhases.includes(phaseOf(from));
	const preposition = !isPassing ? 'for' : isError ? 'after' : 'in';
	const duration = lasted === undefined ? '' : ` ${preposition} ${durationText(lasted)}`;
	const time = part(drops.duration, duration, tone);
	const become = part(0, ` → ${statusWord(to)}`, tone);
	const stopReason = stopReasonText(reason);
	const start = error === undefined ? 0 : causeStart(error);
	return {
		sign,
		parts: [
			part(0, `${name}: ${wasAsleep ? 'asleep' : statusWord(from)}`, tone),
			...(isPassing ? [become, time] : [time, become]),
			part(0, error === undefined ? (stopReason ? ` (${stopReason})` : '') : ': ', tone),
			part(drops.errorBeginning, error?.slice(0, start) ?? '', tone),
			part(0, error?.slice(start) ?? '', tone),
		],
	};
}

export function loggedOutcome(
	{ wish, to, isAccepted = false, message }: OperationMove,
	operation?: Operation,
): Outcome {
	const { advice } = operation?.failure ?? {};
	const stage: OperationStage = to === 'settled' ? 'done' : isAccepted ? 'accepted' : to;
	return { ...wish, stage, reason: message, advice, isFinal: operation?.stage === 'failed' };
}

/** As in "you stopped 15 of 16 computers (altair, altair-3, altair-5 and 12 more) in 31 s, 1 failed"; the names are those of the 15. */
function batchPhrase(entry: BatchEntry, own: OwnEmails): Phrase {
	const moves = movesOf(entry);
	const latest = entry.parts[0].change;
	const { operation } = latest.wish;
	const { doingLabel, doneLabel } = operationRowOf(operation);
	const counts = { sent: 0, settled: 0, failed: 0, unknown: 0, cancelled: 0 };
	for (const { to } of moves) counts[to] += 1;
	const total = moves.length;
	const isOver = counts.sent === 0;
	const isCancelled = counts.cancelled === total;
	const by = requesterText(latest, own);
	// There may have been more operations than the log still has.
	const all = `${entry.isCut ? 'at least ' : ''}${countText(total)} computers`;
	const doing = `${doingLabel.toLowerCase()} ${all}`;
	const done = counts.settled === total ? '' : `${countText(counts.settled)} of `;
	const begin = isCancelled
		? `${by} cancelled ${doing}`
		: isOver
			? `${by} ${doneLabel} ${done}${all}`
			: doing;
	const named = moves.filter(({ to }) => !isOver || isCancelled || to === 'settled').toReversed();
	const names = firstNamesAndCount(named.map(({ wish }) => targetText(wish)));
	const begunAt = Math.min(...moves.map(({ at, took }) => at - took));
	const others = (['failed', 'unknown', 'cancelled'] as const)
		.filter(to => counts[to] > 0 && !isCancelled)
		.map(to => part(0, `, ${countText(counts[to])} ${to}`, to === 'failed' ? 'bad' : undefined));
	return {
		sign: signOfMove(operation, counts.failed > 0 ? 'failed' : latest.to),
		parts: [
			part(0, begin),
			part(drops.names, names === '' ? '' : ` (${names})`),
			isOver
				? durationPart(isCancelled ? 0 : latest.at - begunAt)
				: part(0, `: ${countText(counts.settled)} done, ${countText(counts.sent)} under way`),
			...others,
		],
	};
}

/** As in "4 computers slept or woke 12 times since 02:47 (hydra, kochab, mira, tucana)", with as many names as fit. */
function napsPhrase({ parts }: NapsEntry): Phrase {
	const names = [...new Set(parts.map(({ change: { id, name = id } }) => name))];
	const begunAt = parts.at(-1)?.change.at ?? 0;
	return phrase(
		' ',
		undefined,
		part(0, `${names.length} computers slept or woke ${parts.length} times`),
		part(drops.earliestTime, ` since ${timeText(begunAt, begunAt)}`),
		part(0, ` (${names.join(', ')})`),
	);
}

function signOfMove(operation: string, to: OperationMove['to']): Span {
	if (to === 'failed') return ['✖', 'bad'];
	if (to === 'unknown') return ['?', 'busy'];
	if (to !== 'settled') return [' '];
	const { goal } = operationRowOf(operation);
	if (goal.reaches === 'gone') return ['–', 'faint'];
	if (goal.reaches === 'phase') return phaseSign(goal.phase);
	return goal.reaches === 'newStart' || goal.reaches === 'version' ? phaseSign('active') : [' '];
}

const phaseSign = (phase: Phase): Span => [phaseStyles[phase].sign, phaseStyles[phase].tone];

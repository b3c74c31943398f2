import type { Change } from '../../fleet/change.ts';
import { computerIdOf } from '../../fleet/change.ts';
import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import { phaseStartOf, startToleranceMs } from '../../fleet/computers/uptime.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { outcomePhrase } from '../../views/phrases/outcome.ts';
import type { CellContext } from './cell-context.ts';

/** Something that happened to a computer a short while ago, such as "restarted". */
type LastEvent = {
	text: string;
	at: number;
	/** The event began the present run of the computer, after this time. */
	startedAfter?: number;
};

/** The table shows an event for this long. */
const shownForMs = 3_600_000;

const eventsByChanges = new WeakMap<readonly Change[], ReadonlyMap<string, LastEvent>>();

/** Returns the last event of a computer that the log has; undefined if none is recent. */
function lastEventOf(changes: readonly Change[], id: string, now: number): LastEvent | undefined {
	let events = eventsByChanges.get(changes);
	if (!events) {
		events = eventsIn(changes);
		eventsByChanges.set(changes, events);
	}
	const event = events.get(id);
	return event && now - event.at < shownForMs ? event : undefined;
}

function eventsIn(changes: readonly Change[]): ReadonlyMap<string, LastEvent> {
	const events = new Map<string, LastEvent>();
	for (const change of changes) {
		const id = computerIdOf(change);
		const text = eventText(change);
		if (id === undefined || text === undefined) continue;
		const startedAfter = startedAfterIn(change);
		events.set(id, { text, at: change.at, ...(startedAfter !== undefined && { startedAfter }) });
	}
	return events;
}

const textsByEarlierPhase: Readonly<Partial<Record<Phase, string>>> = {
	creating: 'created',
	starting: 'started',
	stopped: 'started',
	restarting: 'restarted',
	updating: 'updated',
	error: 'recovered',
};

function eventText(change: Change): string | undefined {
	if (change.type === 'operationMoved') {
		if (change.to !== 'settled') return undefined;
		return outcomePhrase({ ...change.wish, stage: 'done' }).toLowerCase();
	}
	if (change.type !== 'statusChanged' || change.to === null) return undefined;
	if (phaseOf(change.to) !== 'active') return undefined;
	return change.from === null ? 'created' : textsByEarlierPhase[phaseOf(change.from)];
}

/** Returns the time after which the computer started, if the change says that it did. */
function startedAfterIn(change: Change): number | undefined {
	if (change.type === 'statusChanged') return change.notBefore;
	if (change.type !== 'operationMoved') return undefined;
	const { goal } = operationRowOf(change.wish.operation);
	const isStart =
		goal.reaches === 'newStart' ||
		goal.reaches === 'version' ||
		(goal.reaches === 'phase' && goal.phase === 'active');
	return isStart ? change.at - change.took : undefined;
}

/**
 * Returns the last thing that happened to the computer of a row. The status of a stopped one says it already. A start is
 * dated as the uptime is, so that both say the same.
 */
export function lastEventOfRow(
	{ computer }: FleetRow,
	{ changes, now }: Pick<CellContext, 'changes' | 'now'>,
): LastEvent | undefined {
	const { id, phase } = computer;
	if (phase === 'stopped') return undefined;
	const start = phaseStartOf(computer).at;
	const event = lastEventOf(changes, id, now);
	const isBegin =
		phase === 'active' &&
		event?.startedAfter !== undefined &&
		start >= event.startedAfter - startToleranceMs &&
		start <= event.at;
	return event && isBegin ? { ...event, at: start } : event;
}

import type { Span } from '../../drawing/span.ts';
import type { Change, OwnEmails } from '../../fleet/change.ts';
import { phaseOf } from '../../fleet/computers/computer.ts';
import type { JointAccount } from '../../store/state.ts';
import { logEntrySpans } from '../views/log-entry.ts';

/** Something that a person must not miss while the line shows a message in reply to a key. */
export type ImportantNews = {
	at: number;
	spans: readonly Span[];
	/** The key of the operation that ended; undefined for a computer that failed by itself. */
	operation?: string | undefined;
};

/** The time for which news is shown together with a message. */
const newsDurationMs = 8_000;

/**
 * Returns what has just happened and is more important than a message, newest first: how the operations of this process
 * ended, and computers that failed. The line of a batch says how its operations ended, so they are left out.
 */
export function importantNews(
	{ changes, operations }: Pick<JointAccount, 'changes' | 'operations'>,
	own: OwnEmails,
	now: number,
): readonly ImportantNews[] {
	const news: ImportantNews[] = [];
	for (let index = changes.length - 1; index >= 0; index -= 1) {
		const change = changes[index];
		if (!change || now - change.at >= newsDurationMs) break;
		if (!isImportant(change, operations)) continue;
		const spans = logEntrySpans({ type: 'change', change, isPart: false }, own);
		const operation = change.type === 'operationMoved' ? change.wish.key : undefined;
		news.push({ at: change.at, spans, operation });
	}
	return news;
}

function isImportant(change: Change, operations: JointAccount['operations']): boolean {
	if (change.type === 'statusChanged')
		return change.to !== null && change.from !== null && phaseOf(change.to) === 'error';
	if (change.type !== 'operationMoved' || change.pane !== undefined) return false;
	if (change.wish.batch !== undefined) return false;
	if (change.to === 'settled') return true;
	// A failure that a person has dismissed is no news any more.
	return (change.to === 'failed' || change.to === 'unknown') && operations.has(change.wish.key);
}

import type { Span } from '../../drawing/span.ts';
import type { Change, OwnEmails } from '../../fleet/change.ts';
import { phaseOf } from '../../fleet/computers/computer.ts';
import type { JointAccount } from '../../store/state.ts';
import { entryText } from '../../views/log.ts';

/** Something that a person must not miss, even if a key was pressed just before. */
export type ImportantNews = {
	at: number;
	spans: readonly Span[];
	/** The key of the operation that ended; undefined for a computer that failed by itself. */
	operation?: string | undefined;
};

/** The time for which news is shown. */
const newsDurationMs = 8_000;

/**
 * Returns what has just happened and a person waits for, newest first: how the operations of this process ended, and
 * computers that failed. A failed operation is left out, because the failure stays on the screen by itself.
 */
export function importantNews(
	{ changes }: Pick<JointAccount, 'changes'>,
	own: OwnEmails,
	now: number,
): readonly ImportantNews[] {
	const news: ImportantNews[] = [];
	for (let index = changes.length - 1; index >= 0; index -= 1) {
		const change = changes[index];
		if (!change || now - change.at >= newsDurationMs) break;
		if (!isImportant(change)) continue;
		const spans = entryText({ type: 'change', change }, own);
		const operation = change.type === 'operationMoved' ? change.wish.key : undefined;
		news.push({ at: change.at, spans, operation });
	}
	return news;
}

function isImportant(change: Change): boolean {
	if (change.type === 'statusChanged')
		return change.to !== null && change.from !== null && phaseOf(change.to) === 'error';
	if (change.type !== 'operationMoved' || change.pane !== undefined) return false;
	return change.wish.batch === undefined && (change.to === 'settled' || change.to === 'unknown');
}

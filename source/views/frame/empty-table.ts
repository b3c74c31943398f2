import { logEntries, withNapsFolded } from '../../fleet/log-entries.ts';
import { operationIds, operationRowOf } from '../../fleet/operations/operation-table.ts';
import { spansOf } from '../../lines/line.ts';
import { fitTo, type Span } from '../../lines/span.ts';
import { timeTextWithSeconds } from '../../lines/time-text.ts';
import { failingReadOf, isNothingKnown } from '../../store/freshness.ts';
import { keyHint } from '../keys.ts';
import { linesWithDays } from '../log.ts';
import { nextReadTimeOf, readingText, troubleLines } from '../phrases/reads.ts';
import { filterName } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';

export function emptyTableLines(
	scene: Scene,
	computerCount: number,
	suggestion?: string,
): readonly (readonly Span[])[] {
	const { account, screen, isPasswordWanted, now } = scene;
	if (computerCount > 0) {
		const { filters, open } = screen;
		const isEdited = open?.kind === 'filter' && open.before.filter !== '';
		const back = isEdited ? 'Esc goes back to the filter before.' : 'Esc clears the filter.';
		const name: Span = [filterName(filters.fleet), 'accent'];
		return [[], [['No computer matches '], name, [`. ${suggestion ?? back}`, 'faint']]];
	}
	const failing = failingReadOf(account, now);
	if (failing) return [[], ...troubleLines(failing).map(span => [span])];
	if (account.reads.list?.answer) return noComputersLines(scene);
	if (isPasswordWanted) return [[], [['Sign in to read the list of computers.']]];
	const readAt = nextReadTimeOf(account, now);
	if (readAt <= now) return [[], [[`${readingText('list')} …`, 'faint']]];
	const time = timeTextWithSeconds(readAt, now);
	return [[], [[`The list of computers will be read at ${time}: rate limit.`]]];
}

function noComputersLines(scene: Scene): readonly (readonly Span[])[] {
	const createId = operationIds().find(id => operationRowOf(id).subject === 'account') ?? '';
	if (scene.actions.some(({ id, refusal }) => id === createId && refusal?.(scene) !== undefined))
		return [[], [['No computers yet. They appear here when there are some.']]];
	return [[], [['No computers yet.'], [keyHint(scene, createId, 'creates one.', ' '), 'faint']]];
}

const minLines = 3;
const minWidth = 48;

const maxChanges = 200;

export const hasSpareLines = (count: number, width: number) =>
	count >= minLines && width >= minWidth;

export function spareLines(
	scene: Scene,
	count: number,
	width: number,
): readonly (readonly Span[])[] {
	if (!hasSpareLines(count, width) || isNothingKnown(scene)) return [];
	const entries = withNapsFolded(logEntries(scene.changes.slice(-maxChanges)));
	const shown = linesWithDays(entries, { ...scene, width: width - 2 }).slice(0, count - 1);
	// A rule at the end would have nothing below it.
	if (shown.at(-1)?.id === undefined) shown.pop();
	return Array.from({ length: count }, (_, at) => {
		const line = shown[at - 1];
		return fitTo(line ? [[' '], ...spansOf(line)] : [], width);
	});
}

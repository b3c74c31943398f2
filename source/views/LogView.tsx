import { Box } from 'ink';
import { overflowSpans, visibleLines } from '../drawing/layout.ts';
import { fitted, justified, painted, type Span } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import type { Change } from '../fleet/change.ts';
import { createLogLineFormatter } from '../wording/log-text.ts';
import { Line } from './Line.tsx';

//  Log                                                              3 of 212 entries
//  08:14             ● borealis: creating → active in 48s
//  08:12               you stopped eridanus
//  2026-11-20 23:10  ○ cygnus: active → stopped (asleep), some time after 22:40
//  … 12 below

type Props = {
	/** The changes that pass the filter, the newest first. */
	entries: readonly Change[];
	/** The number of all changes, also those that do not pass the filter. */
	totalCount: number;
	filter: string;
	firstLine: number;
	width: number;
	lines: number;
	now: number;
	theme: Theme;
};

/** Draws only the visible lines, because a log is long. */
export function LogView({
	entries,
	totalCount,
	filter,
	firstLine,
	width,
	lines,
	now,
	theme,
}: Props) {
	if (lines < 1) return null;
	const line = createLogLineFormatter(entries, { now, width, theme });
	const seen = visibleLines(entries.length, firstLine, lines - 1);
	const shown = entries.slice(seen.firstLine, seen.firstLine + seen.count).map(line);
	const texts = entries.length > 0 ? shown : emptyLines(filter).slice(0, lines - 1);
	const of = filter === '' ? '' : `${entries.length} of `;
	const count = `${of}${totalCount} ${totalCount === 1 ? 'entry' : 'entries'}`;
	const text = (spans: readonly Span[]) => painted(fitted(spans, width, theme), theme);
	return (
		<Box flexDirection="column" width={width} height={lines}>
			<Line
				text={painted(
					justified([[' '], ['Log', 'strong']], [[` ${count} `, 'faint']], width, theme),
					theme,
				)}
			/>
			{texts.map((spans, at) => (
				<Line key={String(at)} text={text(spans)} />
			))}
			{lines > 1 && seen.count < entries.length && <Line text={text(overflowSpans(seen, theme))} />}
		</Box>
	);
}

function emptyLines(filter: string): readonly (readonly Span[])[] {
	if (filter === '') return [[[' Nothing has happened yet.', 'faint']]];
	return [[[' No log line matches '], [filter, 'accent'], ['. Esc clears the filter.', 'faint']]];
}

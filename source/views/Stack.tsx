import { Box, Text } from 'ink';
import Spinner from 'ink-spinner';
import { drawnLine } from '../drawing/drawn-line.ts';
import { overflowSpans, visibleLines } from '../drawing/layout.ts';
import { type Block, blockHeight, blocksThatFit, tableLine } from '../drawing/section.ts';
import { fitToWidth, justifySpans, paintSpans, type Span } from '../drawing/span.ts';
import { linkTo, type Theme } from '../lines/theme.ts';
import type { OpenText } from '../wording/views/open-text.ts';
import { ClickableLine } from './ClickableLine.tsx';
import { Line } from './Line.tsx';
import { StaticTable } from './StaticTable.tsx';

//  Versions                                                   read 12m ago     does not scroll
//  Latest  1.4.2  stable, released 2026-11-14                                  scrolls
//
//   VERSION   COMPUTERS                                                        scrolls
//   1.4.2            17  ━━━━━━━━━━━━━━━━━━━━╸───
//  … 3 below                                                                   if not every line fits

type StackProps = Pick<OpenText, 'title' | 'sections'> & {
	/** The index of the first visible line of the sections, if not all lines fit. */
	firstLine: number;
	width: number;
	lines: number;
	isLowBandwidth: boolean;
	theme: Theme;
};

/** Draws a title and sections in exactly `lines` lines. */
export function Stack(props: StackProps) {
	const { title, sections, firstLine, width, lines, isLowBandwidth, theme } = props;
	if (lines < 1) return null;
	const blocks = blocksThatFit(sections, lines - 1);
	const height = blocks.reduce((sum, block) => sum + blockHeight(block), 0);
	const seen = visibleLines(height, firstLine, lines - 1);
	const look = { width, isLowBandwidth, theme };
	let top = 0;
	return (
		<Box flexDirection="column" width={width} height={lines}>
			<Line text={paintSpans(justifySpans([[' '], ...title[0]], title[1], width, theme), theme)} />
			{blocks.map((block, at) => {
				const from = Math.max(0, seen.firstLine - top);
				const to = Math.min(blockHeight(block), seen.firstLine + seen.count - top);
				top += blockHeight(block);
				return from < to ? drawBlock(block, from, to, look, String(at)) : null;
			})}
			{lines > 1 && seen.count < height && (
				<Line text={paintSpans(fitToWidth(overflowSpans(seen, theme), width, theme), theme)} />
			)}
		</Box>
	);
}

type BlockStyle = Pick<StackProps, 'width' | 'isLowBandwidth' | 'theme'>;

/** Draws the lines of a block from index `from` to before index `to`. */
function drawBlock(block: Block, from: number, to: number, look: BlockStyle, key: string) {
	const { width, isLowBandwidth, theme } = look;
	if (block.type === 'table' && block.cursorLine === undefined) {
		const lines = Array.from({ length: to - from }, (_, at) =>
			paintSpans(tableLine(block, from + at, theme), theme),
		);
		return <StaticTable key={key} lines={lines} />;
	}
	if (block.type === 'waiting') {
		return (
			<Text key={key} wrap="truncate-end">
				{isLowBandwidth ? ' ' : <Spinner type={theme.glyphs.spinner} />}
				{paintSpans(fitToWidth([[` ${block.text}`]], width - 1, theme), theme)}
			</Text>
		);
	}
	if (block.type === 'lines') {
		return block.lines.slice(from, to).map((spans, at) => {
			const fitted = fitToWidth(spans, width, theme);
			return <LineOfSpans key={String(at)} spans={fitted} theme={theme} />;
		});
	}
	return Array.from({ length: to - from }, (_, at) => (
		<Line key={String(at)} text={lineText(block, from + at, look)} />
	));
}

function lineText(
	block: Exclude<Block, { type: 'waiting' | 'lines' }>,
	index: number,
	{ width, theme }: BlockStyle,
): string {
	switch (block.type) {
		case 'values':
		case 'chart':
			return paintSpans(fitToWidth(block.lines[index] ?? [], width, theme), theme);
		case 'list': {
			const { cursorLine, lineAt } = block;
			if (cursorLine === undefined)
				return paintSpans(fitToWidth(lineAt(index), width, theme), theme);
			return withCursor(fitToWidth(lineAt(index), width - 1, theme), index === cursorLine, theme);
		}
		case 'table': {
			const line: readonly Span[] = [[' '], ...tableLine(block, index, theme)];
			return withCursor(fitToWidth(line, width - 1, theme), index === block.cursorLine, theme);
		}
		case 'link':
			return ` ${linkTo(theme.paint('accent', block.pieces[index] ?? ''), block.url)}`;
		case 'paper': {
			const paper = block.lines[index] ?? '';
			const room = width - paper.length - 3;
			const beside = fitToWidth(block.beside?.[index] ?? [], Math.max(0, room), theme);
			return ` ${theme.paintBlackOnWhite(paper)}${block.beside ? `  ${paintSpans(beside, theme)}` : ''}`;
		}
	}
}

/** Draws a line of a block with a cursor. */
function withCursor(line: readonly Span[], isUnderCursor: boolean, theme: Theme): string {
	const { paint, paintCursorRow, glyphs } = theme;
	if (!isUnderCursor) return ` ${paintSpans(line, theme)}`;
	return paintCursorRow(`${paint('accent', glyphs.cursor)}${paintSpans(line, theme)}`);
}

/** Draws a line. If any of its spans reacts to clicks, the line does too. */
function LineOfSpans({ spans, theme }: { spans: readonly Span[]; theme: Theme }) {
	const line = drawnLine(spans, theme);
	return line.zones.length > 0 ? <ClickableLine line={line} /> : <Line text={line.text} />;
}

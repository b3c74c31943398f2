import { Box, Text } from 'ink';
import { painted } from '../lines/print.ts';
import type { Span } from '../lines/span.ts';
import type { Theme } from '../lines/theme.ts';
import { clickIn, clickRef } from './clicks.ts';

type Props = {
	lines: readonly (readonly Span[])[];
	theme: Theme;
};

export function Region({ lines, theme }: Props) {
	return (
		<Box ref={clickRef((x, y) => clickIn(lines[y] ?? [], x))}>
			<Text wrap="truncate-end">{lines.map(spans => painted(spans, theme)).join('\n')}</Text>
		</Box>
	);
}

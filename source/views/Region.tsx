import { Box, Text } from 'ink';
import { painted } from '../lines/paint.ts';
import type { Span } from '../lines/span.ts';
import type { Theme } from '../lines/theme.ts';
import { useClickArea } from './click-areas.ts';

type Props = {
	lines: readonly (readonly Span[])[];
	theme: Theme;
	isInDialog?: boolean;
};

export function Region({ lines, theme, isInDialog = false }: Props) {
	return (
		<Box ref={useClickArea(y => lines[y], isInDialog)}>
			<Text wrap="truncate-end">{lines.map(spans => painted(spans, theme)).join('\n')}</Text>
		</Box>
	);
}

import { Text } from 'ink';
import { memo } from 'react';

/** One line of the screen, made of exactly as many cells as it is wide. Drawn anew when its text changes. */
export const Line = memo(function Line({ text }: { text: string }) {
	return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
});

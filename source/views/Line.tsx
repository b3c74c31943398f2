import { Text } from 'ink';
import { memo } from 'react';

/** One line of the screen, exactly as wide as its text. It renders again only when the text changes. */
export const Line = memo(function Line({ text }: { text: string }) {
	return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
});

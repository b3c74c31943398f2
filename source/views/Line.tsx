import { Text } from 'ink';
import { memo } from 'react';

/** One line of the screen, exactly as wide as its text. It renders again only when the text changes. */
export const Line = memo(function Line({ text }: { text: string }) {
	return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
});

type LinesProps = { texts: readonly string[] };

const groupSize = 8;

/**
 * Lines below each other. They are rendered in groups, so that a key that changes two lines does not make React compare
 * all of them.
 */
export function Lines({ texts }: LinesProps) {
	const groups = [];
	for (let from = 0; from < texts.length; from += groupSize) {
		groups.push(<Group key={String(from)} texts={texts.slice(from, from + groupSize)} />);
	}
	return groups;
}

// The key of a line is its position, because React changes the text of a line faster than it creates a line.
const Group = memo(
	function Group({ texts }: LinesProps) {
		return texts.map((text, at) => <Line key={String(at)} text={text} />);
	},
	(before, after) => haveSameTexts(before.texts, after.texts),
);

const haveSameTexts = (before: readonly string[], after: readonly string[]) =>
	before.length === after.length && before.every((text, at) => text === after[at]);

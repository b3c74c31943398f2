import { Box } from 'ink';
import { Line } from './Line.tsx';

type Props = {
	/** All of the same width. */
	lines: readonly string[];
	width: number;
	columns: number;
	rows: number;
};

/** A frame over the lower part of the screen: what it is about mostly stays in sight above it. */
export function Overlay({ lines, width, columns, rows }: Props) {
	const left = Math.max(0, Math.floor((columns - width) / 2));
	const top = Math.max(0, rows - lines.length - 2);
	return (
		<Box position="absolute" left={left} top={top} flexDirection="column" width={width}>
			{lines.map((text, at) => (
				<Line key={String(at)} text={text} />
			))}
		</Box>
	);
}

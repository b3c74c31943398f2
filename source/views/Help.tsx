import { Box } from 'ink';
import type { Binding } from '../keys/binding.ts';
import { Line } from './Line.tsx';
import { fitted, painted, type Span } from './span.ts';
import type { Theme } from './theme.ts';

type Props = {
	bindings: readonly Binding[];
	width: number;
	lines: number;
	theme: Theme;
};

const titles = {
	fleet: 'In the table',
	billing: 'In billing',
	line: 'While typing a filter',
	palette: 'In the palette',
	everywhere: 'Everywhere',
} as const;

/** Made from the bindings, so that it tells what the keys really do. */
export function Help({ bindings, width, lines, theme }: Props) {
	const text = Object.entries(titles).flatMap(([place, title]): (readonly Span[])[] => [
		[[` ${title}`, 'strong']],
		...bindings
			.filter(({ places }) => isToldIn(place, places))
			.map(({ action, keys, help }): readonly Span[] => [
				[`   ${keys.join(', ').padEnd(18)}`, 'accent'],
				[help],
				[`  ${action}`, 'faint'],
			]),
	]);
	return (
		<Box flexDirection="column" height={lines}>
			{text.slice(0, lines).map((spans, at) => (
				<Line key={String(at)} text={painted(fitted(spans, width, theme), theme)} />
			))}
		</Box>
	);
}

/** In billing only what is there and nowhere else. */
function isToldIn(place: string, places: Binding['places']): boolean {
	const isThere = places.some(each => each === place);
	return place === 'billing' ? isThere && !places.includes('fleet') : isThere;
}

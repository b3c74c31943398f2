import { Box, type DOMElement } from 'ink';
import { type Ref, useImperativeHandle, useRef } from 'react';
import { type FleetMap as FleetMapSelector, mapSizeOf } from '../wording/map/fleet-map.ts';
import { cellWithin, type DrawnTable } from './DrawnTable.ts';
import { Line } from './Line.tsx';
import type { Layout } from './layout.ts';

//  by location, coloured by status                            ■ is a computer
//  ❯ eu-north  1,204  ■■■■■■■■■✖■■■■■■■■■□□□■■■■■■■■■■■■■■■■■■■■■■■    7 error
//    us-east     812  ■■■■■■■■■■■■■■■■■■■■■✖✖✖✖■■■■■■■■■■■■■■■■■■■   41 error
//  ✖ error  ■ unknown  ■ changing  ■ old data  ■ active  ■ stopped
//  ❯ vega-12  ● Active  2s old  CPU 96%  1.3.9 ↑      f filter  b group  c colour  m table

type Props = Omit<Parameters<FleetMapSelector['textOf']>[0], 'width' | 'lines'> & {
	table?: Ref<DrawnTable> | undefined;
	layout: Extract<Layout, { isTooSmall: false }>;
	viewSelectors: { fleetMap: FleetMapSelector };
	/** An alarm that is shown instead of the title. */
	banner: string | undefined;
};

/** Draws the computers of the table as cells of a map, one line of the map in each Text component. */
export function FleetMap(props: Props) {
	const { table, layout, viewSelectors, banner } = props;
	const size = mapSizeOf(layout);
	const text = viewSelectors.fleetMap.textOf({ ...props, ...size });
	const whole = useRef<DOMElement>(null);
	useImperativeHandle(
		table,
		() => ({
			containsCell: cell => cellWithin(whole.current, cell) !== undefined,
			rowIdAt(cell) {
				const place = cellWithin(whole.current, cell);
				return place && text.idAt(place.x, place.y);
			},
		}),
		[text],
	);
	const [title = '', ...others] = text.lines;
	return (
		<Box ref={whole} flexDirection="column" width={size.width} height={size.lines}>
			<Line text={banner ?? title} />
			{others.map((line, at) => (
				<Line key={String(at)} text={line} />
			))}
		</Box>
	);
}

import { Box, type DOMElement, Text } from 'ink';
import { type Ref, useImperativeHandle, useRef } from 'react';
import { painted } from '../../lines/paint.ts';
import { fitTo } from '../../lines/span.ts';
import type { Scene } from '../scene.ts';
import { cellWithin, type DrawnTable } from './DrawnTable.ts';
import { cellAt, mapLines, mapOf } from './map.ts';

type Props = {
	ref?: Ref<DrawnTable> | undefined;
	scene: Scene;
	/** Shown instead of the title. */
	banner: string | undefined;
};

export function FleetMap({ ref, scene, banner }: Props) {
	const { width, height, theme } = scene;
	const map = mapOf(scene);
	const [title = '', ...others] = mapLines(map, scene).map(spans =>
		painted(fitTo(spans, width), theme),
	);
	const whole = useRef<DOMElement>(null);
	useImperativeHandle(
		ref,
		() => ({
			containsCell: cell => cellWithin(whole.current, cell) !== undefined,
			rowIdAt(cell) {
				const at = cellWithin(whole.current, cell);
				// The title stands in the first line.
				return at && cellAt(map, at.x, at.y - 1)?.rows[0]?.id;
			},
		}),
		[map],
	);
	return (
		<Box ref={whole} width={width} height={height}>
			<Text wrap="truncate-end">{[banner ?? title, ...others].join('\n')}</Text>
		</Box>
	);
}

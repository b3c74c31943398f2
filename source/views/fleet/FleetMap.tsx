import { Box, Text } from 'ink';
import type { Ref } from 'react';
import { painted } from '../../lines/paint.ts';
import { fitTo } from '../../lines/span.ts';
import type { Scene } from '../scene.ts';
import { type DrawnTable, useDrawnTable } from './DrawnTable.ts';
import { cellAt, mapLines, mapOf } from './map.ts';

type Props = {
	ref?: Ref<DrawnTable> | undefined;
	scene: Scene;
	banner: string | undefined;
};

export function FleetMap({ ref, scene, banner }: Props) {
	const { width, height, theme } = scene;
	const map = mapOf(scene);
	const [title = '', ...others] = mapLines(map, scene).map(spans =>
		painted(fitTo(spans, width), theme),
	);
	const element = useDrawnTable(ref, (x, y) => cellAt(map, x, y - 1)?.rows[0]?.id);
	return (
		<Box ref={element} width={width} height={height}>
			<Text wrap="truncate-end">{[banner ?? title, ...others].join('\n')}</Text>
		</Box>
	);
}

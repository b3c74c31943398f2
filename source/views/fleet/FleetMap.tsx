import { Box, Text } from 'ink';
import { painted } from '../../lines/paint.ts';
import { fitTo } from '../../lines/span.ts';
import { clickRef } from '../clicks.ts';
import type { Click } from '../look/moves.ts';
import type { Scene } from '../scene.ts';
import { cellAt, mapLines, mapOf } from './map.ts';

type Props = {
	scene: Scene;
	banner: string | undefined;
};

export function FleetMap({ scene, banner }: Props) {
	const { width, height, theme } = scene;
	const map = mapOf(scene);
	const [title = '', ...others] = mapLines(map, scene).map(spans =>
		painted(fitTo(spans, width), theme),
	);
	const click = (x: number, y: number): Click => ({
		type: 'row',
		id: cellAt(map, x, y - 1)?.rows[0]?.id,
	});
	return (
		<Box ref={clickRef(click)} width={width} height={height}>
			<Text wrap="truncate-end">{[banner ?? title, ...others].join('\n')}</Text>
		</Box>
	);
}

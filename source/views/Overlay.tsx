import { Box } from 'ink';
import type { Box as DialogBox } from './dialogs/dialog.ts';
import { Region } from './Region.tsx';
import type { Scene } from './scene.ts';

//  ╭ Delete atlas? ─────────────────────────────╮
//  │ Erases it for good: workspace, packages …  │
//  │ Type atlas to delete it: atl▏              │
//  ╰────────────────────────────────────────────╯

/** Draws a box over the lower part of the screen, so that most rows above it stay visible. */
export function Overlay({ box, scene }: { box: DialogBox; scene: Scene }) {
	const { columns, rows } = scene.layout;
	const left = Math.max(0, Math.floor((columns - box.width) / 2));
	const top = Math.max(0, rows - box.lines.length - 2);
	return (
		<Box position="absolute" left={left} top={top} width={box.width}>
			<Region lines={box.lines} theme={scene.theme} isInDialog />
		</Box>
	);
}

import { Box, type DOMElement, Text, useWindowSize } from 'ink';
import {
	Component,
	type ReactNode,
	type Ref,
	useLayoutEffect,
	useRef,
	useSyncExternalStore,
} from 'react';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { Box as DialogBox } from '../../views/dialogs/dialog.ts';
import type { OpenDialog } from '../../views/dialogs/dialog-table.ts';
import { openBox } from '../../views/dialogs/open-dialog.ts';
import { minScreenSize } from '../../views/layout.ts';
import type { VisibleRows } from '../../views/look/cursor.ts';
import type { Scene } from '../../views/scene.ts';
import { paletteBox } from '../palette.ts';
import { FleetScreen } from './FleetScreen.tsx';
import { type MonitorProps, useInput } from './input.ts';
import { Region } from './Region.tsx';

type Props = MonitorProps & {
	onRowsShown: (shown: VisibleRows, visible: readonly GlobalId[]) => void;
	onDialogDrawn: (drawing: { isCut: boolean }) => void;
};

/**
 * Everything on screen, with keyboard and mouse:
 *
 *    ┌────────────────────────────┐
 *    │ FleetScreen                │    on a tiny terminal: the size that it needs
 *    │      ╭ Overlay ──────╮     │    a dialog, the palette or the choice of columns
 *    │      ╰───────────────╯     │
 *    └────────────────────────────┘
 */
export function App(props: Props) {
	const { clock, readScene, onRowsShown, onDialogDrawn } = props;
	const { columns, rows } = useWindowSize();
	const data = useSyncExternalStore(props.monitorData.subscribe, props.monitorData.getState);
	const { screen, terminal } = useSyncExternalStore(
		props.screenAndTerminal.subscribe,
		props.screenAndTerminal.getState,
	);
	const now = useSyncExternalStore(clock.subscribe, clock.now);
	const screenBox = useRef<DOMElement>(null);
	const dialogBox = useRef<DOMElement>(null);
	const lastKeyAt = useRef(Number.NEGATIVE_INFINITY);
	const size = { columns, rows };
	const scene = readScene({ data, screen, terminal, ...size, now, lastKeyAt: lastKeyAt.current });
	const { layout, shown, firstRow, dialog } = scene;
	// Ink has written the frame before the layout effects run. For `useEffect`, React would also plan a turn of the event loop
	// in each frame.
	useLayoutEffect(() => {
		onRowsShown(shown, shown.ids.slice(firstRow, firstRow + shown.maxRows));
	}, [shown, firstRow, onRowsShown]);

	const box = dialog && !layout.isTooSmall ? boxOf(dialog, scene) : undefined;
	const drawnDialog = layout.isTooSmall ? undefined : dialog?.entry.id;
	const drawnStep = dialog?.entry.answers.length;
	const isCut = box?.isCut ?? false;
	// biome-ignore lint/correctness/useExhaustiveDependencies: each step of a dialog is drawn anew
	useLayoutEffect(() => {
		if (drawnDialog !== undefined) onDialogDrawn({ isCut });
	}, [drawnDialog, drawnStep, isCut, onDialogDrawn]);

	useInput({ ...props, size, lastKeyAt, screenBox, dialogBox });

	return (
		<Box ref={screenBox} flexDirection="column" width="100%" height={rows}>
			{layout.isTooSmall ? (
				<Text>
					{`crowsnest needs ${minScreenSize.columns}x${minScreenSize.rows}`.slice(0, columns)}
				</Text>
			) : (
				<FleetScreen scene={scene} />
			)}
			{box && <Overlay ref={dialogBox} box={box} scene={scene} />}
		</Box>
	);
}

//  ╭ Delete atlas? ─────────────────────────────╮
//  │ Erases it for good: workspace, packages …  │
//  │ Type atlas to delete it: atl▏              │
//  ╰────────────────────────────────────────────╯

/** Most rows above the box stay visible. */
function Overlay({ ref, box, scene }: { ref: Ref<DOMElement>; box: DialogBox; scene: Scene }) {
	const { columns, rows } = scene.layout;
	const left = Math.max(0, Math.floor((columns - box.width) / 2));
	const top = Math.max(0, rows - box.lines.length - 2);
	return (
		<Box ref={ref} position="absolute" left={left} top={top} width={box.width}>
			<Region lines={box.lines} theme={scene.theme} />
		</Box>
	);
}

const boxOf = (dialog: OpenDialog, scene: Scene) =>
	dialog.kind === 'palette' ? paletteBox(dialog, scene) : openBox(dialog, scene);

type BoundaryProps = { onCrash: (error: unknown) => void; children: ReactNode };

/** Ink would draw an error with the source around it, which is the whole program on one line. */
export class CrashBoundary extends Component<BoundaryProps, { hasCrashed: boolean }> {
	override state = { hasCrashed: false };

	static getDerivedStateFromError() {
		return { hasCrashed: true };
	}

	override componentDidCatch(error: unknown) {
		this.props.onCrash(error);
	}

	override render() {
		return this.state.hasCrashed ? null : this.props.children;
	}
}

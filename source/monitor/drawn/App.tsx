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
import type { Span } from '../../lines/span.ts';
import type { Box as DialogBox } from '../../views/dialogs/dialog.ts';
import { openBox } from '../../views/dialogs/open-dialog.ts';
import { footerLines } from '../../views/frame/footer.ts';
import { headerLines } from '../../views/frame/header.ts';
import { alarmRules, ruleBelow, tableEnd, viewRule } from '../../views/frame/rules.ts';
import { detailPlacement, minScreenSize } from '../../views/layout.ts';
import { computersIn } from '../../views/look/cursor.ts';
import { currentFilter, isTable } from '../../views/look/screen.ts';
import { isTableShown, openText } from '../../views/open-text.ts';
import type { Scene } from '../../views/scene.ts';
import { paletteBox } from '../palette.ts';
import { FleetTable } from './FleetTable.tsx';
import { type MonitorProps, useInput } from './input.ts';
import { Region } from './Region.tsx';
import { TextView } from './TextView.tsx';

type Props = MonitorProps & {
	onShown: (scene: Scene, visible: readonly GlobalId[], isDetailShown: boolean) => void;
	onDialogDrawn: (drawing: { isCut: boolean }) => void;
};

export function App(props: Props) {
	const { clock, readScene, onShown, onDialogDrawn } = props;
	const { columns, rows } = useWindowSize();
	const data = useSyncExternalStore(props.monitorData.subscribe, props.monitorData.getState);
	const screen = useSyncExternalStore(props.screenStore.subscribe, props.screenStore.getState);
	const terminal = useSyncExternalStore(props.terminal.onStateChange, props.terminal.state);
	const now = useSyncExternalStore(clock.subscribe, clock.now);
	const screenBox = useRef<DOMElement>(null);
	const dialogBox = useRef<DOMElement>(null);
	const lastKeyAt = useRef(-Infinity);
	const size = { columns, rows };
	const scene = readScene({ data, screen, terminal, ...size, now, lastKeyAt: lastKeyAt.current });
	const { layout, shown, firstRow, dialog } = scene;
	// Ink has written the frame before these run; `useEffect` would plan another turn of the event loop.
	useLayoutEffect(() => {
		const { place } = detailPlacement(screen, columns);
		const inSight = shown.lines.slice(firstRow, firstRow + shown.maxRows);
		const visible = computersIn(inSight).map(({ id }) => id);
		onShown(scene, visible, isTable(screen) && place !== 'hidden');
	});

	const drawn = layout.isTooSmall ? undefined : dialog;
	const box = drawn?.kind === 'palette' ? paletteBox(drawn, scene) : drawn && openBox(drawn, scene);
	const drawnDialog = drawn?.entry.id;
	const drawnStep = drawn?.entry.answers.length;
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
				<Views scene={scene} />
			)}
			{box && <Overlay ref={dialogBox} box={box} scene={scene} />}
		</Box>
	);
}

// The screen from top to bottom: header, rule, the table or a view, rule, messages, keys.

function Views({ scene }: { scene: Scene }) {
	const { screen, layout, theme } = scene;
	const alarms = alarmRules(scene);
	const above = alarms.length > 0 ? alarms : [viewRule(scene)];
	// Where no rule has room, they take the place of the column titles: a filtered table never looks complete.
	const isNeeded = alarms.length > 0 || currentFilter(screen) !== '';
	const banner = isNeeded && !layout.hasRuleAbove ? above[0] : undefined;
	return (
		<>
			<Region lines={headerLines(scene)} theme={theme} />
			{layout.hasRuleAbove && <Region lines={above} theme={theme} />}
			<Body scene={scene} banner={banner} />
			{layout.hasRuleBelow && <Region lines={[ruleBelow(scene)]} theme={theme} />}
			<Region lines={footerLines(scene)} theme={theme} />
		</>
	);
}

function Body({ scene, banner }: { scene: Scene; banner: readonly Span[] | undefined }) {
	const text = openText(scene);
	const view = text && <TextView scene={scene} text={text} />;
	if (!isTableShown(scene)) return view;
	return (
		<Box height={scene.height}>
			<FleetTable scene={scene} width={tableEnd(scene)} banner={banner} />
			{view && <Text> </Text>}
			{view}
		</Box>
	);
}

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

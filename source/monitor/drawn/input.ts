import type { DOMElement } from 'ink';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { Ticker } from '../../foundation/clock.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { isViewPlace } from '../../views/keys.ts';
import { cursorIndex } from '../../views/look/cursor.ts';
import { type Click, goTo, scroll, step } from '../../views/look/moves.ts';
import { isHeadingId, isTable, type Screen } from '../../views/look/screen.ts';
import { chooseInPalette, toggleGroup, toggleHelp } from '../../views/look/views.ts';
import type { MonitorData, SceneReader } from '../../views/read-scene.ts';
import type { Effect, Scene } from '../../views/scene.ts';
import { effectOfKey, effectOfPaste } from '../actions/dispatcher.ts';
import { move } from '../actions/effects.ts';
import { choose } from '../actions/fields.ts';
import { open } from '../actions/looking.ts';
import type { ThrottledStore } from '../monitor-data.ts';
import { clicksAt } from './Region.tsx';

// The only place where keys, pastes and the mouse arrive. A click never answers a question.

export type MonitorProps = {
	monitorData: ThrottledStore<MonitorData>;
	screenStore: StoreApi<Screen>;
	terminal: Pick<Terminal, 'state' | 'onStateChange' | 'onInput' | 'onMouse'>;
	clock: Ticker;
	readScene: SceneReader;
	runAction: (effect: Effect, key: string, scene: () => Scene) => void;
};

type Drawn = MonitorProps & {
	size: { columns: number; rows: number };
	lastKeyAt: RefObject<number>;
	screenBox: RefObject<DOMElement | null>;
	dialogBox: RefObject<DOMElement | null>;
};

const wheelLines = 3;

export function useInput(drawn: Drawn): void {
	const { terminal, monitorData, lastKeyAt, clock, runAction, screenBox, dialogBox } = drawn;
	const { onInput, onMouse } = terminal;
	const scene = () => latestScene(drawn);

	function perform(effect: Effect | undefined, key = '') {
		if (!effect) return;
		lastKeyAt.current = clock.now();
		runAction(effect, key, scene);
		// The effect of a key is drawn at once, even if the last frame was drawn a moment ago.
		monitorData.flush();
	}

	const press = (key: string) => perform(effectOfKey(scene(), key), key);

	const click = (run: Effect['run']) => perform({ id: 'click', run });

	function performClick(on: Click) {
		switch (on.type) {
			case 'move':
				return click(move(on.move));
			case 'found':
				click(move(chooseInPalette(on.id)));
				return click(choose);
			case 'row': {
				const { screen, shown } = scene();
				const { lines } = shown;
				if (on.id === undefined || !lines.some(({ id }) => id === on.id)) return;
				if (isHeadingId(on.id)) return click(move(toggleGroup(on.id)));
				const isUnderCursor = on.id === lines[cursorIndex(screen, lines)]?.id;
				return click(isUnderCursor ? open : move(goTo(on.id)));
			}
			case 'key':
				// The help is closed first, because a key that is clicked in it works in the view behind it.
				if (scene().place === 'help') click(move(toggleHelp));
				return press(on.key);
		}
	}

	const onKeyOrPaste = useEffectEvent<Parameters<Terminal['onInput']>[0]>(input => {
		if ('key' in input) press(input.key);
		else perform(effectOfPaste(input.paste, scene().place));
	});

	const onClick = useEffectEvent<Parameters<Terminal['onMouse']>[0]>(mouse => {
		const { place, screen } = scene();
		const isInPalette = place === 'palette';
		if (place !== 'help' && !isInPalette && !isViewPlace(place)) return;
		const clicks = clicksAt((isInPalette ? dialogBox : screenBox).current, mouse);
		if (mouse.kind === 'press') {
			const [on] = clicks;
			if (on) performClick(on);
		} else if (isViewPlace(place)) {
			const lines = mouse.kind === 'wheelUp' ? -wheelLines : wheelLines;
			// Beside the table, only the details can scroll. If they are not in sight, nothing scrolls.
			const isOverDetail = isTable(screen) && !clicks.some(({ type }) => type === 'row');
			click(move(isOverDetail ? scroll(lines) : step(lines)));
		}
	});

	useLayoutEffect(() => onInput(input => onKeyOrPaste(input)), [onInput]);
	useEffect(() => onMouse(mouse => onClick(mouse)), [onMouse]);
}

/** When several keys arrive together, each acts on the result of the one before, in the order that the person saw. */
function latestScene({ readScene, monitorData, screenStore, ...drawn }: Drawn): Scene {
	const now = drawn.clock.now();
	return readScene({
		data: monitorData.getState(),
		screen: screenStore.getState(),
		terminal: drawn.terminal.state(),
		...drawn.size,
		now,
		lastKeyAt: now,
	});
}

import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { layoutFor } from '../../source/drawing/layout.ts';
import { initialScreen, type Screen } from '../../source/screen/screen.ts';
import { type InputHandlers, useInputHandlers } from '../../source/views/input-handlers.ts';

type Drawn = Parameters<typeof useInputHandlers>[0];

/** The parts of a frame that decide the context of a key: the size of the terminal, and the screen in it. */
const drawnOf = (rows: number, view: Screen['view']): Drawn => {
	const screen = { ...initialScreen(), view };
	return {
		layout: layoutFor(120, rows),
		screenAndTerminal: { getState: () => ({ screen }) },
		monitorData: { getState: () => ({ operations: {} }) },
	} as Drawn;
};

test('the functions for keys and clicks stay the same from frame to frame, and use what was drawn last', () => {
	const frames: InputHandlers[] = [];
	function View(props: Drawn) {
		frames.push(useInputHandlers(props));
		return <Text>a frame</Text>;
	}
	const { rerender, unmount } = render(<View {...drawnOf(40, 'fleet')} />);
	expect(frames[0]?.getContext()).toBe('fleet');
	rerender(<View {...drawnOf(40, 'log')} />);
	expect(frames[1]).toBe(frames[0]);
	expect(frames[0]?.getContext()).toBe('log');
	rerender(<View {...drawnOf(2, 'log')} />);
	expect(frames[0]?.getContext()).toBe('tooSmall');
	unmount();
});

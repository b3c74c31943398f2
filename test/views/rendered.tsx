import { Text } from 'ink';
import { render } from 'ink-testing-library';
import type { ReactElement } from 'react';
import { frameText } from '../frame-text.ts';

/** Returns the lines of a component, without styles and links, in a terminal of that width. */
export function renderLines(view: ReactElement, columns = 100): readonly string[] {
	const { stdout, rerender, lastFrame, unmount } = render(<Text> </Text>);
	// The terminal of ink-testing-library always has 100 columns.
	Object.defineProperty(stdout, 'columns', { value: columns });
	rerender(view);
	const text = frameText(lastFrame() ?? '');
	unmount();
	return text.split('\n');
}
